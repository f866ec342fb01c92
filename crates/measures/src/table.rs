//! The form of a table of totals, and the one macro that makes a row type and its table of counters from a single text.

use crate::{Counter, Figure, Key, KeyColumn};

/// A table of an interval: its name and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name: "volumes".
    pub name: &'static str,
    /// The meaning of a row, in a sentence.
    pub rows: &'static str,
    /// The columns that say what a row is about, in the order of [`Totals::keys`].
    pub keys: &'static [KeyColumn],
    /// The counters, in the order of [`Totals::figures`].
    pub counters: &'static [Counter],
}

impl Table {
    /// Of each counter the places of those that say how much there was to measure; none where there always is something.
    pub fn weights(&self) -> Vec<Vec<usize>> {
        let place = |name: &&str| self.counters.iter().position(|counter| counter.name == *name);
        self.counters.iter().map(|counter| counter.by.iter().filter_map(place).collect()).collect()
    }

    /// The places of the counters of a row for which there was nothing to measure.
    pub fn of_nothing(&self, figures: &[Figure]) -> Vec<usize> {
        let nothing =
            |places: &Vec<usize>| !places.is_empty() && places.iter().map(|at| figures[*at].value).sum::<f64>() == 0.0;
        let weights = self.weights();
        (0..weights.len()).filter(|place| nothing(&weights[*place])).collect()
    }
}

/// A row of a table.
pub trait Totals {
    /// The table that the row belongs to.
    const TABLE: Table;

    /// The values of the attribute columns.
    fn keys(&self) -> impl IntoIterator<Item = Key<'_>>;

    /// The values of the counters.
    fn figures(&self) -> impl IntoIterator<Item = Figure> + AsMut<[Figure]>;
}

/// A row of any type, for code that turns every table into columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The values of the identifying columns.
    pub keys: Vec<Key<'a>>,
    /// The values of the counters.
    pub figures: Vec<Figure>,
}

/// A table with its rows of one interval.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRows<'a> {
    /// The table.
    pub table: Table,
    /// Its rows, in the order of the interval.
    pub rows: Vec<Row<'a>>,
}

impl<'a> TableRows<'a> {
    /// The rows of one type as a table.
    pub fn of<T: Totals>(rows: &'a [T]) -> Self {
        let row =
            |row: &'a T| Row { keys: row.keys().into_iter().collect(), figures: row.figures().into_iter().collect() };
        TableRows { table: T::TABLE, rows: rows.iter().map(row).collect() }
    }

    /// The same rows without the values for which there was nothing to measure: counters whose [`Counter::by`] are 0.
    ///
    /// A response time where no I/O ended is not 0, and a mean over replications must not count it as one.
    pub fn measured(mut self) -> Self {
        for row in &mut self.rows {
            for place in self.table.of_nothing(&row.figures) {
                row.figures[place] = Figure::UNKNOWN;
            }
        }
        self
    }
}

