//! A HyperPAV alias pool: free aliases, lent to any of its volumes for one I/O, the one free longest first.
//!
//! It leaves out counting tries, fails and water marks: each is a signal, and observers count.

use super::exposure::{ExposureState, Role};
use super::queue::Queue;
use crate::ids::{Exposure, Pool};
use crate::plan::{AliasPoolPlan, Redispatch};
use crate::signal::{Probe, Signal};
use std::collections::VecDeque;
use units::Tod;

/// A pool of aliases.
#[derive(Clone, Debug)]
pub struct AliasPool {
    number: Pool,
    /// ASSUME: the alias that has been free longest is lent first (the reports show all aliases of a pool about equally
    /// busy; the order cannot change any volume's response, only which alias is counted).
    free: VecDeque<Exposure>,
    /// How many aliases it has.
    pub aliases: u32,
    /// What a freed alias does next.
    pub redispatch: Redispatch,
    /// Who waits at any of its volumes, in order; kept only where the policy asks for it.
    pub queue: Queue,
}

impl AliasPool {
    /// As planned, all free; its aliases are added to the exposures.
    pub(super) fn new(number: usize, plan: &AliasPoolPlan, exposures: &mut Vec<ExposureState>) -> Self {
        let number = Pool(number as u32);
        let first = exposures.len();
        exposures.extend(plan.aliases.iter().map(|_| ExposureState::new(Role::Pool(number))));
        AliasPool {
            number,
            free: (first..exposures.len()).map(|alias| Exposure(alias as u32)).collect(),
            aliases: plan.aliases.len() as u32,
            redispatch: plan.redispatch,
            queue: Queue::default(),
        }
    }

    /// The control program goes to the pool for an alias: a try, and a fail when none is free (MRIODHPP, `IODHPP_HPPTRIES`
    /// and `IODHPP_HPPFAILS`).
    #[inline]
    pub(super) fn lend(&mut self, now: Tod, probe: &mut impl Probe) -> Option<Exposure> {
        probe.signal(now, Signal::AliasTried(self.number, self.free.len() as u32));
        self.free.pop_front()
    }

    /// An alias comes back.
    #[inline]
    pub(super) fn give_back(&mut self, alias: Exposure, now: Tod, probe: &mut impl Probe) {
        self.free.push_back(alias);
        probe.signal(now, Signal::AliasFreed(self.number, self.free.len() as u32));
    }

    /// How many aliases are free.
    pub fn free(&self) -> u32 {
        self.free.len() as u32
    }
}
