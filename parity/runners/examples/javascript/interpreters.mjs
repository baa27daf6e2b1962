// Where the two series of Python part that scores are computed with. The kit's hello says which one counts.

export const INTERPRETERS = new Map([
  [
    "3.12", // and 3.13
    {
      // Ints that follow a float in sum() are added without compensation.
      compensatesInts: false,
      // Unicode 15: digits that came later are no digits for float().
      knowsNewDigits: false,
      // Path.exists() raises PermissionError where a folder may not be searched.
      existsRaises: true,
      // Arrays and objects inside each other that json.loads() takes before it raises RecursionError. Only
      // the order of magnitude can be relied on: 3.12.1 takes 1,497 and 3.13.0 takes 9,998.
      deepestJson: 1_497,
    },
  ],
  [
    "3.14",
    {
      compensatesInts: true,
      knowsNewDigits: true,
      existsRaises: false,
      // The stack decides, not a counter: this is for the 8 MiB that are usual on Linux.
      deepestJson: 65_210,
    },
  ],
]);
