//! What every RMF page does alike in Python: it is read, says what its head has, and is edited to the byte.

/// Defines the report of a kind of page, with what it does beside what all do.
macro_rules! rmf_report {
    ($(#[$doc:meta])* $Report:ident of $Page:ident; $($own:item)*) => {
        $(#[$doc])*
        #[pyclass(module = "slicewright._core")]
        pub struct $Report {
            page: $Page,
        }

        #[pymethods]
        impl $Report {
            /// Read a page; raises `InputError` with every problem.
            #[staticmethod]
            fn read(py: Python<'_>, data: &[u8], file: &str) -> PyResult<Self> {
                match $Page::read(data, file) {
                    Ok(page) => Ok($Report { page }),
                    Err(problems) => Err(input_error(py, &problems)),
                }
            }

            /// The system as printed; empty when the page does not tell it.
            #[getter]
            fn system(&self) -> &str {
                &self.page.head().system
            }

            /// "05/11/2019 06.00.00" as printed after DATE and TIME.
            #[getter]
            fn started(&self) -> String {
                self.page.head().started().unwrap_or_default()
            }

            /// Length of the interval in seconds; zero when the page does not tell it.
            #[getter]
            fn interval_s(&self) -> f64 {
                self.page.head().length.map_or(0.0, Span::seconds)
            }

            /// Length of the cycle in seconds; zero when the page does not tell it.
            #[getter]
            fn cycle_s(&self) -> f64 {
                self.page.head().cycle.map_or(0.0, Span::seconds)
            }

            /// How many samples the interval holds; zero when the page does not tell it.
            #[getter]
            fn samples(&self) -> u64 {
                self.page.head().samples.unwrap_or(0)
            }

            /// Lines that are no rows: line, device, type, why.
            #[getter]
            fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                tables::skipped(py, self.page.skipped())
            }

            /// Every field that is printed: a row per row of the page, headings to texts.
            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                let list = PyList::empty(py);
                for row in self.page.rows() {
                    let fields = PyDict::new(py);
                    for field in &row.fields {
                        fields.set_item(field.column.heading(), &field.text)?;
                    }
                    list.append(fields)?;
                }
                Ok(list)
            }

            /// Replace one printed field; only its bytes change.  Raises `InputError` when it does not fit.
            fn set(&mut self, py: Python<'_>, row: &str, column: &str, text: &str) -> PyResult<()> {
                self.page.set(row, column, text).map_err(|problems| input_error(py, &problems))
            }

            fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, self.page.to_bytes())
            }

            $($own)*
        }
    };
}

pub(crate) use rmf_report;
