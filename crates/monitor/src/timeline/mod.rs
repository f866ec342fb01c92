//! A stretch of simulated time for a picture: holders of exposures, guests on processors, states of virtual processors,
//! waits with their reasons, changes.
//!
//! A recorder is a probe like any other: the machine does the same with and without it.

mod control;
mod lane;
mod lanes;
mod listed;
mod names;
mod processors;
mod recorder;
mod serializing;
mod spinning;
mod state;
mod trace;
mod virtuals;
mod who;
mod why;

pub use lane::{Lane, LaneKind};
pub use recorder::Recorder;
pub use state::{State, WaitKind};
pub use trace::{Untraceable, Window, trace, trace_in_parts};

use units::Tod;

/// The events in a window of simulated time.  Names are those of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline<'a> {
    /// When the first interval starts, from which stated times count.
    pub origin: Tod,
    /// The start of the window.
    pub from: Tod,
    /// The end of the window.
    pub until: Tod,
    /// The lanes, in the order in which they are drawn.
    pub lanes: Vec<Lane>,
    /// The lane of each place of the recorder, by which parts name lanes.
    pub places: Vec<usize>,
    /// The holders of lanes, by lane and then by time; those of a lane do not overlap.
    pub spans: Vec<Occupation<'a>>,
    /// The waits, by time.
    pub waits: Vec<Wait<'a>>,
    /// Holders and waiters: "IO3390-BWPVS0 #2"; of virtual processors "LIGHT 7 VP 2".
    pub holders: Vec<String>,
    /// The changes, by time.
    pub changes: Vec<(Tod, String)>,
    /// The outcomes of yields by virtual processors that spin, by time.
    pub yields: Vec<Yield>,
}

/// A virtual processor that spins for a lock of its own yielded, or looked whether to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yield {
    /// When its outcome was known.
    pub at: Tod,
    /// Which, index into [`Timeline::lanes`].
    pub lane: usize,
    /// On which logical processor, index into [`Timeline::lanes`].
    pub on: usize,
    /// Its outcome.
    pub what: &'static str,
}

/// A lane that was occupied for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupation<'a> {
    /// Index into [`Timeline::lanes`].
    pub lane: usize,
    /// The holder, index into [`Timeline::holders`]; none for an exposure that is offline, or a processor without work.
    pub holder: Option<usize>,
    /// Since when, which may be before the window.
    pub from: Tod,
    /// The end; none when it lasts beyond the window.
    pub to: Option<Tod>,
    /// For what: the volume of the I/O, if there is one.
    pub what: &'a str,
    /// Where, index into [`Timeline::lanes`]: the logical processor that runs a virtual one, or has taken a lock.
    pub on: Option<usize>,
    /// In which state.
    pub state: State,
}

/// A wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait<'a> {
    /// The waiter, index into [`Timeline::holders`].
    pub holder: usize,
    /// Since when, which may be before the window.
    pub from: Tod,
    /// The end; none when it lasts beyond the window.
    pub to: Option<Tod>,
    /// The purpose.
    pub kind: WaitKind,
    /// Its subject, index into [`Timeline::lanes`]: the base exposure of a volume, the exposure whose interrupt is
    /// pending, or the undispatched processor.  Or the last one of the partition, the one in whose vector it waits, the
    /// virtual processor itself, the lock or the name.
    pub lane: usize,
    /// Where: a volume, a minidisk, a partition, a spin lock or a resource.
    pub place: &'a str,
    /// Why, in the words of the trade.
    pub why: String,
}
