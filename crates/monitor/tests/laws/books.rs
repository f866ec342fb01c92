//! Nothing is lost: at any instant, what came in and did not go out is there.

use super::any_plan::any_plan;
use crate::observed::Observed;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::channel::exposure::{ExposureState, Phase, Role};
use machine::channel::volume::Aliases;
use machine::guest::Held;
use machine::guest::supervisor::Work;
use machine::guest::{Activity, RunsIn};
use machine::plan::{Plan, Redispatch, ResourcePlan};
use machine::signal::{Carriage, Probe, Signal, Use, Waited};
use machine::world::World;
use proptest::prelude::*;
use units::{Span, Tod};

/// The I/Os that arrived and have not left, by the signals.
#[derive(Debug, Default)]
struct Books {
    queued: Vec<i64>,
    in_service: Vec<i64>,
    free: Vec<i64>,
    turns: Vec<i64>,
    present: Vec<i64>,
    /// Of each resource, those that wait and those that hold one.
    resources: Vec<[i64; 2]>,
    /// Messages that are not through.
    messages: Vec<i64>,
}

impl Books {
    fn of(plan: &Plan) -> Self {
        let zeros = |count| vec![0; count];
        Books {
            queued: zeros(plan.volumes.len()),
            in_service: zeros(plan.volumes.len()),
            free: plan.alias_pools.iter().map(|pool| pool.aliases.len() as i64).collect(),
            turns: zeros(plan.minidisks.len()),
            present: zeros(plan.groups()),
            resources: vec![[0; 2]; plan.resources.len()],
            messages: zeros(plan.front_ends.len()),
        }
    }
}

impl Probe for Books {
    fn signal(&mut self, _now: Tod, signal: Signal) {
        match signal {
            Signal::Queued(volume, _) => self.queued[volume.index()] += 1,
            Signal::Started(io, _, _, waited) => {
                self.in_service[io.volume.index()] += 1;
                self.queued[io.volume.index()] -= i64::from(waited == Waited::InQueue);
            }
            Signal::Ended(io, _, _) => self.in_service[io.volume.index()] -= 1,
            Signal::AliasTried(pool, free) => self.free[pool.index()] -= i64::from(free > 0),
            Signal::AliasFreed(pool, _) => self.free[pool.index()] += 1,
            Signal::PoolVaried(pool, _, free) => self.free[pool.index()] = i64::from(free),
            Signal::TurnAwaited(minidisk, _) => self.turns[minidisk.index()] += 1,
            Signal::TurnTaken(_, minidisk, ..) => self.turns[minidisk.index()] -= 1,
            Signal::Joined(group, _) => self.present[group.index()] += 1,
            Signal::Left(group, _) => self.present[group.index()] -= 1,
            Signal::Resource(resource, Use::Awaited(_)) => self.resources[resource.index()][0] += 1,
            Signal::Resource(resource, Use::Taken(_, _, waited)) => {
                self.resources[resource.index()][0] -= i64::from(waited.is_some());
                self.resources[resource.index()][1] += 1;
            }
            Signal::Resource(resource, Use::Given(..)) => self.resources[resource.index()][1] -= 1,
            Signal::Message(front_end, Carriage::Queued(..)) => self.messages[front_end.index()] += 1,
            Signal::Message(front_end, Carriage::Through(..)) => self.messages[front_end.index()] -= 1,
            Signal::Thought(..)
            | Signal::Computed(..)
            | Signal::Responded(..)
            | Signal::Exchanged(..)
            | Signal::SpinLock(..)
            | Signal::ThreadLock(..)
            | Signal::Serialization(_)
            | Signal::Enqueued(..)
            | Signal::AwaitsName(_)
            | Signal::Cycled(..)
            | Signal::Held(..)
            | Signal::LetGo(..)
            | Signal::BoundVaried(..)
            | Signal::PathsVaried(..)
            | Signal::PartitionVaried(..)
            | Signal::Control(_)
            | Signal::Threading(..)
            | Signal::Carries(..)
            | Signal::GroupCapped(..)
            | Signal::Configured(..)
            | Signal::Taken(..)
            | Signal::Message(_, Carriage::Started(..))
            | Signal::Sample(..)
            | Signal::Enabled(..)
            | Signal::Stands(..)
            | Signal::Ready(..)
            | Signal::InterruptPending(..)
            | Signal::Cleared(..)
            | Signal::Reserved(_)
            | Signal::Released(_)
            | Signal::Avoided(..)
            | Signal::Channel(..)
            | Signal::ThroughMinidisk(..) => {}
        }
    }
}

