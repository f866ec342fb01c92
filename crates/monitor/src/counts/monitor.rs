//! The monitor: takes every signal of the machine and counts.

use super::channel::ChannelCounts;
use super::control_program::ControlCounts;
use super::enqueue::EnqueueCounts;
use super::front_end::FrontEndCounts;
use super::guest::GroupCounts;
use super::level::{level, set};
use super::minidisk::MinidiskCounts;
use super::partition::PartitionCounts;
use super::pool::PoolCounts;
use super::processor::{LogicalCounts, PhysicalCounts};
use super::resource::ResourceCounts;
use super::serialization::ServiceCounts;
use super::spin_lock::SpinLockCounts;
use super::thread::ThreadCounts;
use super::thread_lock::ThreadLockCounts;
use super::volume::{ServiceSums, VolumeCounts};
use kernel::statistics::TimeAverage;
use machine::channel::Channel;
use machine::ids::{Exposure, FrontEnd, Logical, LparGroup, Partition, Physical, Resource, SpinLock, ThreadLock};
use machine::io::{Access, Io};
use machine::plan::Plan;
use machine::signal::{Carriage, Locking, Phase, Probe, Sample, Serializing, Service, Signal, Use, Waited};
use std::ops::Range;
use units::Tod;

/// Counts of the current interval.
#[derive(Clone, Debug)]
pub struct Monitor {
    pub(crate) volumes: Vec<VolumeCounts>,
    pub(crate) exposures: Vec<ServiceSums>,
    pub(crate) pools: Vec<PoolCounts>,
    pub(crate) channels: Vec<ChannelCounts>,
    /// Paths online, per control unit.
    pub(crate) paths: Vec<TimeAverage>,
    pub(crate) minidisks: Vec<MinidiskCounts>,
    pub(crate) resources: Vec<ResourceCounts>,
    pub(crate) enqueues: Vec<EnqueueCounts>,
    /// The service of ENQ and DEQ, per partition.
    pub(crate) services: Vec<ServiceCounts>,
    pub(crate) front_ends: Vec<FrontEndCounts>,
    pub(crate) partitions: Vec<PartitionCounts>,
    /// Whether the cap of each group of partitions keeps a member waiting.
    pub(crate) lpar_groups: Vec<TimeAverage>,
    pub(crate) logical: Vec<LogicalCounts>,
    /// Whether each logical processor is online.
    pub(crate) online: Vec<TimeAverage>,
    pub(crate) physical: Vec<PhysicalCounts>,
    /// How long physical processors switched to each logical one.
    pub(crate) switched_to: Vec<u128>,
    pub(crate) control: ControlCounts,
    pub(crate) spin_locks: SpinLockCounts,
    pub(crate) thread_locks: Vec<ThreadLockCounts>,
    pub(crate) threads: ThreadCounts,
    /// The partition of each logical processor.
    pub(crate) owner: Vec<usize>,
    /// Guests, then front ends and the measurement programs of partitions.
    pub(crate) groups: Vec<GroupCounts>,
    pub(crate) samples: u64,
    bases: u32,
    /// The volume of each minidisk.
    lies_on: Vec<usize>,
    /// The partition of each volume.
    belongs_to: Vec<Option<usize>>,
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
            let all = level(plan.aliases.len() as u32);
            PoolCounts { online: all, free: all, ..PoolCounts::default() }
        };
        let partition = |plan: &machine::plan::PartitionPlan| PartitionCounts {
            enabled: level(plan.enabled_first()),
            ..PartitionCounts::default()
        };
        let online = |plan: &machine::plan::PartitionPlan| {
            let first = plan.online_first();
            (0..plan.logical).map(move |number| level(u32::from(number < first)))
        };
        let own = plan.partitions.iter().enumerate();
        let owner: Vec<usize> =
            own.flat_map(|(number, own)| std::iter::repeat_n(number, own.logical as usize)).collect();
        Monitor {
            volumes: vec![VolumeCounts::default(); plan.volumes.len()],
            exposures: vec![ServiceSums::default(); exposures],
            pools: plan.alias_pools.iter().map(pool).collect(),
            channels: vec![ChannelCounts::default(); plan.channels.len()],
            paths: plan.control_units.iter().map(|unit| level(unit.paths)).collect(),
            partitions: plan.partitions.iter().map(partition).collect(),
            lpar_groups: vec![TimeAverage::default(); plan.lpar_groups.len()],
            logical: vec![LogicalCounts::default(); owner.len()],
            online: plan.partitions.iter().flat_map(online).collect(),
            physical: vec![
                PhysicalCounts::new(plan.partitions.len());
                plan.cec.as_ref().map_or(0, |c| c.processors as usize)
            ],
            switched_to: vec![0; owner.len()],
            control: ControlCounts::new(plan),
            spin_locks: SpinLockCounts::new(plan),
            thread_locks: vec![ThreadLockCounts::default(); plan.thread_locks.len()],
            threads: ThreadCounts::new(plan),
            owner,
            minidisks: vec![MinidiskCounts::default(); plan.minidisks.len()],
            resources: vec![ResourceCounts::default(); plan.resources.len()],
            enqueues: plan.enqueues.iter().map(|enqueue| EnqueueCounts::new(plan, enqueue)).collect(),
            services: vec![ServiceCounts::default(); plan.partitions.len()],
            front_ends: vec![FrontEndCounts::default(); plan.front_ends.len()],
            groups: vec![GroupCounts::default(); plan.groups()],
            samples: 0,
            bases: plan.volumes.len() as u32,
            lies_on: plan.minidisks.iter().map(|minidisk| minidisk.volume).collect(),
            belongs_to: plan.volumes.iter().map(|volume| volume.partition).collect(),
        }
    }

    /// The logical processors of a partition, by number.
    pub(crate) fn logical_of(&self, partition: usize) -> Range<usize> {
        let from = self.owner.partition_point(|owner| *owner < partition);
        from..self.owner.partition_point(|owner| *owner <= partition)
    }

    fn carries(&mut self, physical: Physical, phase: Phase, now: Tod) {
        self.physical[physical.index()].carries(now, phase, &self.owner, &mut self.switched_to);
    }

    /// Looks at the queues, as the control program does from time to time.
    pub fn sample(&mut self, channel: &Channel) {
        self.samples += 1;
        for (counts, volume) in self.volumes.iter_mut().zip(&channel.volumes) {
            counts.sampled += u64::from(volume.queued);
        }
        self.control.sample();
    }

    /// Starts an interval.
    pub fn reset(&mut self, now: Tod) {
        self.samples = 0;
        self.volumes.iter_mut().for_each(|volume| volume.reset(now));
        self.exposures.fill(ServiceSums::default());
        self.pools.iter_mut().for_each(|pool| pool.reset(now));
        self.channels.iter_mut().for_each(|channel| channel.reset(now));
        self.paths.iter_mut().for_each(|paths| paths.reset(now));
        self.partitions.iter_mut().for_each(|partition| partition.reset(now));
        self.lpar_groups.iter_mut().for_each(|group| group.reset(now));
        self.logical.iter_mut().for_each(|logical| logical.reset(now));
        self.online.iter_mut().for_each(|online| online.reset(now));
        for physical in &mut self.physical {
            physical.reset(now);
        }
        self.switched_to.fill(0);
        self.control.reset(now);
        self.spin_locks.reset(now);
        self.thread_locks.iter_mut().for_each(|lock| lock.reset(now));
        self.threads.reset(now);
        self.minidisks.iter_mut().for_each(|minidisk| minidisk.reset(now));
        self.resources.iter_mut().for_each(|resource| resource.reset(now));
        self.enqueues.iter_mut().for_each(|enqueue| enqueue.reset(now));
        self.services.iter_mut().for_each(|service| service.reset(now));
        self.front_ends.iter_mut().for_each(|front_end| front_end.reset(now));
        self.groups.iter_mut().for_each(|group| group.reset(now));
    }
}

