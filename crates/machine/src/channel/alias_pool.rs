//! A HyperPAV alias pool: free aliases, lent to any of its volumes for one I/O, the one free longest first.

use super::exposure::{ExposureState, Role};
use crate::ids::{Exposure, Pool};
use crate::plan::{AliasPoolPlan, Redispatch};
use crate::signal::{Probe, Signal};
use std::collections::VecDeque;
use units::Tod;

/// A pool of aliases.
#[derive(Clone, Debug)]
pub struct AliasPool {
    number: Pool,
    /// ASSUME: the alias that has been free longest is used first.  The reports show all aliases of a pool about
    /// equally busy; the order cannot change any volume's response, only which alias is counted.
    free: VecDeque<Exposure>,
    /// Its first alias among the exposures.
    first: u32,
    /// How many it has.
    aliases: u32,
    /// The first exposure past its aliases that are online.
    end: u32,
    /// The next work of a freed alias.
    pub redispatch: Redispatch,
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
            first: first as u32,
            aliases: plan.aliases.len() as u32,
            end: exposures.len() as u32,
            redispatch: plan.redispatch,
        }
    }

    /// The control program goes to the pool for an alias: a try, and a fail when none is free (MRIODHPP,
    /// `IODHPP_HPPTRIES` and `IODHPP_HPPFAILS`).
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

    /// All its aliases.
    pub(super) fn aliases(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.aliases
    }

    /// Whether one of its aliases is online; one that is not goes nowhere when its I/O ends.
    #[inline(always)]
    pub(super) fn has_online(&self, alias: Exposure) -> bool {
        alias.0 < self.end
    }

    /// From now on its first aliases are online, this many: free ones beyond them leave.  Those that come online, idle
    /// or still busy, are named.
    pub(super) fn vary(&mut self, online: u32) -> std::ops::Range<u32> {
        let before = std::mem::replace(&mut self.end, self.first + online);
        self.free.retain(|alias| alias.0 < self.first + online);
        before..self.end.max(before)
    }

    /// How many aliases are online.
    pub fn online(&self) -> u32 {
        self.end - self.first
    }

    /// How many aliases are free.
    pub fn free(&self) -> u32 {
        self.free.len() as u32
    }

    /// An alias that came online has nothing to do.
    pub(super) fn welcome(&mut self, alias: Exposure) {
        self.free.push_back(alias);
    }
}