/// Turns are waited for where a minidisk is in use, and I/Os are held where something holds their volume.
fn nobody_waits_for_nothing(world: &Machine) -> Result<(), TestCaseError> {
    let requesters = &world.guests.requesters;
    for (number, turns) in books(world).turns.iter().enumerate() {
        let here = |activity: &Activity| matches!(activity, Activity::InTurn(at) if at.index() == number);
        let waiting = requesters.iter().filter(|requester| here(&requester.activity)).count();
        prop_assert_eq!(waiting as i64, *turns);
        let using =
            |requester: &machine::guest::RequesterState| requester.minidisk.is_some_and(|m| m.index() == number);
        let users = requesters.iter().filter(|requester| using(requester)).count();
        prop_assert!(users <= 1 && (users == 1 || waiting == 0), "one I/O at a time: {users} use it, {waiting} wait");
    }
    for exposure in &world.channel.exposures {
        let hold = world.channel.volumes[exposure.io.volume.index()].hold;
        prop_assert!(exposure.phase != Phase::Held || hold.is_some(), "nothing holds it");
    }
    Ok(())
}

type Machine = World<TreeCalendar, Observed>;

fn books(world: &Machine) -> &Books {
    world.probe.seen()
}

fn requests_are_there(world: &Machine) -> Result<(), TestCaseError> {
    for (number, volume) in world.channel.volumes.iter().enumerate() {
        prop_assert_eq!(i64::from(volume.queued), books(world).queued[number]);
        prop_assert_eq!(i64::from(volume.in_service), books(world).in_service[number]);
        let on_exposures = world
            .channel
            .exposures
            .iter()
            .filter(|exposure| exposure.is_busy() && exposure.io.volume.index() == number);
        prop_assert_eq!(on_exposures.count(), volume.in_service as usize);
        let here = |activity: &Activity| matches!(activity, Activity::Waiting(at) if at.index() == number);
        let waiting = world.guests.requesters.iter().filter(|requester| here(&requester.activity)).count();
        let uncleared = world.channel.exposures.iter().filter(|exposure| {
            matches!(exposure.phase, Phase::InterruptPending { .. }) && exposure.io.volume.index() == number
        });
        let there = (volume.queued + volume.in_service) as usize + uncleared.count();
        prop_assert_eq!(
            waiting,
            there,
            "a waiting requester is queued or served, or the end of its I/O was not noticed"
        );
    }
    Ok(())
}

fn aliases_are_there(world: &Machine) -> Result<(), TestCaseError> {
    for (number, pool) in world.channel.pools.iter().enumerate() {
        let of_pool = |exposure: &&ExposureState| exposure.role == Role::Pool(machine::ids::Pool(number as u32));
        let aliases = world.channel.exposures.iter().filter(of_pool).take(pool.online() as usize);
        let idle = aliases.filter(|alias| alias.is_idle()).count();
        prop_assert_eq!(idle, pool.free() as usize, "an alias that is online and idle is free");
        prop_assert_eq!(i64::from(pool.free()), books(world).free[number]);
        let mut waiting = 0;
        for volume in &world.channel.volumes {
            waiting +=
                if volume.aliases == Aliases::Pool(machine::ids::Pool(number as u32)) { volume.queued } else { 0 };
        }
        let ordered = pool.redispatch == Redispatch::PoolFifo;
        prop_assert_eq!(
            world.channel.waiting.in_order_of(machine::ids::Pool(number as u32)),
            if ordered { waiting } else { 0 }
        );
        prop_assert!(
            !ordered || waiting == 0 || pool.free() == 0,
            "pool-fifo leaves no alias idle while a request waits"
        );
    }
    for (number, volume) in world.channel.volumes.iter().enumerate() {
        let base = &world.channel.exposures[number];
        prop_assert!(volume.queued == 0 || !base.is_idle(), "no request waits at a free base");
    }
    Ok(())
}

