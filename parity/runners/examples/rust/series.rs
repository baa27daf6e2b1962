//! The series of the interpreter for the arithmetic: the same wheel of Harbor computes other bits on
//! CPython 3.14.
//!
//! The two series differ in `sum()`, in the digits that `float()` accepts, and in the errors that
//! `Path.exists()` raises.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// CPython 3.12 and 3.13.
    Py312,
    /// CPython 3.14.
    Py314,
}

impl Series {
    /// The series that the kit's hello names.
    pub fn named(interpreter: &str) -> Option<Series> {
        match interpreter {
            "3.12" => Some(Series::Py312),
            "3.14" => Some(Series::Py314),
            _ => None,
        }
    }
}
