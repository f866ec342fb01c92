//! Notices about SMF intervals: gaps, overlaps, repetitions, parts that are missing.

use crate::binary::Clock;
use std::fmt;
use units::counted;

/// Something about the intervals of a file that their numbers do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Time between two intervals of a system of which there are no records.
    Gap {
        /// The system.
        system: String,
        /// The end of the interval before, and the start of the one after.
        at: [Clock; 2],
    },
    /// Two intervals of a system that cover the same time in part.
    Overlap {
        /// The system.
        system: String,
        /// The end of the interval before, and the start of the one after.
        at: [Clock; 2],
    },
    /// Sections that are in an interval twice; the second ones were ignored.
    Repeated {
        /// The system.
        system: String,
        /// The start of the interval.
        at: Clock,
        /// How many.
        rows: u64,
    },
    /// Logical processors that are no general ones; they are skipped.
    OtherProcessors {
        /// The system.
        system: String,
        /// The start of the interval.
        at: Clock,
        /// How many.
        processors: u64,
    },
    /// Devices that were varied, so that their data are invalid; they are skipped.
    Varied {
        /// The system.
        system: String,
        /// The start of the interval.
        at: Clock,
        /// How many.
        devices: u64,
    },
    /// A row that was omitted since it has an impossible number, or how many more were.
    Omitted(String),
    /// Requests of 87-2 that were made in no interval of RMF; they are in no row.
    Outside {
        /// The system.
        system: String,
        /// How many.
        requests: u64,
    },
    /// Releases of 87-2 whose ENQ is not in the file, or did not end with return code 0.
    Unpaired {
        /// How many.
        releases: u64,
        /// Releases that have an ENQ.
        pairs: u64,
    },
    /// A system of which 87-2 has fewer ENQs than 72-5 counts.
    Monitored {
        /// The system.
        system: String,
        /// The least share of them in an interval, percent.
        percent: u64,
    },
    /// Split records of which parts are missing; they are skipped.
    Incomplete {
        /// How many.
        records: usize,
    },
}

impl Notice {
    /// Notice of a gap between the end of an interval and the start of the next, in seconds; a negative one is an overlap.
    pub(super) fn between(system: &str, at: [Clock; 2], gap_s: f64, slack_s: f64) -> Option<Notice> {
        let system = system.to_string();
        if gap_s > slack_s {
            Some(Notice::Gap { system, at })
        } else if gap_s < -slack_s {
            Some(Notice::Overlap { system, at })
        } else {
            None
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Gap { system, at: [end, start] } => {
                write!(f, "{system} has no records from {end} to {start}")
            }
            Notice::Overlap { system, at: [end, start] } => {
                write!(f, "an interval of {system} starts at {start}, before the one before it ends at {end}")
            }
            Notice::Repeated { system, at, rows } => {
                let sections = counted(*rows, "section", "sections");
                let (are, second) = if *rows == 1 { ("is", "one was") } else { ("are", "ones were") };
                write!(f, "{sections} of {system} from {at} {are} in the file twice; the second {second} ignored")
            }
            Notice::OtherProcessors { system, at, processors } => {
                let other = counted(*processors, "logical processor", "logical processors");
                let were =
                    if *processors == 1 { "is no general one; it was" } else { "are no general ones; they were" };
                write!(f, "{other} that {system} reports from {at} {were} skipped")
            }
            Notice::Varied { system, at, devices } => {
                let (were, their) = if *devices == 1 { ("was", "its") } else { ("were", "their") };
                let varied = counted(*devices, "device", "devices");
                write!(
                    f,
                    "{varied} of {system} {were} varied in the interval from {at}; {their} data are invalid and were skipped"
                )
            }
            Notice::Omitted(what) => f.write_str(what),
            Notice::Outside { system, requests } => {
                let (lie, are) = if *requests == 1 { ("lies", "it is") } else { ("lie", "they are") };
                let outside = counted(*requests, "request", "requests");
                write!(f, "{outside} of ENQ and DEQ of {system} {lie} in no interval of RMF; {are} in no row")
            }
            Notice::Unpaired { releases, pairs } => write!(
                f,
                "{} no ENQ with return code 0 of the same task before; holds are known of {pairs}",
                counted(*releases, "DEQ has", "DEQs have")
            ),
            Notice::Monitored { system, percent } => write!(
                f,
                "87-2 has {percent} % or more of the ENQs that 72-5 counts for {system}; rates of the service are those of 72-5"
            ),
            Notice::Incomplete { records } => {
                let lack = counted(*records, "split record lacks parts; it was", "split records lack parts; they were");
                write!(f, "{lack} skipped")
            }
        }
    }
}