/// Defines a row type and its table from one text: fields that identify, columns made from them, counters.
///
/// A counter is a line: `pend_ms ["pend", "ms", Time] Measured Mean(io_per_s) "pending time per I/O" from "FCX108";` has
/// name, header, unit and digits ([`Digits`](crate::Digits)), how it comes about, how intervals become one
/// ([`OverIntervals`](crate::OverIntervals), in brackets by what), formula, and source.
macro_rules! totals {
    (
        $(#[$doc:meta])*
        struct $Row:ident of $table:literal: $rows:literal;
        identity { $($(#[$field_doc:meta])* $field:ident: $Type:ty,)* }
        keys { $($key:literal ($meaning:literal) = |$row:ident| $value:expr;)* }
        $(attributes { $($beside:literal ($told:literal) = |$other:ident| $has:expr;)* })?
        counters { $(
            $name:ident [$header:literal, $unit:literal, $digits:ident $(($places:literal))?]
                $how:ident $over:ident $(($($by:ident),+))? $formula:literal from $source:literal;
        )* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Row {
            $($(#[$field_doc])* pub $field: $Type,)*
            $(#[doc = concat!($formula, " [", $unit, "]; ", $source, ".")] pub $name: $crate::Figure,)*
        }

        impl $Row {
            /// How many counters a row has.
            pub const WIDTH: usize = [$($unit),*].len();

            /// The counters, in the order of [`Self::figures`].
            pub const COUNTERS: [$crate::Counter; Self::WIDTH] = [$($crate::Counter {
                name: stringify!($name),
                header: $header,
                unit: $unit,
                digits: $crate::Digits::$digits $(($places))?,
                how: $crate::How::$how,
                over_intervals: $crate::OverIntervals::$over,
                by: &[$($(stringify!($by)),+)?],
                formula: $formula,
                source: $source,
            }),*];

            /// The identifying columns, and those that say more of what they identify.
            pub const KEYS: &'static [$crate::KeyColumn] = &[
                $($crate::KeyColumn { name: $key, meaning: $meaning, identifies: true },)*
                $($($crate::KeyColumn { name: $beside, meaning: $told, identifies: false },)*)?
            ];

            /// A row that is identified and of which nothing is known yet.
            pub fn unknown($($field: $Type),*) -> Self {
                $Row { $($field,)* $($name: $crate::Figure::UNKNOWN,)* }
            }

            /// The same row with these values of its counters, in the order of [`Self::figures`].
            pub fn with(self, figures: [$crate::Figure; Self::WIDTH]) -> Self {
                let [$($name),*] = figures;
                $Row { $($field: self.$field,)* $($name),* }
            }

            /// The same row with the value that a function has for the name of each counter.
            pub fn filled<E>(self, value: impl Fn(&'static str) -> Result<$crate::Figure, E>) -> Result<Self, E> {
                Ok($Row { $($field: self.$field,)* $($name: value(stringify!($name))?),* })
            }

            /// The values of the counters.
            pub fn figures(&self) -> [$crate::Figure; Self::WIDTH] {
                [$(self.$name),*]
            }

            /// The row as reports print it: 0 where there was nothing to measure, and so no value.
            pub fn printed(self) -> Self {
                let mut figures = self.figures();
                for place in <Self as $crate::Totals>::TABLE.of_nothing(&figures) {
                    if !figures[place].is_known() {
                        figures[place] = $crate::Figure::ZERO;
                    }
                }
                self.with(figures)
            }
        }

        // A weight that is no counter of the table does not compile.
        const _: fn(&$Row) = |_row| { $($($(let _ = _row.$by;)+)?)* };

        impl $crate::Totals for $Row {
            const TABLE: $crate::Table =
                $crate::Table { name: $table, rows: $rows, keys: Self::KEYS, counters: &Self::COUNTERS };

            fn keys(&self) -> impl IntoIterator<Item = $crate::Key<'_>> {
                let keys: [$crate::Key<'_>; Self::KEYS.len()] = [
                    $({ let $row = self; $crate::Key::from($value) },)*
                    $($({ let $other = self; $crate::Key::from($has) },)*)?
                ];
                keys
            }

            fn figures(&self) -> impl IntoIterator<Item = $crate::Figure> + AsMut<[$crate::Figure]> {
                Self::figures(self)
            }
        }
    };
}

pub(crate) use totals;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MinidiskTotals;

    fn measured(io_per_s: f64, avoided_per_s: f64) -> Vec<Figure> {
        let mut row = MinidiskTotals::unknown("A".into(), "VOL001".into());
        (row.io_per_s, row.avoided_per_s) = (Figure::exact(io_per_s), Figure::exact(avoided_per_s));
        (row.queue_depth, row.wait_ms) = (Figure::ZERO, Figure::ZERO);
        TableRows::of(&[row]).measured().rows.remove(0).figures
    }

    fn known(figures: &[Figure], name: &str) -> bool {
        figures[MinidiskTotals::COUNTERS.iter().position(|counter| counter.name == name).unwrap()].is_known()
    }

    #[test]
    fn a_mean_of_nothing_has_no_value() {
        assert!(!known(&measured(0.0, 0.0), "wait_ms"));
        assert!(known(&measured(0.0, 0.0), "queue_depth"), "a mean over time has");
    }

    #[test]
    fn a_report_prints_a_mean_of_nothing_as_0() {
        let row = MinidiskTotals::unknown("A".into(), "VOL001".into());
        assert!(!row.clone().printed().wait_ms.is_known(), "what it is a mean of is not known");
        let idle = MinidiskTotals { io_per_s: Figure::ZERO, avoided_per_s: Figure::ZERO, ..row };
        assert_eq!(idle.printed().wait_ms, Figure::ZERO);
    }

    #[test]
    fn a_mean_of_two_kinds_of_events_has_a_value_where_there_are_some_of_either() {
        assert!(known(&measured(0.0, 1.0), "wait_ms"));
        assert!(known(&measured(1.0, 0.0), "wait_ms"));
    }
}
