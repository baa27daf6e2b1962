//! The interpreter whose arithmetic counts: the same wheel of Harbor computes other bits on CPython
//! 3.14.
//!
//! Between the two `sum()` changed, the digits that `float()` knows, and what `Path.exists()` makes
//! of an error.

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
