//! The columns of the page that are read: what stands over each, and what stands in it.
//!
//! It leaves out where they are; the header of each page says that.

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The storage group of the volume.
    StorageGroup,
    /// The device number.
    Device,
    /// The device type.
    Type,
    /// How many cylinders the volume has.
    Cylinders,
    /// The volume serial.
    Volume,
    /// How many exposures the volume has; with `H` the mean number of a HyperPAV base and its aliases.
    Exposures,
    /// The logical control unit.
    ControlUnit,
    /// I/Os a second, on whichever exposure.
    Rate,
    /// Response time, ms: the sum of IOSQ, PEND, DISC and CONN.
    Response,
    /// Time queued in the operating system, ms.
    Iosq,
    /// Part of the pending time until the first command was accepted, ms.
    CommandResponse,
    /// Part of the pending time in which the device was busy for another system, ms.
    DeviceBusy,
    /// Delay of the interrupt, ms.
    Interrupt,
    /// Pending time, ms.
    Pend,
    /// Disconnect time, ms.
    Disconnect,
    /// Connect time, ms.
    Connect,
    /// Percent of the interval connected.
    PercentConnected,
    /// Percent of the interval in use.
    PercentUsed,
    /// Percent of the interval reserved.
    PercentReserved,
    /// How many data sets were allocated on the average.
    Allocated,
    /// Percent of the interval with any allocated.
    PercentAllocated,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A word.
    Word,
    /// A number with or without decimals.
    Number,
}

impl Column {
    /// Every column, in the order of the page.
    pub const ALL: [Column; 21] = [
        Column::StorageGroup,
        Column::Device,
        Column::Type,
        Column::Cylinders,
        Column::Volume,
        Column::Exposures,
        Column::ControlUnit,
        Column::Rate,
        Column::Response,
        Column::Iosq,
        Column::CommandResponse,
        Column::DeviceBusy,
        Column::Interrupt,
        Column::Pend,
        Column::Disconnect,
        Column::Connect,
        Column::PercentConnected,
        Column::PercentUsed,
        Column::PercentReserved,
        Column::Allocated,
        Column::PercentAllocated,
    ];

    /// Its heading, from the top line of the header to the lowest: `AVG IOSQ TIME`.
    pub const fn heading(self) -> &'static str {
        match self {
            Column::StorageGroup => "STORAGE GROUP",
            Column::Device => "DEV NUM",
            Column::Type => "DEVICE TYPE",
            Column::Cylinders => "NUMBER OF CYL",
            Column::Volume => "VOLUME SERIAL",
            Column::Exposures => "PAV",
            Column::ControlUnit => "LCU",
            Column::Rate => "DEVICE ACTIVITY RATE",
            Column::Response => "AVG RESP TIME",
            Column::Iosq => "AVG IOSQ TIME",
            Column::CommandResponse => "AVG CMR DLY",
            Column::DeviceBusy => "AVG DB DLY",
            Column::Interrupt => "AVG INT DLY",
            Column::Pend => "AVG PEND TIME",
            Column::Disconnect => "AVG DISC TIME",
            Column::Connect => "AVG CONN TIME",
            Column::PercentConnected => "% DEV CONN",
            Column::PercentUsed => "% DEV UTIL",
            Column::PercentReserved => "% DEV RESV",
            Column::Allocated => "AVG NMBR ALLOC",
            Column::PercentAllocated => "% ANY ALLOC",
        }
    }

    /// What the column holds.
    pub(crate) const fn holds(self) -> Holds {
        match self {
            Column::StorageGroup
            | Column::Device
            | Column::Type
            | Column::Volume
            | Column::Exposures
            | Column::ControlUnit => Holds::Word,
            Column::Cylinders
            | Column::Rate
            | Column::Response
            | Column::Iosq
            | Column::CommandResponse
            | Column::DeviceBusy
            | Column::Interrupt
            | Column::Pend
            | Column::Disconnect
            | Column::Connect
            | Column::PercentConnected
            | Column::PercentUsed
            | Column::PercentReserved
            | Column::Allocated
            | Column::PercentAllocated => Holds::Number,
        }
    }

    /// What a field of the column may hold, in words.
    pub(crate) const fn allowed(self) -> &'static str {
        match (self, self.holds()) {
            (Column::Device, _) => "three to five hexadecimal digits",
            (_, Holds::Word) => "one word of ASCII",
            (_, Holds::Number) => "a number as 25.540, 1.38 or .384",
        }
    }

    /// Whether a page without it tells too little to be of use.
    pub(crate) const fn is_required(self) -> bool {
        match self {
            Column::Device | Column::Rate | Column::Iosq | Column::Pend | Column::Disconnect | Column::Connect => true,
            Column::StorageGroup
            | Column::Type
            | Column::Cylinders
            | Column::Volume
            | Column::Exposures
            | Column::ControlUnit
            | Column::Response
            | Column::CommandResponse
            | Column::DeviceBusy
            | Column::Interrupt
            | Column::PercentConnected
            | Column::PercentUsed
            | Column::PercentReserved
            | Column::Allocated
            | Column::PercentAllocated => false,
        }
    }

    /// The column with this heading, whatever the case.
    pub fn named(heading: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.heading().eq_ignore_ascii_case(heading))
    }
}

/// The headings that a page must have.
pub(crate) fn required() -> impl Iterator<Item = &'static str> {
    Column::ALL.into_iter().filter(|column| column.is_required()).map(Column::heading)
}
