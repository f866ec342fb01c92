//! The rows of a table over all intervals, one for each entity, while rows are added; sums in constant memory.

use crate::{Figure, OverIntervals, Table};
use std::collections::HashMap;

/// A row for each entity so far.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// How the intervals of each counter become one, and the places of the counters that are its weight.
    rules: Vec<(OverIntervals, Vec<usize>)>,
    keys: usize,
    /// The keys of each entity, one entity behind the other.
    codes: Vec<u64>,
    /// The counters of each entity, one entity behind the other.
    cells: Vec<Cell>,
    places: HashMap<Vec<u64>, usize>,
    /// The entity of each row of the interval before, which the same row of this interval is likely to be about.
    likely: Vec<usize>,
    first: Option<u64>,
    several: bool,
}

/// A counter of an entity: a sum with its weight, or a value with the number of rows that had one.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    value: Sum,
    weight: Sum,
}

/// A compensated sum (Kahan, Further remarks on reducing truncation errors), as polars adds up the rows of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    error: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let corrected = value - self.error;
        let sum = self.sum + corrected;
        self.error = (sum - self.sum) - corrected;
        self.sum = sum;
    }
}

impl Pool {
    pub(crate) fn new(table: &Table) -> Self {
        let rules = table.counters.iter().map(|counter| counter.over_intervals).zip(table.weights()).collect();
        Pool {
            rules,
            keys: table.keys.len(),
            codes: Vec::new(),
            cells: Vec::new(),
            places: HashMap::new(),
            likely: Vec::new(),
            first: None,
            several: false,
        }
    }

    /// Adds a row of an interval: its place in the interval, and its keys.
    #[inline]
    pub(crate) fn add(&mut self, interval: u64, (row, codes): (usize, &[u64]), figures: &[Figure]) {
        self.several |= *self.first.get_or_insert(interval) != interval;
        let entity = self.entity(row, codes);
        let cells = &mut self.cells[entity * self.rules.len()..][..figures.len()];
        for (((rule, weights), cell), figure) in self.rules.iter().zip(cells).zip(figures) {
            if figure.is_known() {
                let weighs = *rule == OverIntervals::Mean && !weights.is_empty();
                let weight = if weighs { of(weights, figures) } else { 1.0 };
                cell.add(*rule, figure.value, weight);
            } else if matches!(rule, OverIntervals::Last | OverIntervals::Whole) {
                cell.add(*rule, f64::NAN, 1.0);
            }
        }
    }

    fn entity(&mut self, row: usize, codes: &[u64]) -> usize {
        let at = |entity: usize| entity * self.keys..(entity + 1) * self.keys;
        if let Some(entity) = self.likely.get(row).filter(|entity| self.codes[at(**entity)] == *codes) {
            return *entity;
        }
        let entity = self.places.get(codes).copied().unwrap_or_else(|| {
            self.places.insert(codes.to_vec(), self.places.len());
            self.codes.extend_from_slice(codes);
            self.cells.resize(self.cells.len() + self.rules.len(), Cell::default());
            self.places.len() - 1
        });
        if self.likely.len() <= row {
            self.likely.resize(row + 1, entity);
        }
        self.likely[row] = entity;
        entity
    }

    /// Keys and counters of each entity, in the order in which they appeared; nothing for fewer than two intervals.
    pub(crate) fn rows(&self) -> Option<impl Iterator<Item = (&[u64], impl Iterator<Item = f64>)>> {
        let row = |entity: usize| {
            let cells = &self.cells[entity * self.rules.len()..][..self.rules.len()];
            let values = self.rules.iter().zip(cells).map(|((rule, _), cell)| cell.value(*rule));
            (&self.codes[entity * self.keys..][..self.keys], values)
        };
        self.several.then(|| (0..self.places.len()).map(row))
    }
}

/// The sum of the known ones of some figures.
fn of(places: &[usize], figures: &[Figure]) -> f64 {
    places.iter().map(|place| figures[*place]).filter(|figure| figure.is_known()).map(|figure| figure.value).sum()
}

impl Cell {
    #[inline]
    fn add(&mut self, rule: OverIntervals, value: f64, weight: f64) {
        let is_first = self.weight.sum == 0.0;
        match rule {
            OverIntervals::Mean => self.value.add(value * weight),
            OverIntervals::Sum => self.value.add(value),
            OverIntervals::Min if !is_first => self.value.sum = self.value.sum.min(value),
            OverIntervals::Max if !is_first => self.value.sum = self.value.sum.max(value),
            OverIntervals::Whole if !is_first => self.value.sum = f64::NAN,
            OverIntervals::Min | OverIntervals::Max | OverIntervals::Last | OverIntervals::Whole => {
                self.value.sum = value;
            }
            OverIntervals::Instant => {}
        }
        self.weight.add(weight);
    }

    /// The counter over all intervals; not a number where it has no value.
    fn value(&self, rule: OverIntervals) -> f64 {
        match rule {
            _ if self.weight.sum <= 0.0 => f64::NAN,
            OverIntervals::Mean => self.value.sum / self.weight.sum,
            OverIntervals::Sum
            | OverIntervals::Whole
            | OverIntervals::Min
            | OverIntervals::Max
            | OverIntervals::Last
            | OverIntervals::Instant => self.value.sum,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Columns, Figure, PoolTotals, Totals};

    fn columns(rows: &[(u64, &str, f64, f64)]) -> Columns {
        let mut columns = Columns::new(PoolTotals::TABLE);
        for (interval, pool, tries, fails_per_try) in rows {
            let (tries, fails_per_try) = (Figure::exact(*tries), Figure::exact(*fails_per_try));
            let aliases = Figure::exact(*interval as f64);
            let low_water = Figure::exact(tries.value);
            columns.add(
                *interval,
                &PoolTotals { tries, fails_per_try, aliases, low_water, ..PoolTotals::unknown((*pool).into()) },
            );
            if columns.intervals.len() == 2 {
                columns.clear();
            }
        }
        columns
    }

    fn value(columns: &Columns, name: &str, row: usize) -> f64 {
        let place = PoolTotals::COUNTERS.iter().position(|counter| counter.name == name).unwrap();
        columns.values[place].numbers.get(row).copied().unwrap_or(f64::NAN)
    }

    #[test]
    fn counts_are_added_and_means_weighed_over_rows_that_were_cleared() {
        let rows = [(0, "A", 10.0, 0.5), (0, "B", 0.0, 0.0), (1, "B", 5.0, 0.2), (1, "A", 30.0, 0.1)];
        let pooled = columns(&rows).pooled().unwrap();
        assert_eq!(pooled.keys[0].names().collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!([value(&pooled, "tries", 0), value(&pooled, "tries", 1)], [40.0, 5.0]);
        assert!((value(&pooled, "fails_per_try", 0) - 0.2).abs() < 1e-12, "weighed by tries");
        assert_eq!(value(&pooled, "fails_per_try", 1), 0.2, "an interval without tries weighs nothing");
        assert_eq!(value(&pooled, "low_water", 0), 10.0, "the least");
        assert!(value(&pooled, "high_water", 0).is_nan(), "no row has it");
    }

    #[test]
    fn one_interval_is_not_pooled() {
        assert!(columns(&[(3, "A", 1.0, 0.5), (3, "B", 1.0, 0.5)]).pooled().is_none());
    }
}
