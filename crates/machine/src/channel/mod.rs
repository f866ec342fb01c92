//! The channel side of I/O: volumes with their base and alias exposures, alias pools, queues at the bases, path groups.
//!
//! A request takes the free base, else a free alias, else queues *at the base*; nothing queues at an alias (z/VM
//! HyperPAV Support, "DASD Tuning via Classic PAV").

pub mod alias_pool;
pub mod channel_path;
pub mod exposure;
mod holding;
pub mod paths;
pub mod redispatch;
pub mod reserve;
mod shared_lane;
mod start;
pub mod token_slices;
pub mod vary;
pub mod volume;
pub mod waiting;

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Partition, Paths, Requester, Volume};
use crate::io::Io;
use crate::plan::Plan;
use crate::signal::{Probe, Signal, Waited};
use alias_pool::AliasPool;
use channel_path::ChannelPaths;
use exposure::{ExposureState, Phase, Role};
use kernel::draw::Streams;
use paths::PathGroup;
use units::{Span, Tod};
use volume::{Aliases, VolumeState};
use waiting::{Queue, Waiting};

/// Everything between a guest's I/O request and its end.
#[derive(Debug)]
pub struct Channel {
    /// Volumes, as in the plan.
    pub volumes: Vec<VolumeState>,
    /// Bases in the order of the volumes, then bound aliases, then the aliases of the pools.
    pub exposures: Vec<ExposureState>,
    /// Alias pools, as in the plan.
    pub pools: Vec<AliasPool>,
    /// Path groups, as in the plan.
    pub paths: Vec<PathGroup>,
    /// Channel paths, as in the plan.
    pub channel_paths: ChannelPaths,
    /// The queues.
    pub waiting: Waiting,
}

impl Channel {
    /// The channel side of a plan, idle.
    pub fn new(plan: &Plan, streams: &Streams) -> Self {
        let mut exposures: Vec<ExposureState> =
            (0..plan.volumes.len()).map(|volume| ExposureState::new(Role::Base(Volume(volume as u32)))).collect();
        let volumes = plan
            .volumes
            .iter()
            .enumerate()
            .map(|(number, volume)| {
                let aliases = Aliases::new(&volume.aliasing, Volume(number as u32), &mut exposures);
                VolumeState::new(volume, aliases, plan, streams)
            })
            .collect();
        let pools = plan.alias_pools.iter().enumerate();
        let pools = pools.map(|(number, pool)| AliasPool::new(number, pool, &mut exposures)).collect();
        let paths = plan.control_units.iter().map(|unit| PathGroup::new(unit, exposures.len())).collect();
        let channel_paths = ChannelPaths::new(plan, streams, exposures.len());
        let waiting = Waiting::new(plan.volumes.len(), plan.alias_pools.len());
        let mut channel = Channel { volumes, exposures, pools, paths, channel_paths, waiting };
        for exposure in 0..channel.exposures.len() {
            channel.assign(Exposure(exposure as u32));
        }
        channel
    }

    /// Assigns an exposure to the queue that it serves whatever it did last, if there is one: a base to its own, an alias
    /// that is online to its pool where that is the policy.
    fn assign(&mut self, exposure: Exposure) {
        let serves = match self.exposures[exposure.index()].role {
            Role::Base(volume) => Some(Waiting::at(volume)),
            Role::Bound(_) => None,
            Role::Pool(pool) => {
                let state = &self.pools[pool.index()];
                let shares = state.redispatch.looks_across_volumes() && state.has_online(exposure);
                shares.then(|| self.waiting.of(pool))
            }
        };
        self.exposures[exposure.index()].serves = serves;
    }

    /// A request for a volume arrives in the control program.
    #[inline(always)]
    pub fn request(
        &mut self,
        (requester, io): (Requester, Io),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        match self.free_exposure(io.volume, now, probe) {
            Some(exposure) => self.start((requester, io, exposure), Waited::NotAtAll, now, (effects, probe)),
            None => {
                let volume = &mut self.volumes[io.volume.index()];
                volume.queued += 1;
                self.waiting.join(requester, io, volume.ordered_by);
                probe.signal(now, Signal::Queued(io.volume, requester));
            }
        }
    }

    /// The request that has waited longest in a queue leaves it.
    #[inline(always)]
    fn take(&mut self, queue: Queue) -> Option<(Requester, Io)> {
        let (requester, io) = self.waiting.take(queue)?;
        self.volumes[io.volume.index()].queued -= 1;
        Some((requester, io))
    }

    /// The base when it is free, else an alias that may work for it.
    #[inline(always)]
    fn free_exposure(&mut self, volume: Volume, now: Tod, probe: &mut impl Probe) -> Option<Exposure> {
        let base = Exposure(volume.0);
        if self.exposures[base.index()].is_idle() {
            return Some(base);
        }
        match self.volumes[volume.index()].aliases {
            Aliases::None => None,
            Aliases::Bound { first, online, .. } => {
                (first.0..first.0 + online).map(Exposure).find(|alias| self.exposures[alias.index()].is_idle())
            }
            Aliases::Pool(pool) => self.pools[pool.index()].lend(now, probe),
        }
    }

    /// The phase of an exposure is over: the I/O connects, ends, or the exposure is ready for the next.
    pub fn phase_over(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        if let Some(requester) = self.serve(exposure, now, effects, probe) {
            effects.done(requester);
        }
    }