impl Probe for Monitor {
    // Always inlined: each transition knows its signal, so that the match is decided when it is compiled.
    #[inline(always)]
    fn signal(&mut self, now: Tod, signal: Signal) {
        match signal {
            Signal::Queued(volume, _) => self.volumes[volume.index()].queue.change(now, 1),
            Signal::Started(io, _, _, waited) => {
                let counts = &mut self.volumes[io.volume.index()];
                counts.in_service.change(now, 1);
                if waited == Waited::InQueue {
                    counts.queue.change(now, -1);
                }
            }
            Signal::Ended(io, exposure, service) => self.ended((io, exposure), &service, now),
            Signal::Responded(group, volume, span) => {
                self.volumes[volume.index()].responded(span);
                self.groups[group.index()].response.add(span);
            }
            Signal::AliasTried(pool, free) => self.pools[pool.index()].tried(now, free),
            Signal::AliasFreed(pool, _) => self.pools[pool.index()].free.change(now, 1),
            Signal::PoolVaried(pool, online, free) => self.pools[pool.index()].varied(now, online, free),
            Signal::Channel(channel, what) => self.channels[channel.index()].signal(now, what),
            Signal::PathsVaried(paths, online) => set(&mut self.paths[paths.index()], now, online),
            Signal::Reserved(volume) => set(&mut self.volumes[volume.index()].reserved, now, 1),
            Signal::Released(volume) => set(&mut self.volumes[volume.index()].reserved, now, 0),
            // Counted elsewhere: holds in the service of I/Os, names in queues, and what a partition gets for its promise.
            Signal::Held(..) | Signal::LetGo(..) | Signal::BoundVaried(..) | Signal::Ready(..) => {}
            Signal::AwaitsName(_) | Signal::PartitionVaried(..) => {}
            Signal::Configured(logical, online) => self.configured(logical, online, now),
            Signal::GroupCapped(group, capped) => self.group_capped(group, capped, now),
            Signal::Control(control) => self.control.signal(now, control, &mut self.logical),
            Signal::Threading(group, what) => self.threads.signal(now, group, what),
            Signal::TurnAwaited(minidisk, _) => self.minidisks[minidisk.index()].queue.change(now, 1),
            Signal::TurnTaken(group, minidisk, _, span) => {
                let counts = &mut self.minidisks[minidisk.index()];
                counts.queue.change(now, -1);
                counts.turns.add(span);
                self.groups[group.index()].turn.add(span);
            }
            Signal::Avoided(group, minidisk, span) => {
                self.minidisks[minidisk.index()].avoided.add(span);
                self.groups[group.index()].avoided.add(span);
                self.volumes[self.lies_on[minidisk.index()]].avoided += 1;
            }
            Signal::ThroughMinidisk(minidisk, span) => self.minidisks[minidisk.index()].through.add(span),
            Signal::Carries(physical, phase) => self.carries(physical, phase, now),
            Signal::Stands(logical, standing, _) => self.logical[logical.index()].stands(now, standing),
            Signal::Taken(logical, taken) => self.logical[logical.index()].taken(taken),
            Signal::Sample(partition, sample) => self.sample_inside(partition, sample),
            Signal::Resource(resource, what) => self.count_use(resource, what, now),
            Signal::SpinLock(lock, what) => self.count_spin_lock(lock, what, now),
            Signal::ThreadLock(lock, what) => self.count_thread_lock(lock, what, now),
            Signal::Serialization(what) => self.count_serializing(what, now),
            Signal::Enqueued(group, span) => self.groups[group.index()].resource.add(span),
            Signal::Message(front_end, what) => self.count_message(front_end, what, now),
            Signal::Enabled(partition, count) => set(&mut self.partitions[partition.index()].enabled, now, count),
            Signal::InterruptPending(volume, _) => self.volumes[volume.index()].uncleared.change(now, 1),
            Signal::Cleared(volume, _, span) => self.volumes[volume.index()].cleared(now, span),
            Signal::Joined(group, _) => self.groups[group.index()].present.change(now, 1),
            Signal::Left(group, _) => self.groups[group.index()].present.change(now, -1),
            Signal::Thought(group, span) => self.groups[group.index()].think.add(span),
            Signal::Computed(group, span) => self.groups[group.index()].compute.add(span),
            Signal::Exchanged(group, span) => self.groups[group.index()].exchange.add(span),
            Signal::Cycled(group, span) => self.groups[group.index()].cycles.add(span),
        }
    }
}

