//! The columns of the page that are read: their headings and their contents.

use crate::rmf::{Columned, Holds};

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

    /// The contents of the column.
    const fn held(self) -> Holds {
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

    /// Whether a page without it has too little to be of use.
    const fn needed(self) -> bool {
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
}

impl Columned for Column {
    const ALL: &'static [Column] = &Column::ALL;

    fn heading(self) -> &'static str {
        Column::heading(self)
    }

    fn holds(self) -> Holds {
        self.held()
    }

    fn allowed(self) -> &'static str {
        match (self, self.held()) {
            (Column::Device, _) => "three to five hexadecimal digits",
            (_, Holds::Word) => "one word of ASCII",
            (_, Holds::Number | Holds::Clock) => "a number as 25.540, 1.38 or .384",
        }
    }

    fn is_required(self) -> bool {
        self.needed()
    }
}
