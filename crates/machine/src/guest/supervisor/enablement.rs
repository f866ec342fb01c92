//! Selective enablement: how many logical processors of a partition are enabled for I/O interrupts.
//!
//! "When the percentage of interrupts processed by the I/O SLIH via TPI increases beyond a specified high threshold,
//! the SRM enables another processor for I/O interrupt processing. When this rate drops below a specified low
//! threshold, the SRM again disables the additional CPU": `CPENABLE(LO,HI)`; TPI % = 100 TPI / (SLIH + TPI).

use super::Supervisors;
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Logical, Partition};
use crate::plan::{CpEnablePlan, PartitionPlan};
use crate::signal::{Probe, Signal, Taken};
use units::{Span, Tod};

/// How the number of enabled processors follows the interrupts.
#[derive(Clone, Debug)]
pub(super) struct Enablement {
    cpenable: Option<CpEnablePlan>,
    /// How many are enabled.
    enabled: u32,
    /// Interrupts since the last look: those that interrupted work, and those that a handler found by testing.
    slih: u64,
    tpi: u64,
}

impl Enablement {
    pub(super) fn new(plan: &PartitionPlan) -> Self {
        Enablement { cpenable: plan.cpenable, enabled: plan.enabled_first(), slih: 0, tpi: 0 }
    }

    pub(super) fn count(&mut self, taken: Taken) {
        match taken {
            Taken::Slih => self.slih += 1,
            Taken::Tpi => self.tpi += 1,
        }
    }

    /// One more, one fewer, or as many as now.
    fn wanted(&self, cpenable: CpEnablePlan, processors: u32) -> u32 {
        let taken = self.slih + self.tpi;
        if taken == 0 {
            return self.enabled;
        }
        let share = self.tpi as f64 / taken as f64;
        if share > cpenable.high.fraction() {
            processors.min(self.enabled + 1)
        } else if share < cpenable.low.fraction() {
            1.max(self.enabled.saturating_sub(1))
        } else {
            self.enabled
        }
    }
}

impl Supervisors {
    /// When a partition looks at its interrupts again, if it does.
    pub fn looks_every(&self, partition: Partition) -> Option<Span> {
        self.partitions[partition.index()].enablement.cpenable.map(|cpenable| cpenable.every)
    }

    /// The resources manager looks at the interrupts since its last look and enables one more processor, or one fewer.
    pub fn adjust(&mut self, partition: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.partitions[partition.index()];
        let Some(cpenable) = state.enablement.cpenable else { unreachable!("there is no look without thresholds") };
        effects.at(Event::Enablement(partition), now + cpenable.every);
        let (first, count) = (state.logical.start, state.logical.len() as u32);
        let own = &self.logical[first as usize..][..count as usize];
        let online = own.iter().filter(|logical| logical.online).count() as u32;
        let enablement = &mut state.enablement;
        let (before, after) = (enablement.enabled, enablement.wanted(cpenable, online));
        (enablement.enabled, enablement.slih, enablement.tpi) = (after, 0, 0);
        if before == after {
            return;
        }
        probe.signal(now, Signal::Enabled(partition, after));
        for number in 0..count {
            self.logical[(first + number) as usize].enabled = number < after;
        }
        if after > before {
            self.takes_pending((Logical(first + before), Taken::Slih), now, effects, probe);
        }
    }
}
