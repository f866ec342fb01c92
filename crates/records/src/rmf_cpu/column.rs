//! The columns of the page that are read: their headings and their contents.

use crate::rmf::{Columned, Holds};

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The number of the logical processor, hexadecimal.
    Number,
    /// Its type.
    Type,
    /// Percent of the interval online.
    Online,
    /// Percent of the time online in which a physical processor was dispatched to it.
    LparBusy,
    /// Percent of the time online in which it was not in wait, as its operating system sees it.
    MvsBusy,
    /// Percent of the time online in which it was parked.
    Parked,
    /// Productivity of its core.
    Productivity,
    /// Utilisation of its core.
    Utilisation,
    /// Its part of a physical processor by the share of its partition.
    Share,
    /// HIGH, MED or LOW beside that, where HiperDispatch is on: its polarization.
    Polarization,
    /// I/O interrupts a second.
    Rate,
    /// Percent of them that a handler found by testing before it left.
    Tpi,
}

impl Column {
    /// Every column, in the order of the page.
    pub const ALL: [Column; 12] = [
        Column::Number,
        Column::Type,
        Column::Online,
        Column::LparBusy,
        Column::MvsBusy,
        Column::Parked,
        Column::Productivity,
        Column::Utilisation,
        Column::Share,
        Column::Polarization,
        Column::Rate,
        Column::Tpi,
    ];

    /// Its heading, the group before its own words: `TIME % LPAR BUSY`.
    pub const fn heading(self) -> &'static str {
        match self {
            Column::Number => "NUM",
            Column::Type => "TYPE",
            Column::Online => "TIME % ONLINE",
            Column::LparBusy => "TIME % LPAR BUSY",
            Column::MvsBusy => "TIME % MVS BUSY",
            Column::Parked => "TIME % PARKED",
            Column::Productivity => "MT % PROD",
            Column::Utilisation => "MT % UTIL",
            Column::Share => "LOG PROC SHARE %",
            Column::Polarization => "LOG PROC HIGH/MED/LOW",
            Column::Rate => "I/O INTERRUPTS RATE",
            Column::Tpi => "I/O INTERRUPTS % VIA TPI",
        }
    }
}

impl Columned for Column {
    const ALL: &'static [Column] = &Column::ALL;

    fn heading(self) -> &'static str {
        Column::heading(self)
    }

    fn group(self) -> &'static str {
        match self {
            Column::Number | Column::Type => "",
            Column::Online | Column::LparBusy | Column::MvsBusy | Column::Parked => "TIME %",
            Column::Productivity | Column::Utilisation => "MT %",
            Column::Share | Column::Polarization => "LOG PROC",
            Column::Rate | Column::Tpi => "I/O INTERRUPTS",
        }
    }

    fn holds(self) -> Holds {
        match self {
            Column::Number | Column::Type | Column::Polarization => Holds::Word,
            Column::Online
            | Column::LparBusy
            | Column::MvsBusy
            | Column::Parked
            | Column::Productivity
            | Column::Utilisation
            | Column::Share
            | Column::Rate
            | Column::Tpi => Holds::Number,
        }
    }

    fn allowed(self) -> &'static str {
        match (self, self.holds()) {
            (Column::Number, _) => "up to three hexadecimal digits",
            (_, Holds::Word) => "one word of ASCII",
            (_, Holds::Number | Holds::Clock) => "a number as 100.00, 87.17 or .07, or dashes",
        }
    }

    fn followed_by(self) -> Option<Column> {
        (self == Column::Share).then_some(Column::Polarization)
    }

    fn is_required(self) -> bool {
        match self {
            Column::Number | Column::LparBusy | Column::MvsBusy | Column::Rate | Column::Tpi => true,
            Column::Type
            | Column::Online
            | Column::Parked
            | Column::Productivity
            | Column::Utilisation
            | Column::Share
            | Column::Polarization => false,
        }
    }
}