impl Monitor {
    #[inline(always)]
    fn ended(&mut self, (io, exposure): (Io, Exposure), service: &Service, now: Tod) {
        let counts = &mut self.volumes[io.volume.index()];
        counts.in_service.change(now, -1);
        counts.service.add(service);
        counts.base += u64::from(exposure.0 < self.bases);
        counts.writes += u64::from(io.transfer.access() == Access::Write);
        counts.bytes += u64::from(io.transfer.bytes());
        self.exposures[exposure.index()].add(service);
    }

    fn configured(&mut self, logical: Logical, online: bool, now: Tod) {
        set(&mut self.online[logical.index()], now, u32::from(online));
    }

    fn group_capped(&mut self, group: LparGroup, capped: bool, now: Tod) {
        set(&mut self.lpar_groups[group.index()], now, u32::from(capped));
    }

    /// The measurement program of a partition looks at the queues of its volumes, or did not get to it.
    fn sample_inside(&mut self, partition: Partition, sample: Sample) {
        let own = &mut self.partitions[partition.index()];
        match sample {
            Sample::Lost => return own.lost += 1,
            Sample::Taken(delay) => own.samples.add(delay),
        }
        for (counts, owner) in self.volumes.iter_mut().zip(&self.belongs_to) {
            if *owner == Some(partition.index()) {
                counts.sampled_inside += u64::from(counts.queue.level());
            }
        }
    }

