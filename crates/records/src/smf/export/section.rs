//! A section of a record while it is filled.

use crate::binary::{Field, Layout, to_hex_float};
use measures::Figure;

/// A figure, 0 where it is not known.
pub(super) fn value(figure: Figure) -> f64 {
    if figure.is_known() { figure.value } else { 0.0 }
}

/// A section of a layout; the rest is zero.
pub(super) struct Section(Vec<u8>);

impl Section {
    pub(super) fn of(layout: &Layout) -> Self {
        Section(vec![0; layout.length])
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes of a field.
    pub(super) fn place(&mut self, field: Field) -> &mut [u8] {
        &mut self.0[field.offset..field.since()]
    }

    pub(super) fn text(&mut self, field: Field, text: &str) {
        field.put_text(&mut self.0, text);
    }

    /// Puts a whole number, or the largest one that the field can hold; 0 for an unknown or negative number.
    pub(super) fn count(&mut self, field: Field, number: f64) {
        let largest = u64::MAX >> (64 - 8 * field.length.min(8));
        field.put(&mut self.0, (number.max(0.0).round() as u64).min(largest));
    }

    /// Puts a span, given in milliseconds.
    pub(super) fn ms(&mut self, field: Field, ms: f64) {
        self.count(field, ms / field.kind.unit_ms());
    }

    /// Puts a hexadecimal floating-point number of four bytes; 0 for an unknown number.
    pub(super) fn float(&mut self, field: Field, number: f64) {
        self.place(field).copy_from_slice(&to_hex_float(number).unwrap_or_default());
    }
}
