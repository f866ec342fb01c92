//! A minidisk: whose turn it is, and what of it is in storage.

use crate::ids::{Requester, Volume};
use crate::io::Access;
use crate::plan::MinidiskPlan;
use kernel::distribution::Sampler;
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use units::Span;

/// A minidisk.
#[derive(Clone, Debug)]
pub struct MinidiskState {
    pub(in crate::guest) volume: Volume,
    cache: Option<Cache>,
    /// Whose turn it is.
    pub(in crate::guest) user: Option<Requester>,
    pub(in crate::guest) waiting: VecDeque<Requester>,
}

/// What of a minidisk is in storage.
#[derive(Clone, Debug)]
struct Cache {
    read_hits: f64,
    hits: Draw,
    time: Sampler,
    times: Draw,
}

impl MinidiskState {
    pub(in crate::guest) fn new(plan: &MinidiskPlan, streams: &Streams) -> Self {
        let stream = |purpose: &str| streams.stream(&format!("minidisk/{}/{purpose}", plan.name));
        let cache = plan.cache.as_ref().map(|cache| Cache {
            read_hits: cache.read_hits.fraction(),
            hits: stream("hits"),
            time: cache.time.sampler(),
            times: stream("time"),
        });
        MinidiskState { volume: Volume(plan.volume as u32), cache, user: None, waiting: VecDeque::new() }
    }

    /// How long an I/O takes that the cache avoids; none when it does not.
    pub(in crate::guest) fn avoids(&mut self, access: Access) -> Option<Span> {
        let cache = self.cache.as_mut().filter(|_| access == Access::Read)?;
        (cache.hits.unit() < cache.read_hits).then(|| cache.time.draw(&mut cache.times))
    }
}