    /// The same, and the requester whose I/O is done, if that is all that is left to be done.
    #[inline(always)]
    pub(crate) fn serve(
        &mut self,
        exposure: Exposure,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Option<Requester> {
        // Most I/Os do nothing else: apart from the rest it costs no jump through a table.
        if matches!(self.exposures[exposure.index()].phase, Phase::Serving) {
            return self.end_service(exposure, now, effects, probe);
        }
        self.stage_over(exposure, now, effects, probe);
        None
    }

    /// The same of an I/O that is served in stages.
    #[inline(never)]
    fn stage_over(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        match self.exposures[exposure.index()].phase {
            Phase::Held => self.tokens_come(exposure, now, effects, probe),
            Phase::Idle
            | Phase::Serving
            | Phase::Connecting { .. }
            | Phase::AwaitingChannel { .. }
            | Phase::Carried { .. }
            | Phase::InterruptPending { .. } => unreachable!("no instant is set in this phase"),
            Phase::Accessing { connect: Some(alone) } => self.connect(exposure, alone, now, effects),
            Phase::Accessing { connect: None } => self.ask(exposure, now, effects, probe),
            Phase::Gap => self.available(exposure, now, effects, probe),
        }
    }

    /// The earliest connected I/O of a path group has transferred everything.
    pub fn transferred(&mut self, paths: Paths, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let group = &mut self.paths[paths.index()];
        let exposure = group.leave_first(now);
        group.announce(paths, now, effects);
        let Phase::Connecting { since } = self.exposures[exposure.index()].phase else {
            unreachable!("a transferring exposure is connected")
        };
        let state = &mut self.exposures[exposure.index()];
        state.service.connect = now - since;
        if self.volumes[state.io.volume.index()].holds.is_some() {
            return self.ask(exposure, now, effects, probe);
        }
        self.device_end(exposure, now, effects, probe);
    }

    /// An I/O ends at the device.
    fn device_end(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        if let Some(requester) = self.end_service(exposure, now, effects, probe) {
            effects.done(requester);
        }
    }

    /// The same.  Returns its requester, unless the I/O is not done before its interrupt has been handled.
    #[inline(always)]
    fn end_service(
        &mut self,
        exposure: Exposure,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Option<Requester> {
        let state = &mut self.exposures[exposure.index()];
        let volume = &mut self.volumes[state.io.volume.index()];
        volume.in_service -= 1;
        let (waits, gap, requester) = (volume.partition.is_some(), volume.gap, state.requester);
        probe.signal(now, Signal::Ended(state.io, exposure, state.service));
        if waits {
            self.await_interrupt_handler(exposure, now, effects, probe);
            return None;
        }
        self.cleared((exposure, gap), now, effects, probe);
        Some(requester)
    }

    /// The device stays busy until the interrupt that ends its I/O has been handled (Partitioning Large Processors, 4.0).
    #[inline(never)]
    fn await_interrupt_handler(
        &mut self,
        exposure: Exposure,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let state = &mut self.exposures[exposure.index()];
        state.phase = Phase::InterruptPending { since: now };
        probe.signal(now, Signal::InterruptPending(state.io.volume, exposure));
        effects.interrupt(exposure);
    }

    /// The partition that handles the interrupt of an exposure.
    pub fn interrupts(&self, exposure: Exposure) -> Partition {
        let volume = self.exposures[exposure.index()].io.volume;
        self.volumes[volume.index()].partition.expect("only a partition's I/O ends with an interrupt")
    }

    /// The interrupt of an exposure has been handled.
    pub fn clear(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &self.exposures[exposure.index()];
        let Phase::InterruptPending { since } = state.phase else {
            unreachable!("only a pending interrupt is handled")
        };
        let (requester, gap) = (state.requester, self.volumes[state.io.volume.index()].gap);
        probe.signal(now, Signal::Cleared(state.io.volume, exposure, now - since));
        self.cleared((exposure, gap), now, effects, probe);
        effects.done(requester);
    }

    /// Nothing is left of an I/O: the exposure goes on after the control program's gap, and then its requester.  A request
    /// that already waits is before any that this requester makes now.
    #[inline(always)]
    fn cleared(
        &mut self,
        (exposure, gap): (Exposure, Span),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        if gap.is_zero() {
            self.available(exposure, now, effects, probe);
        } else {
            self.exposures[exposure.index()].phase = Phase::Gap;
            effects.at(Event::PhaseOver(exposure), now + gap);
        }
    }

    /// An exposure may work again: a base serves its queue, an alias does as the redispatch policy says.
    #[inline(always)]
    fn available(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.exposures[exposure.index()];
        state.phase = Phase::Idle;
        let role = state.role;
        let next = match state.serves {
            Some(queue) => self.take(queue),
            None => self.next_after(exposure),
        };
        if let Some((requester, io)) = next {
            return self.start((requester, io, exposure), Waited::InQueue, now, (effects, probe));
        }
        if let Role::Pool(pool) = role
            && self.pools[pool.index()].has_online(exposure)
        {
            self.pools[pool.index()].give_back(exposure, now, probe);
        }
    }

    /// The request that an alias takes up after its last I/O; none if it is offline.
    #[inline(never)]
    fn next_after(&mut self, alias: Exposure) -> Option<(Requester, Io)> {
        let ExposureState { role, io, .. } = self.exposures[alias.index()];
        match role {
            Role::Base(volume) => self.take(Waiting::at(volume)),
            Role::Bound(volume) => match self.volumes[volume.index()].aliases {
                Aliases::Bound { first, online, .. } if alias.0 >= first.0 + online => None,
                Aliases::Bound { redispatch, .. } => self.redispatch(redispatch, role, volume),
                Aliases::None | Aliases::Pool(_) => unreachable!("a bound alias has a base with bound aliases"),
            },
            Role::Pool(pool) if !self.pools[pool.index()].has_online(alias) => None,
            Role::Pool(pool) => self.redispatch(self.pools[pool.index()].redispatch, role, io.volume),
        }
    }
}
