//! The columns of the page that are read: their headings and their contents.

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The device number.
    Address,
    /// The device type, or `->` and the device number of the base of a classic alias.
    Type,
    /// The label of the volume; blank for a HyperPAV alias.
    Label,
    /// Minidisk links.
    Links,
    /// Channel paths.
    Paths,
    /// I/Os a second.
    Rate,
    /// I/Os a second that the minidisk cache avoided.
    Avoided,
    /// Pending time, ms.
    Pend,
    /// Disconnect time, ms.
    Disconnect,
    /// Connect time, ms.
    Connect,
    /// Service time, ms.
    Service,
    /// Response time, ms, as the toolkit computes it.
    Response,
    /// Control unit wait, ms.
    ControlUnitWait,
    /// Requests queued.
    Queued,
}

/// The contents of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Words, beginning where the heading begins.
    Text,
    /// A whole number, ending where the heading ends.
    Count,
    /// A number with or without decimals, ending where the heading ends.
    Number,
}

impl Column {
    /// Every column, in the order of the page.
    pub const ALL: [Column; 14] = [
        Column::Address,
        Column::Type,
        Column::Label,
        Column::Links,
        Column::Paths,
        Column::Rate,
        Column::Avoided,
        Column::Pend,
        Column::Disconnect,
        Column::Connect,
        Column::Service,
        Column::Response,
        Column::ControlUnitWait,
        Column::Queued,
    ];

    /// The word in the second heading line.
    pub const fn heading(self) -> &'static str {
        match self {
            Column::Address => "Addr",
            Column::Type => "Type",
            Column::Label => "Label/ID",
            Column::Links => "Links",
            Column::Paths => "ths",
            Column::Rate => "I/O",
            Column::Avoided => "Avoid",
            Column::Pend => "Pend",
            Column::Disconnect => "Disc",
            Column::Connect => "Conn",
            Column::Service => "Serv",
            Column::Response => "Resp",
            Column::ControlUnitWait => "CUWt",
            Column::Queued => "Qued",
        }
    }

    /// The word above that word in the first heading line; it separates two columns of one heading.
    pub(crate) const fn group(self) -> &'static str {
        match self {
            Column::Address | Column::Type | Column::Label => "Device",
            Column::Links => "Mdisk",
            Column::Paths => "Pa-",
            Column::Rate | Column::Avoided => "Rate",
            Column::Pend
            | Column::Disconnect
            | Column::Connect
            | Column::Service
            | Column::Response
            | Column::ControlUnitWait => "Time",
            Column::Queued => "Req.",
        }
    }

    /// The contents of the column.
    pub(crate) const fn holds(self) -> Holds {
        match self {
            Column::Address | Column::Type | Column::Label => Holds::Text,
            Column::Links | Column::Paths => Holds::Count,
            Column::Rate
            | Column::Avoided
            | Column::Pend
            | Column::Disconnect
            | Column::Connect
            | Column::Service
            | Column::Response
            | Column::ControlUnitWait
            | Column::Queued => Holds::Number,
        }
    }

    /// Whether a page without it has too little to be of use.
    pub(crate) const fn is_required(self) -> bool {
        match self {
            Column::Links | Column::Paths | Column::Avoided | Column::Response | Column::ControlUnitWait => false,
            Column::Address
            | Column::Type
            | Column::Label
            | Column::Rate
            | Column::Pend
            | Column::Disconnect
            | Column::Connect
            | Column::Service
            | Column::Queued => true,
        }
    }

    /// The column with this heading, whatever the case.
    pub fn named(heading: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.heading().eq_ignore_ascii_case(heading))
    }
}