/// Every recorded wait for a resource or a message is real, and no requester waits for a free one.
fn queues_are_there(plan: &Plan, world: &Machine) -> Result<(), TestCaseError> {
    for (number, [waiting, held]) in books(world).resources.iter().enumerate() {
        let ResourcePlan { count, members, .. } = plan.resources[number];
        prop_assert!(*held <= i64::from(count * members), "{held} held");
        prop_assert!(members > 1 || *waiting == 0 || *held == i64::from(count), "one is free and a requester waits");
        let holds = world.guests.holds.iter().flatten().flatten().filter(|held| held.resource.index() == number);
        let (has, wants): (Vec<&Held>, Vec<&Held>) = holds.partition(|held| held.since.is_some());
        prop_assert_eq!((wants.len() as i64, has.len() as i64), (*waiting, *held));
    }
    for (number, messages) in books(world).messages.iter().enumerate() {
        let here = |activity: &Activity| matches!(activity, Activity::Messaging(at, _) if at.index() == number);
        let sending = world.guests.requesters.iter().filter(|requester| here(&requester.activity)).count();
        prop_assert_eq!(sending as i64, *messages);
        let drives = books(world).present[plan.guests.len() + number];
        prop_assert_eq!(drives, i64::from(*messages > 0), "the device is driven while there are messages");
    }
    Ok(())
}

/// A dispatched processor runs the most urgent ready task, and is not in wait while a task is ready.
fn the_most_urgent_has_a_processor(world: &Machine) -> Result<(), TestCaseError> {
    let rank = |requester| match world.guests.runs_in(requester) {
        Some(RunsIn::Partition { rank, .. }) => rank,
        Some(RunsIn::Machine(_) | RunsIn::Thread(_)) | None => unreachable!("a ready task runs in a partition"),
    };
    for logical in world.supervisors.logical.iter().filter(|logical| logical.is_carried()) {
        let waiting = world.supervisors.waiting(logical.partition).map(rank).min();
        match logical.work {
            Work::None => prop_assert_eq!(waiting, None, "it is in wait"),
            Work::Job(job) => prop_assert!(waiting.is_none_or(|rank| rank >= job.rank), "{waiting:?}, {job:?}"),
            Work::Interrupt { .. } | Work::Leaving(_) => {}
        }
    }
    Ok(())
}

fn guests_are_there(plan: &Plan, world: &Machine) -> Result<(), TestCaseError> {
    for (number, group) in world.guests.groups.iter().enumerate() {
        let is_here = |requester: &&machine::guest::RequesterState| {
            requester.group.index() == number && requester.activity != Activity::Absent
        };
        let here = world.guests.requesters.iter().filter(is_here).count();
        prop_assert_eq!(here, group.present as usize);
        prop_assert_eq!(i64::from(group.present), books(world).present[number]);
        if let machine::plan::Arrival::Closed { count } = plan.guests[number].arrival {
            prop_assert_eq!(group.present, count);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::cases(2_000))]

    #[test]
    fn nothing_is_lost(plan in any_plan(), seed in any::<u64>(), looks in 1..20u64) {
        let mut world: Machine = World::new(&plan, &Streams::new(seed, 0), Observed::by(Books::of(&plan)));
        world.count_from(Tod::START + Span::from_us(1_000));
        for look in 1..=looks {
            world.run_until(Tod::START + Span::from_us(3_700 * look)).expect("the load is small");
            requests_are_there(&world)?;
            aliases_are_there(&world)?;
            nobody_waits_for_nothing(&world)?;
            guests_are_there(&plan, &world)?;
            queues_are_there(&plan, &world)?;
            the_most_urgent_has_a_processor(&world)?;
        }
    }
}
