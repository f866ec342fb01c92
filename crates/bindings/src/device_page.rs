//! A devices table from Python as a page in the style of FCX108.
//!
//! It leaves out the look of the page, which the reports crate has, and where the table comes from.

use measures::{DeviceTotals, Figure, IntervalTotals, Role, VolumeTotals};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reports::Response;
use units::Span;

/// A page in the style of FCX108 from a devices table (no replication column: one row a device).
///
/// `title`: run (str), `interval_s` (float), note (str), response ("toolkit" or "correct"). The correct response of the
/// devices of a pool needs the volumes table of the same interval.
#[pyfunction]
#[pyo3(signature = (title, devices, volumes = None))]
pub fn device_page(
    title: &Bound<'_, PyDict>,
    devices: &Bound<'_, PyDict>,
    volumes: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let run: String = required(title, "run")?.extract()?;
    let interval_s: f64 = required(title, "interval_s")?.extract()?;
    let note: String = required(title, "note")?.extract()?;
    let response: String = required(title, "response")?.extract()?;
    let response = match response.as_str() {
        "toolkit" => Response::Toolkit,
        "correct" => Response::Correct,
        other => return Err(PyValueError::new_err(format!("no response {other:?}: toolkit or correct"))),
    };
    let mut interval = IntervalTotals::new(run, Span::from_seconds(interval_s));
    interval.devices = device_rows(devices)?;
    if let Some(volumes) = volumes {
        interval.volumes = volume_rows(volumes)?;
    }
    Ok(reports::device_page(&interval, response, &note))
}

fn device_rows(table: &Bound<'_, PyDict>) -> PyResult<Vec<DeviceTotals>> {
    let names: Vec<String> = required(table, "device")?.extract()?;
    let kinds: Vec<String> = column(table, "type", names.len())?;
    let labels: Vec<String> = column(table, "label", names.len())?;
    let roles: Vec<String> = column(table, "role", names.len())?;
    let bases: Vec<String> = column(table, "base", names.len())?;
    let pools: Vec<String> = column(table, "pool", names.len())?;
    let paths: Vec<u64> = column(table, "paths", names.len())?;
    let figures = Figures { table, rows: names.len() };
    let mut devices = Vec::with_capacity(names.len());
    for (row, device) in names.iter().enumerate() {
        let role = role(&roles[row], &bases[row], &pools[row])?;
        let (kind, label) = (kinds[row].clone(), labels[row].clone());
        devices.push(DeviceTotals::unknown(device.clone(), kind, label, role, paths[row]));
    }
    let mut fill = |name: &str, set: fn(&mut DeviceTotals, Figure)| -> PyResult<()> {
        let column = figures.column(name)?;
        devices.iter_mut().zip(column).for_each(|(device, figure)| set(device, figure));
        Ok(())
    };
    fill("io_per_s", |device, figure| device.io_per_s = figure)?;
    fill("avoided_per_s", |device, figure| device.avoided_per_s = figure)?;
    fill("pend_ms", |device, figure| device.pend_ms = figure)?;
    fill("disc_ms", |device, figure| device.disc_ms = figure)?;
    fill("conn_ms", |device, figure| device.conn_ms = figure)?;
    fill("service_ms", |device, figure| device.service_ms = figure)?;
    fill("response_ms", |device, figure| device.response_ms = figure)?;
    fill("queue_depth", |device, figure| device.queue_depth = figure)?;
    fill("busy_percent", |device, figure| device.busy_percent = figure)?;
    Ok(devices)
}

fn volume_rows(table: &Bound<'_, PyDict>) -> PyResult<Vec<VolumeTotals>> {
    let names: Vec<String> = required(table, "volume")?.extract()?;
    let devices: Vec<String> = column(table, "device", names.len())?;
    let rates = Figures { table, rows: names.len() }.column("io_per_s")?;
    let rows = names.into_iter().zip(devices).zip(rates);
    Ok(rows
        .map(|((name, device), io_per_s)| VolumeTotals { io_per_s, ..VolumeTotals::unknown(name, device) })
        .collect())
}

fn role(word: &str, base: &str, pool: &str) -> PyResult<Role> {
    match word {
        "base" => Ok(Role::Base),
        "bound-alias" => Ok(Role::BoundAlias { base: base.to_string() }),
        "pool-alias" => Ok(Role::PoolAlias { pool: pool.to_string() }),
        other => Err(PyValueError::new_err(format!("no role {other:?}: base, bound-alias or pool-alias"))),
    }
}

/// The counters of a table; one that is absent is not known of any row.
struct Figures<'a, 'py> {
    table: &'a Bound<'py, PyDict>,
    rows: usize,
}

impl Figures<'_, '_> {
    fn column(&self, name: &str) -> PyResult<Vec<Figure>> {
        if !self.table.contains(name)? {
            return Ok(vec![Figure::UNKNOWN; self.rows]);
        }
        let values: Vec<Option<f64>> = column(self.table, name, self.rows)?;
        Ok(values.into_iter().map(|value| value.map_or(Figure::UNKNOWN, Figure::exact)).collect())
    }
}

fn column<'py, T>(table: &Bound<'py, PyDict>, name: &str, rows: usize) -> PyResult<Vec<T>>
where
    Vec<T>: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let values: Vec<T> = required(table, name)?.extract()?;
    match values.len() == rows {
        true => Ok(values),
        false => Err(PyValueError::new_err(format!("{name}: {} values for {rows} rows", values.len()))),
    }
}

fn required<'py>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    dict.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_string()))
}