    fn count_use(&mut self, resource: Resource, what: Use, now: Tod) {
        let counts = &mut self.resources[resource.index()];
        match what {
            Use::Awaited(_) => counts.queue.change(now, 1),
            Use::Taken(group, _, waited) => {
                counts.taken(now, waited);
                waited.into_iter().for_each(|span| self.groups[group.index()].resource.add(span));
            }
            Use::Given(_, span) => counts.given(now, span),
        }
    }

    #[inline]
    fn count_spin_lock(&mut self, lock: SpinLock, what: Use, now: Tod) {
        self.spin_locks.signal(now, lock, what);
        if let Use::Taken(group, _, Some(waited)) = what {
            self.groups[group.index()].spin.add(waited);
        }
    }

    #[inline(never)]
    fn count_thread_lock(&mut self, lock: ThreadLock, what: Locking, now: Tod) {
        self.thread_locks[lock.index()].signal(now, what);
        if let Locking::Used(Use::Taken(group, _, Some(waited))) = what {
            self.groups[group.index()].spin.add(waited);
        }
    }

    #[inline(never)]
    fn count_serializing(&mut self, what: Serializing, now: Tod) {
        match what {
            Serializing::Queue(enqueue, queue, what) => self.enqueues[enqueue.index()].signal(now, queue, what),
            Serializing::Called(system, ..)
            | Serializing::Added(system, _)
            | Serializing::Spent(system, ..)
            | Serializing::Exits(system, _)
            | Serializing::Removed(system, _)
            | Serializing::Delayed(system, _)
            | Serializing::Over(system, ..)
            | Serializing::Lost(system, ..)
            | Serializing::Lock(system, _) => self.services[system.index()].signal(now, what),
        }
    }

    fn count_message(&mut self, front_end: FrontEnd, what: Carriage, now: Tod) {
        let counts = &mut self.front_ends[front_end.index()];
        match what {
            Carriage::Queued(way, _) => counts.queues[way.index()].change(now, 1),
            Carriage::Started(way, span) => counts.taken(way, now, span),
            Carriage::Through(group, _, span) => self.groups[group.index()].message.add(span),
        }
    }
}
