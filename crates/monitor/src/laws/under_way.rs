//! The requests under way at an instant, for the laws that hold over an interval.

use super::so_far::{ServiceUnderWay, SpinLocksSoFar, ThreadLockSoFar, spin_locks_so_far, thread_locks_so_far};
use crate::counts::guest::ACTIVITIES;
use crate::counts::virtual_processor as virtuals;
use kernel::calendar::Calendar;
use machine::channel::Channel;
use machine::channel::exposure::Phase;
use machine::guest::{Activity, Trial};
use machine::ids::{Logical, Virtual};
use machine::plan::{Plan, Way};
use machine::signal::{Probe, Spent, VirtualStanding};
use machine::world::World;
use units::Tod;

/// What is under way at an instant: how long each present request, I/O or activity has lasted so far, summed.
#[derive(Clone, Debug)]
pub struct UnderWay {
    /// The instant.
    pub(crate) at: Tod,
    /// Per volume: requests waiting or in service.
    pub(crate) requests: Vec<u128>,
    /// Per exposure: I/Os in progress.
    pub(crate) service: Vec<u128>,
    /// Per channel: reads and writes that it carries.
    pub(crate) channels: Vec<[u128; 2]>,
    /// Per volume: I/Os whose interrupt was not handled.
    pub(crate) uncleared: Vec<u128>,
    /// Per minidisk: waiting for a turn.
    pub(crate) turns: Vec<u128>,
    /// Per resource: waiting for one, and holding one.
    pub(crate) resources: Vec<[u128; 2]>,
    /// Per front end: messages waiting, in and out.
    pub(crate) front_ends: Vec<[u128; 2]>,
    /// Per group: thinking, computing, waiting for a turn at a minidisk, served by a cache, waiting for an I/O.  Then
    /// waiting for a resource or inside a request for one by name, having a message carried, spinning, having another
    /// group answer.
    pub(crate) groups: Vec<[u128; ACTIVITIES]>,
    /// Per logical processor: what a control program spends there; empty without control programs.
    pub(crate) spent: Vec<Spent>,
    /// Per virtual processor: its state.
    pub(crate) standings: Vec<VirtualStanding>,
    /// Per virtual machine and name of its spin locks: spinning for one, and holding one.
    pub(crate) spin_locks: Vec<SpinLocksSoFar>,
    /// Per lock of threads: waiting for it, and holding it.
    pub(crate) thread_locks: Vec<ThreadLockSoFar>,
    /// Requests under way with ENQ and DEQ.
    pub(crate) service_of_names: ServiceUnderWay,
}

impl UnderWay {
    /// The requests under way now.
    pub fn at<C: Calendar, P: Probe>(world: &World<C, P>, plan: &Plan) -> Self {
        let now = world.now();
        let mut under_way = UnderWay {
            at: now,
            requests: vec![0; world.channel.volumes.len()],
            service: vec![0; world.channel.exposures.len()],
            channels: vec![[0; 2]; plan.channels.len()],
            uncleared: vec![0; world.channel.volumes.len()],
            turns: vec![0; world.guests.minidisks.len()],
            resources: vec![[0; 2]; world.guests.resources.len()],
            front_ends: vec![[0; 2]; world.guests.front_ends.len()],
            groups: vec![[0; ACTIVITIES]; world.guests.groups()],
            spent: spent(world, plan),
            standings: (0..virtuals::count(plan)).map(|number| world.control.standing(Virtual(number))).collect(),
            spin_locks: spin_locks_so_far(&world.guests, plan, now),
            thread_locks: thread_locks_so_far(&world.guests, now),
            service_of_names: ServiceUnderWay::at(&world.serialization, plan, now),
        };
        for requester in &world.guests.requesters {
            let so_far = u128::from((now - requester.since).units());
            let group = &mut under_way.groups[requester.group.index()];
            match requester.activity {
                Activity::Thinking => group[0] += so_far,
                Activity::Computing
                | Activity::Pacing
                | Activity::Intercepted
                | Activity::Arriving(..)
                | Activity::Trying(_, Trial::First)
                | Activity::Starting(_)
                | Activity::Sampling(_)
                | Activity::Serializing => group[1] += so_far,
                Activity::Spinning(_) | Activity::Trying(..) => group[7] += so_far,
                Activity::Requesting(..) | Activity::Exchanging => group[8] += so_far,
                Activity::Queueing(_) | Activity::Enqueued => group[5] += so_far,
                Activity::Messaging(..) => group[6] += so_far,
                Activity::InTurn(minidisk) => {
                    group[2] += so_far;
                    under_way.turns[minidisk.index()] += so_far;
                }
                Activity::Avoiding(_) => group[3] += so_far,
                Activity::Waiting(volume) => {
                    group[4] += so_far;
                    under_way.requests[volume.index()] += so_far;
                }
                Activity::Absent => {}
            }
        }
        for held in world.guests.holds.iter().flatten().flatten() {
            let (place, since) = held.since.map_or((0, held.asked), |since| (1, since));
            under_way.resources[held.resource.index()][place] += u128::from((now - since).units());
        }
        for (so_far, front_end) in under_way.front_ends.iter_mut().zip(&world.guests.front_ends) {
            for way in [Way::In, Way::Out] {
                let since = front_end.waiting(way).map(|sender| world.guests.requesters[sender.index()].since);
                so_far[way.index()] = since.map(|since| u128::from((now - since).units())).sum();
            }
        }
        under_way.exposures(&world.channel, now);
        under_way
    }

    /// I/Os in progress, those that channels carry, and those whose interrupt was not handled.
    fn exposures(&mut self, channel: &Channel, now: Tod) {
        for (number, one, so_far) in channel.channel_paths.carried(now) {
            let direction = channel.exposures[one.index()].io.transfer.access().index();
            self.channels[number.index()][direction] += u128::from(so_far.units());
        }
        for (so_far, exposure) in self.service.iter_mut().zip(&channel.exposures) {
            if let Phase::InterruptPending { since } = exposure.phase {
                self.uncleared[exposure.io.volume.index()] += u128::from((now - since).units());
            }
            if exposure.is_busy() {
                *so_far = u128::from((now - exposure.started).units());
            }
        }
    }
}

/// The use of time by control programs on each logical processor; zero on those of partitions without one.
fn spent<C: Calendar, P: Probe>(world: &World<C, P>, plan: &Plan) -> Vec<Spent> {
    let holders = plan.partitions.iter().map(|own| (own.control_program.is_some(), own.logical));
    if holders.clone().all(|(holds, _)| !holds) {
        return Vec::new();
    }
    let each = holders.flat_map(|(holds, count)| std::iter::repeat_n(holds, count as usize));
    let so_far = |(number, holds)| {
        if holds { world.control.under_way(Logical(number), world.now()) } else { Spent::default() }
    };
    (0..).zip(each).map(so_far).collect()
}

/// Time spent within an interval by passages: spans that ended in it, with those under way at its end and without the
/// part before its start.
pub fn within(ended: u128, at_start: u128, at_end: u128) -> u128 {
    ended + at_end - at_start
}
