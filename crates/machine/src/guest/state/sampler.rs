//! The measurement program of a partition: when its timer pops, and since when a sample is due.

use crate::guest::place::RunsIn;
use crate::ids::Requester;
use crate::plan::{SampleTaken, SamplerPlan};
use kernel::distribution::Sampler;
use kernel::draw::{Draw, Streams};
use units::{Span, Tod};

/// The measurement program of a partition.
#[derive(Clone, Debug)]
pub struct SamplerState {
    cycle: Span,
    jitter: Span,
    strays: Draw,
    /// When the next cycle begins; the pop strays from that.
    cycle_begins: Tod,
    /// Since when a sample is to be taken.
    pub(in crate::guest) due: Option<Tod>,
    pub(in crate::guest) task: Option<Task>,
}

/// A task that takes the samples.
#[derive(Clone, Debug)]
pub(in crate::guest) struct Task {
    pub(in crate::guest) requester: Requester,
    pub(in crate::guest) runs_in: RunsIn,
    pub(in crate::guest) takes: Sampler,
    pub(in crate::guest) draw: Draw,
}

impl SamplerState {
    /// `runs_in` says where its task runs, if a task takes the samples.
    pub(in crate::guest) fn new(
        plan: &SamplerPlan,
        (name, requester): (&str, Requester),
        runs_in: Option<RunsIn>,
        streams: &Streams,
    ) -> Self {
        let stream = |purpose: &str| streams.stream(&format!("partition/{name}/rmf/{purpose}"));
        let task = match (plan.taken, runs_in) {
            (SampleTaken::ByTask { takes, .. }, Some(runs_in)) => {
                Some(Task { requester, runs_in, takes: takes.sampler(), draw: stream("takes") })
            }
            (SampleTaken::ByTask { .. } | SampleTaken::AtTheTimer, _) => None,
        };
        SamplerState {
            cycle: plan.cycle,
            jitter: plan.jitter,
            strays: stream("jitter"),
            cycle_begins: Tod::START,
            due: None,
            task,
        }
    }

    /// When the timer pops next.
    pub(in crate::guest) fn next_pop(&mut self) -> Tod {
        self.cycle_begins = self.cycle_begins + self.cycle;
        if self.jitter.is_zero() {
            return self.cycle_begins;
        }
        self.cycle_begins + Span::from_units((self.strays.unit() * self.jitter.units() as f64) as u64)
    }
}
