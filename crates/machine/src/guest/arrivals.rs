//! Where the users of a program come from: they are always there, come by chance, alone or in batches, or were recorded.

use super::program::{Asked, Target};
use crate::io::Transfer;
use crate::plan::{Arrival, Batch, Record};
use kernel::distribution::{Distribution, Sampler};
use kernel::draw::{Draw, Streams};
use std::sync::Arc;
use units::{PerSecond, Span, Tod};

/// The arrivals of a group.
#[derive(Clone, Debug)]
pub enum Arrivals {
    /// No arrivals: a closed population.
    Closed,
    /// A Poisson process, of single users or of batches.
    Poisson {
        /// Between two arrivals.
        between: Sampler,
        /// Where that is drawn.
        times: Draw,
        /// How many come at once.
        batch: Batch,
        /// Where that is drawn.
        sizes: Draw,
        /// Of the batch that is coming in: how many more, each an event of its own at the same instant.
        more: u32,
    },
    /// Recorded I/Os.
    Replay {
        /// In the order of time.
        records: Arc<[Record]>,
        /// The next to come.
        next: usize,
        /// When the clock of the records started.
        origin: Tod,
    },
}

impl Arrivals {
    /// The arrivals of a guest of the plan.
    pub(super) fn new(arrival: &Arrival, guest: &str, streams: &Streams) -> Self {
        let stream = |purpose: &str| streams.stream(&format!("guest/{guest}/{purpose}"));
        match arrival {
            Arrival::Closed { .. } | Arrival::Spawned => Arrivals::Closed,
            Arrival::Open { rate, batch } => Arrivals::Poisson {
                between: between(*rate),
                times: stream("arrivals"),
                batch: *batch,
                sizes: stream("batches"),
                more: 0,
            },
            Arrival::Replay { records } => {
                Arrivals::Replay { records: Arc::clone(records), next: 0, origin: Tod::NEVER }
            }
        }
    }

    /// The first arrival, as far as chance decides it; a recording waits for its clock.
    pub(super) fn first(&mut self, now: Tod) -> Option<Tod> {
        match self {
            Arrivals::Poisson { between, times, .. } => Some(now + between.draw(times)),
            Arrivals::Closed | Arrivals::Replay { .. } => None,
        }
    }

    /// The clock of the records starts at this instant; the first of them comes then.
    pub(super) fn count_from(&mut self, start: Tod) -> Option<Tod> {
        match self {
            Arrivals::Replay { records, origin, .. } => {
                *origin = start;
                records.first().map(|record| start + record.at)
            }
            Arrivals::Closed | Arrivals::Poisson { .. } => None,
        }
    }

    /// An arrival: its recorded I/O, if there is one, and the time of the next.
    pub(super) fn come(&mut self, now: Tod) -> (Option<Asked>, Option<Tod>) {
        match self {
            Arrivals::Closed => unreachable!("a closed population has no arrivals"),
            Arrivals::Poisson { between, times, batch, sizes, more } => {
                if *more == 0 {
                    *more = size(*batch, sizes);
                }
                *more -= 1;
                (None, Some(if *more > 0 { now } else { now + between.draw(times) }))
            }
            Arrivals::Replay { records, next, origin } => {
                let Record { target, bytes, access, .. } = records[*next];
                *next += 1;
                let coming = records.get(*next).map(|record| *origin + record.at);
                (Some(Asked { target: Target::from(target), transfer: Transfer::new(access, bytes) }), coming)
            }
        }
    }
}

/// The time between arrivals of a Poisson process.
fn between(rate: PerSecond) -> Sampler {
    Distribution::Exponential { mean: Span::from_seconds(1.0 / rate.per_second()) }.sampler()
}

fn size(batch: Batch, draw: &mut Draw) -> u32 {
    match batch {
        Batch::Of(size) => size,
        Batch::Geometric { mean } => draw.geometric(mean),
    }
}
