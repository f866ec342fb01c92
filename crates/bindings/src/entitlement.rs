//! The entitlements of partitions by their weights, as rows.

use machine::cec::entitlement::{self, Assumed, Claim, Entitlement, Fraction, Part, Refused};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A row per partition, each given as its weight (None: dedicated) and its logical cores; raises ValueError.
#[pyfunction]
pub fn entitlements<'py>(
    py: Python<'py>,
    cores: u16,
    partitions: Vec<(Option<u16>, u16)>,
) -> PyResult<Bound<'py, PyList>> {
    let claim = |(weight, logicals): (Option<u16>, u16)| Claim {
        part: weight.map_or(Part::Dedicated, |weight| Part::Weight(u32::from(weight))),
        logicals: u32::from(logicals),
    };
    let claims: Vec<Claim> = partitions.into_iter().map(claim).collect();
    let made = entitlement::entitlements(u32::from(cores), &claims).map_err(refusal)?;
    let list = PyList::empty(py);
    for one in &made {
        list.append(row(py, one)?)?;
    }
    Ok(list)
}

fn row<'py>(py: Python<'py>, one: &Entitlement) -> PyResult<Bound<'py, PyDict>> {
    let percent = |fraction: Fraction| 100.0 * fraction.value();
    let row = PyDict::new(py);
    row.set_item("share_percent", one.share.map(percent))?;
    row.set_item("entitlement_cores", one.cores.value())?;
    row.set_item("contended_cores", one.contended.value())?;
    row.set_item("most_cores", one.most)?;
    row.set_item("horizontal_percent", percent(one.horizontal))?;
    row.set_item("vertical_high", one.vertical.high)?;
    row.set_item("vertical_medium", one.vertical.medium)?;
    row.set_item("vertical_low", one.vertical.low)?;
    row.set_item("medium_percent", one.vertical.each.map(percent))?;
    row.set_item("assumed", one.vertical.assumed.map_or("", Assumed::text))?;
    Ok(row)
}

fn refusal(refused: Refused) -> PyErr {
    PyValueError::new_err(match refused {
        Refused::Nothing(place) => format!("partition {} has no logical core or no weight", place + 1),
        Refused::Dedicated => "there are more dedicated logical cores than cores".to_owned(),
        Refused::NoneLeft => "dedicated partitions leave no core to share".to_owned(),
    })
}
