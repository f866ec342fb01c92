//! The form of a table of totals, and the one macro that makes a row type and its table of counters from a single text.
//!
//! It leaves out which tables there are: each has a file of its own.

use crate::{Counter, Figure, Key, KeyColumn};

/// A table of an interval: its name and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name: "volumes".
    pub name: &'static str,
    /// What a row is, in a sentence.
    pub rows: &'static str,
    /// The columns that say what a row is about, in the order of [`Totals::keys`].
    pub keys: &'static [KeyColumn],
    /// The counters, in the order of [`Totals::figures`].
    pub counters: &'static [Counter],
}

/// A row of a table.
pub trait Totals {
    /// The table that the row belongs to.
    const TABLE: Table;

    /// What stands in the columns that say what it is about.
    fn keys(&self) -> Vec<Key>;

    /// The values of the counters.
    fn figures(&self) -> Vec<Figure>;
}

/// A row whose type does not matter, for who turns every table into columns alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What stands in the identifying columns.
    pub keys: Vec<Key>,
    /// The values of the counters.
    pub figures: Vec<Figure>,
}

/// A table with its rows of one interval.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRows {
    /// The table.
    pub table: Table,
    /// Its rows, in the order of the interval.
    pub rows: Vec<Row>,
}

impl TableRows {
    /// The rows of one type as a table.
    pub fn of<T: Totals>(rows: &[T]) -> Self {
        let rows = rows.iter().map(|row| Row { keys: row.keys(), figures: row.figures() }).collect();
        TableRows { table: T::TABLE, rows }
    }
}

/// Defines a row type and its table from one text: fields that identify, columns made from them, counters.
///
/// A counter is a line: `pend_ms ["ms"] Measured Mean(io_per_s) "pending time per I/O" from "FCX108 DEVICE";` has name,
/// unit, how it comes about, how intervals become one ([`OverIntervals`](crate::OverIntervals), in brackets by what),
/// formula, and source.
macro_rules! totals {
    (
        $(#[$doc:meta])*
        struct $Row:ident of $table:literal: $rows:literal;
        identity { $($(#[$field_doc:meta])* $field:ident: $Type:ty,)* }
        keys { $($key:literal ($meaning:literal) = |$row:ident| $value:expr;)* }
        $(attributes { $($beside:literal ($told:literal) = |$other:ident| $has:expr;)* })?
        counters { $(
            $name:ident [$unit:literal] $how:ident $over:ident $(($($by:ident),+))? $formula:literal from $source:literal;
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
                unit: $unit,
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

            /// The values of the counters.
            pub fn figures(&self) -> [$crate::Figure; Self::WIDTH] {
                [$(self.$name),*]
            }
        }

        // A weight that is no counter of the table does not compile.
        const _: fn(&$Row) = |_row| { $($($(let _ = _row.$by;)+)?)* };

        impl $crate::Totals for $Row {
            const TABLE: $crate::Table =
                $crate::Table { name: $table, rows: $rows, keys: Self::KEYS, counters: &Self::COUNTERS };

            fn keys(&self) -> Vec<$crate::Key> {
                vec![
                    $({ let $row = self; $crate::Key::from($value) },)*
                    $($({ let $other = self; $crate::Key::from($has) },)*)?
                ]
            }

            fn figures(&self) -> Vec<$crate::Figure> {
                Self::figures(self).to_vec()
            }
        }
    };
}

pub(crate) use totals;
