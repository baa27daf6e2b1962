// Differences between the two interpreter series of Python. The kit's hello contains the series to use.

export const INTERPRETERS = new Map([
  [
    "3.12", // and 3.13
    {
      // Ints that follow a float in sum() are added without compensation.
      compensatesInts: false,
      // Unicode 15: float() accepts no digits that were added later.
      knowsNewDigits: false,
      // Path.exists() raises PermissionError in a directory without search permission.
      existsRaises: true,
      // The depth of JSON that json.loads() accepts before it raises RecursionError. Only the order of magnitude
      // is certain: 3.12.1 accepts 1,497 and 3.13.0 accepts 9,998.
      deepestJson: 1_497,
    },
  ],
  [
    "3.14",
    {
      compensatesInts: true,
      knowsNewDigits: true,
      existsRaises: false,
      // This depth depends on the size of the stack: it is for 8 MiB, the default on Linux.
      deepestJson: 65_210,
    },
  ],
]);
