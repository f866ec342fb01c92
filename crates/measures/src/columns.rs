//! The columns of a table over several intervals, while rows are added: numbers as doubles, names as codes.

use crate::pooled::Pool;
use crate::{Figure, Key, Table, Totals};
use std::collections::{BTreeMap, HashMap};

/// The columns of one table.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The table.
    pub table: Table,
    /// The number of the interval of each row.
    pub intervals: Vec<u64>,
    /// The columns that say what a row is about, in the order of [`Table::keys`].
    pub keys: Vec<Keys>,
    /// The counters, in the order of [`Table::counters`].
    pub values: Vec<Values>,
    /// The places of counters that say how much there was to measure, and of those that have no value without any.
    weights: Vec<(Vec<usize>, Vec<usize>)>,
    /// The first row of the last interval.
    start: usize,
    /// All rows so far as one interval, those too that were cleared.
    pool: Pool,
    codes: Vec<u64>,
}

impl Columns {
    /// The columns of a table without rows.
    pub fn new(table: Table) -> Self {
        Columns {
            table,
            intervals: Vec::new(),
            keys: vec![Keys::default(); table.keys.len()],
            values: vec![Values::default(); table.counters.len()],
            weights: weighed(&table),
            start: 0,
            pool: Pool::new(&table),
            codes: Vec::new(),
        }
    }

    /// Forgets the rows, and keeps names and sums; the next row is of another interval.
    pub fn clear(&mut self) {
        self.intervals.clear();
        self.keys.iter_mut().for_each(|column| column.numbers.clear());
        for column in &mut self.values {
            column.numbers.clear();
            column.gaps = false;
        }
        self.start = 0;
    }

    /// A row for each entity over all intervals that had rows; nothing where there were fewer than two.
    pub fn pooled(&self) -> Option<Columns> {
        let rows = self.pool.rows()?;
        let mut columns = Columns { keys: self.keys.clone(), ..Columns::new(self.table) };
        columns.clear();
        for (place, (codes, values)) in rows.enumerate() {
            columns.keys.iter_mut().zip(codes).for_each(|(column, code)| column.numbers.push(*code));
            columns.values.iter_mut().zip(values).for_each(|(column, value)| column.add(place, value));
            columns.intervals.push(0);
        }
        Some(columns)
    }

    /// Adds a row of an interval; what was not measured has no value in it. Intervals follow each other.
    pub fn add<T: Totals>(&mut self, interval: u64, row: &T) {
        let place = self.intervals.len();
        if self.intervals.last().is_some_and(|last| *last != interval) {
            self.start = place;
        }
        let row_of_interval = place - self.start;
        self.codes.clear();
        for (column, key) in self.keys.iter_mut().zip(row.keys()) {
            self.codes.push(column.add(key, row_of_interval));
        }
        let mut figures = row.figures();
        let figures = figures.as_mut();
        for (weights, of_nothing) in &self.weights {
            if weights.iter().all(|place| figures[*place].value == 0.0) {
                of_nothing.iter().for_each(|place| figures[*place] = Figure::UNKNOWN);
            }
        }
        self.pool.add(interval, (row_of_interval, &self.codes), figures);
        for (column, figure) in self.values.iter_mut().zip(figures) {
            column.add(place, figure.value);
        }
        self.intervals.push(interval);
    }
}

/// The weights of a table that several counters share, with the places of these counters.
fn weighed(table: &Table) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut weighed: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (place, weights) in table.weights().into_iter().enumerate().filter(|(_, weights)| !weights.is_empty()) {
        weighed.entry(weights).or_default().push(place);
    }
    weighed.into_iter().collect()
}

/// The numbers of a column; not a number where a row has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// A number for each row; empty as long as no row has one.
    pub numbers: Vec<f64>,
    /// Whether a row has none.
    pub gaps: bool,
}

impl Values {
    #[inline]
    fn add(&mut self, row: usize, value: f64) {
        self.gaps |= value.is_nan();
        if self.numbers.is_empty() {
            if value.is_nan() {
                return;
            }
            self.numbers.resize(row, f64::NAN);
        }
        self.numbers.push(value);
    }
}

