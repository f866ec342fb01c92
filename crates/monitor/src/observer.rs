//! The monitor: takes every signal of the machine and counts.
//!
//! It leaves out what the counts mean; totals are made of them at the end of each interval.

use crate::counts::{GroupCounts, PoolCounts, ServiceSums, VolumeCounts};
use machine::channel::Channel;
use machine::plan::Plan;
use machine::signal::{Probe, Signal, Waited};
use units::Tod;

/// Counts of the current interval.
#[derive(Clone, Debug)]
pub struct Monitor {
    pub(crate) volumes: Vec<VolumeCounts>,
    pub(crate) exposures: Vec<ServiceSums>,
    pub(crate) pools: Vec<PoolCounts>,
    pub(crate) groups: Vec<GroupCounts>,
    pub(crate) samples: u64,
    bases: u32,
}

impl Monitor {
    /// A monitor for the machine of a plan, at the start of simulated time.
    pub fn new(plan: &Plan) -> Self {
        let bound = |volume: &machine::plan::VolumePlan| match &volume.aliasing {
            machine::plan::Aliasing::Pav { aliases, .. } => aliases.len(),
            machine::plan::Aliasing::None | machine::plan::Aliasing::HyperPav { .. } => 0,
        };
        let lent: usize = plan.alias_pools.iter().map(|pool| pool.aliases.len()).sum();
        let exposures = plan.volumes.len() + plan.volumes.iter().map(bound).sum::<usize>() + lent;
        let pool = |plan: &machine::plan::AliasPoolPlan| {
            let mut counts = PoolCounts::default();
            counts.free.change(Tod::START, plan.aliases.len() as i32);
            counts
        };
        Monitor {
            volumes: vec![VolumeCounts::default(); plan.volumes.len()],
            exposures: vec![ServiceSums::default(); exposures],
            pools: plan.alias_pools.iter().map(pool).collect(),
            groups: vec![GroupCounts::default(); plan.guests.len()],
            samples: 0,
            bases: plan.volumes.len() as u32,
        }
    }

    /// Looks at the queues, as the control program does from time to time.
    pub fn sample(&mut self, channel: &Channel) {
        self.samples += 1;
        for (counts, volume) in self.volumes.iter_mut().zip(&channel.volumes) {
            counts.sampled += u64::from(volume.queue.len);
        }
    }

    /// Starts an interval.
    pub fn reset(&mut self, now: Tod) {
        self.samples = 0;
        self.volumes.iter_mut().for_each(|volume| volume.reset(now));
        self.exposures.fill(ServiceSums::default());
        self.pools.iter_mut().for_each(|pool| pool.reset(now));
        self.groups.iter_mut().for_each(|group| group.reset(now));
    }
}

impl Probe for Monitor {
    // Always inlined: each transition knows its signal, so that the match is decided when it is compiled.
    #[inline(always)]
    fn signal(&mut self, now: Tod, signal: Signal) {
        match signal {
            Signal::Queued(volume, _) => self.volumes[volume.index()].queue.change(now, 1),
            Signal::Started(volume, _, _, waited) => {
                let counts = &mut self.volumes[volume.index()];
                counts.in_service.change(now, 1);
                if waited == Waited::InQueue {
                    counts.queue.change(now, -1);
                }
            }
            Signal::Ended(volume, exposure, service) => {
                let counts = &mut self.volumes[volume.index()];
                counts.in_service.change(now, -1);
                counts.service.add(&service);
                counts.base += u64::from(exposure.0 < self.bases);
                self.exposures[exposure.index()].add(&service);
            }
            Signal::Responded(group, volume, span) => {
                let counts = &mut self.volumes[volume.index()];
                counts.response.add(span);
                counts.responses.add(span);
                self.groups[group.index()].response.add(span);
            }
            Signal::AliasTried(pool, free) => self.pools[pool.index()].tried(now, free),
            Signal::AliasFreed(pool, _) => self.pools[pool.index()].free.change(now, 1),
            Signal::Joined(group) => self.groups[group.index()].present.change(now, 1),
            Signal::Left(group) => self.groups[group.index()].present.change(now, -1),
            Signal::Thought(group, span) => self.groups[group.index()].think.add(span),
            Signal::Computed(group, span) => self.groups[group.index()].compute.add(span),
            Signal::Cycled(group) => self.groups[group.index()].cycles += 1,
        }
    }
}

impl PoolCounts {
    #[inline]
    fn tried(&mut self, now: Tod, free: u32) {
        self.tries += 1;
        if free == 0 {
            self.fails += 1;
        } else {
            self.free.change(now, -1);
        }
        self.water = Some(self.water.map_or((free, free), |(low, high)| (low.min(free), high.max(free))));
    }
}
