// Errors as Python raises them. The kit compares the name of an error's class and nothing else.

export class PythonError extends Error {
  /** `kind` is the class name, such as "ValueError"; the message is for people. */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// Python has a class for each common system error; all other system errors are plain OSErrors.
const CLASSES = new Map([
  ["EACCES", "PermissionError"],
  ["EPERM", "PermissionError"],
  ["EISDIR", "IsADirectoryError"],
  ["ENOTDIR", "NotADirectoryError"],
  ["ENOENT", "FileNotFoundError"],
  ["EINTR", "InterruptedError"],
]);

/** Calls a function of node:fs, and raises what Python would where the system refuses. */
export function withPythonErrors(call) {
  try {
    return call();
  } catch (error) {
    if (error.syscall === undefined) throw error; // a mistake in this program, which must not become an answer
    throw new PythonError(CLASSES.get(error.code) ?? "OSError", error.message);
  }
}