/// A column that says what a row is about.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// A number for each row: its count, or the place of its name among [`Keys::names`].
    pub numbers: Vec<u64>,
    /// The different names, one behind the other, and where each ends.
    text: String,
    ends: Vec<usize>,
    places: HashMap<String, u64>,
    /// The place of the name in each row of the interval before.
    likely: Vec<u64>,
}

impl Keys {
    /// The different names in the column, in the order in which they appear.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|place| self.name(place))
    }

    fn name(&self, place: usize) -> &str {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.text[start..self.ends[place]]
    }

    /// Adds the key of a row of an interval, and returns its number. The name is likely to be that of the same row in the
    /// interval before.
    #[inline]
    fn add(&mut self, key: Key, row: usize) -> u64 {
        let number = match key {
            Key::Count(count) => count,
            Key::Text(name) => {
                let likely = self.likely.get(row).copied();
                likely.filter(|place| self.name(*place as usize) == name).unwrap_or_else(|| {
                    let place = self.place(name);
                    self.likely.resize(self.likely.len().max(row + 1), place);
                    self.likely[row] = place;
                    place
                })
            }
        };
        self.numbers.push(number);
        number
    }

    fn place(&mut self, name: &str) -> u64 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.ends.len() as u64;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.places.insert(name.to_string(), place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MinidiskTotals;

    fn row(minidisk: &str, io_per_s: f64, wait_ms: f64) -> MinidiskTotals {
        let mut row = MinidiskTotals::unknown(minidisk.into(), "VOL001".into());
        (row.io_per_s, row.avoided_per_s) = (Figure::exact(io_per_s), Figure::ZERO);
        row.wait_ms = Figure::exact(wait_ms);
        row
    }

    fn columns() -> Columns {
        let mut columns = Columns::new(MinidiskTotals::TABLE);
        for (interval, row) in [
            (0, row("A", 1.0, 2.0)),
            (0, row("B", 0.0, 0.0)),
            (1, row("B", 3.0, 4.0)),
            (1, row("C", 5.0, 6.0)),
            (1, row("A", 7.0, 8.0)),
        ] {
            columns.add(interval, &row);
        }
        columns
    }

    fn values(name: &str) -> Values {
        let place = MinidiskTotals::COUNTERS.iter().position(|counter| counter.name == name).unwrap();
        columns().values[place].clone()
    }

    #[test]
    fn names_have_codes_whatever_the_order_of_the_rows() {
        let keys = &columns().keys[0];
        assert_eq!(keys.names().collect::<Vec<_>>(), ["A", "B", "C"]);
        assert_eq!(keys.numbers, [0, 1, 1, 2, 0]);
        assert_eq!(columns().intervals, [0, 0, 1, 1, 1]);
    }

    #[test]
    fn a_mean_of_nothing_is_a_gap() {
        let wait = values("wait_ms");
        assert!(wait.gaps && wait.numbers[1].is_nan());
        assert_eq!([wait.numbers[0], wait.numbers[2]], [2.0, 4.0]);
        assert_eq!(values("io_per_s"), Values { numbers: vec![1.0, 0.0, 3.0, 5.0, 7.0], gaps: false });
    }

    #[test]
    fn a_counter_that_no_row_has_takes_no_memory() {
        assert_eq!(values("queue_depth"), Values { numbers: vec![], gaps: true });
    }

    #[test]
    fn a_counter_that_appears_late_has_a_gap_before_it() {
        let mut columns = Columns::new(MinidiskTotals::TABLE);
        columns.add(0, &row("A", 0.0, 2.0));
        columns.add(0, &row("A", 1.0, 2.0));
        let wait = MinidiskTotals::COUNTERS.iter().position(|counter| counter.name == "wait_ms").unwrap();
        assert!(columns.values[wait].numbers[0].is_nan());
        assert_eq!(columns.values[wait].numbers[1], 2.0);
    }
}
