//! The one quantile that every interval of confidence needs.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The two-sided 95 % quantile of Student's t.
#[pyfunction]
pub fn student_t(degrees: i64) -> PyResult<f64> {
    match StudentsT::new(0.0, 1.0, degrees as f64) {
        Ok(distribution) if degrees >= 1 => Ok(distribution.inverse_cdf(0.975)),
        Ok(_) | Err(_) => Err(PyValueError::new_err(format!("{degrees} degrees of freedom: at least one is needed"))),
    }
}
