//! Laws that every number of an interval keeps, and the number in a record that breaks one.
//!
//! Records are damaged on their way: one bit makes a processor busy for years. So no number becomes a row before it was
//! compared with what its interval allows. A row with an impossible number is omitted whole, and the record, the field,
//! the value and the law are named. What is only improbable stays: no law can find it.

use crate::Damage;
use crate::binary::{Field, Kind, from_hex_float};

/// Counters of one record are read one after the other, and its interval is rounded: a hundredth of the interval and ten
/// milliseconds are taken for that (ASSUME).
const SKEW: f64 = 0.01;
const SKEW_MS: f64 = 10.0;

/// ASSUME: no device starts, no processor is interrupted, and no pool is asked more often in a second.
pub(crate) const MOST_PER_S: f64 = 1e6;
/// ASSUME: no service is called more often in a second by all programs of a system.
pub(crate) const MOST_CALLS_PER_S: f64 = 1e8;
/// ASSUME: no more requests wait in one queue on the average.
pub(crate) const MOST_WAITING: f64 = 1e4;
/// Subchannels of a volume: a logical subsystem has 256 devices, bases and aliases together (z/VM CP Planning, PAV).
pub(crate) const MOST_EXPOSURES: f64 = 256.0;

/// The share of a whole in percent; the skew of counters makes no share greater than the whole.
pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    let share = 100.0 * part / whole;
    if share > 100.0 { 100.0 } else { share }
}

/// A span of an interval, with the skew of its counters, milliseconds.
pub(crate) fn within_ms(interval_ms: f64) -> f64 {
    interval_ms * (1.0 + SKEW) + SKEW_MS
}

/// A field whose number breaks a law.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Broken {
    field: &'static str,
    /// Its offset in the record.
    offset: usize,
    /// Its number, with the unit.
    value: String,
    law: String,
}

impl Broken {
    /// The damage; its place is that of the record.
    pub(crate) fn damage(self) -> Damage {
        let Broken { field, offset, value, law } = self;
        Damage::new(format!("{field} at offset {offset} is {value}"))
            .because(law)
            .remedy("leave the record out, or transfer the file again in binary")
    }
}

/// A number of a field: what it counted, in its own unit, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    field: Field,
    /// The offset of the field in its record.
    offset: usize,
    /// Not a number where the section is too short for it.
    pub(crate) value: f64,
}

impl Counted {
    /// The number of a field in a section of a record.
    pub(crate) fn of(field: Field, section: &[u8], record: &[u8]) -> Self {
        let value = match field.kind {
            Kind::HexFloat => field.bytes(section).and_then(from_hex_float),
            _ => field.number(section).map(|number| number as f64),
        };
        Counted::with(field, section, record, value.unwrap_or(f64::NAN))
    }

    /// The same with a number of its own, as of a counter that went on.
    pub(crate) fn with(field: Field, section: &[u8], record: &[u8], value: f64) -> Self {
        let start = (section.as_ptr() as usize).saturating_sub(record.as_ptr() as usize);
        let start = if start <= record.len() { start } else { 0 };
        Counted { field, offset: start + field.offset, value }
    }

    /// A span in milliseconds.
    pub(crate) fn ms(self) -> f64 {
        self.value * self.field.kind.unit_ms()
    }

    /// Whether a condition holds that is not known to be false; else the broken law.
    pub(crate) fn law(self, holds: bool, law: impl FnOnce() -> String) -> Result<(), Broken> {
        if holds || self.value.is_nan() {
            return Ok(());
        }
        let is_span =
            matches!(self.field.kind, Kind::Ticks | Kind::TodSpan | Kind::Micros | Kind::Millis1024 | Kind::Millis);
        let value = if is_span { shown(self.ms()) + " ms" } else { shown(self.value) };
        Err(Broken { field: self.field.name, offset: self.offset, value, law: law() })
    }

    /// That a span is at most another; `law` says why, without a number.
    pub(crate) fn at_most_ms(self, most_ms: f64, law: &str) -> Result<(), Broken> {
        self.law(self.ms() <= most_ms || most_ms.is_nan(), || format!("{law}: at most {} ms", shown(most_ms)))
    }

    /// That a number is at most another; `law` says why.
    pub(crate) fn at_most(self, most: f64, law: &str) -> Result<(), Broken> {
        self.law(self.value <= most || most.is_nan(), || format!("{law}: at most {}", shown(most)))
    }
}

/// A number in as many digits as say what it is.
fn shown(number: f64) -> String {
    if number.abs() >= 1e9 { format!("{number:.1e}") } else { format!("{:.0}", number) }
}

/// Omitted rows: the first ones are named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Omitted {
    named: Vec<Damage>,
    more: u64,
}

impl Omitted {
    /// Rows that are named; the others are counted.
    const NAMED: usize = 50;

    /// Adds a row of a record that starts at a byte.
    pub(crate) fn add(&mut self, broken: Broken, (byte, record): (u64, u64)) {
        if self.named.len() < Self::NAMED {
            self.named.push(broken.damage().at(byte, record));
        } else {
            self.more += 1;
        }
    }

    /// A sentence for each row that is named, and one for the others.
    pub(crate) fn sentences(self) -> impl Iterator<Item = String> {
        let named = self.named.into_iter().map(|damage| {
            let (byte, record) = damage.place.unwrap_or_default();
            format!("record {record} (byte {byte}): {}; its row was omitted: {}", damage.what, damage.why)
        });
        let more = (self.more > 0).then(|| format!("{} more rows with impossible numbers were omitted", self.more));
        named.chain(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{Certainty, Source};

    const OWN: Source = Source { key: "", certainty: Certainty::Own, text: "" };
    const SPAN: Field = Field { name: "SPAN", offset: 4, length: 8, kind: Kind::Micros, meaning: "", source: &OWN };

    fn record(us: u64) -> [u8; 20] {
        let mut record = [0; 20];
        SPAN.put(&mut record[8..], us);
        record
    }

    #[test]
    fn a_number_that_breaks_a_law_names_field_offset_value_and_law() {
        let record = record(1 << 50);
        let counted = Counted::of(SPAN, &record[8..], &record);
        let damage = counted.at_most_ms(within_ms(5_000.0), "it is online in the interval").unwrap_err().damage();
        assert_eq!(damage.what, "SPAN at offset 12 is 1.1e12 ms");
        assert_eq!(damage.why, "it is online in the interval: at most 5060 ms");
    }

    #[test]
    fn the_skew_of_counters_breaks_no_law_and_adds_nothing_to_the_whole() {
        let record = record(5_050_000);
        assert!(Counted::of(SPAN, &record[8..], &record).at_most_ms(within_ms(5_000.0), "").is_ok());
        assert_eq!(percent(5_050.0, 5_000.0), 100.0);
    }

    #[test]
    fn a_section_that_lacks_the_field_breaks_no_law() {
        let record = record(1);
        assert!(Counted::of(SPAN, &record[18..], &record).at_most_ms(0.0, "").is_ok());
    }

    #[test]
    fn the_first_rows_are_named_and_the_others_counted() {
        let record = record(1 << 50);
        let broken = Counted::of(SPAN, &record[8..], &record).at_most(1.0, "law").unwrap_err();
        let mut left = Omitted::default();
        (0..60).for_each(|number| left.add(broken.clone(), (0, number)));
        let sentences: Vec<String> = left.sentences().collect();
        assert_eq!(sentences.len(), 51);
        assert_eq!(sentences[50], "10 more rows with impossible numbers were omitted");
    }
}
