//! The probe behind a timeline: it knows holders and waiters at every instant, and keeps those of a window.
//!
//! Its memory grows with the machine and with the events in the window, not with the time before it.

use super::lane::bound;
use super::names::Names;
use super::processors::{Processors, Unhandled, shown};
use super::state::State;
use super::trace::ENOUGH;
use super::virtuals::Control;
use super::who::Who;
use super::why::{Changed, NameWait, Reason, Waiting};
use crate::counts::spin_lock as spin_locks;
use machine::ids::{Exposure, Logical, Partition, Pool, Requester, Virtual, Volume};
use machine::plan::{Aliasing, Plan, Redispatch};
use machine::signal::{Carriage, Diagnosed, Occupant, Probe, Signal, Standing};
use units::Tod;

/// The work of an exposure or a processor now, or the reason for none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub since: Tod,
    /// The requester of its I/O, or the owner of its work; none while it is offline or has no work.
    pub by: Option<(Requester, Who)>,
    /// Which virtual processor it has or is.
    pub virtual_one: Option<Virtual>,
    /// Where it is.
    pub on: Option<Logical>,
    /// The volume of the I/O, if it is about one.
    pub volume: Option<Volume>,
    pub state: State,
}

impl Carried {
    /// None, from an instant on.
    pub const fn nobody(since: Tod, state: State) -> Carried {
        Carried { since, by: None, virtual_one: None, on: None, volume: None, state }
    }
}

/// A requester as far as the timeline knows it: it waits in one place at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Person {
    pub who: Who,
    pub waits: Option<Waiting>,
    /// The name that it has requested and not got; it may still be on a processor.
    pub asks: Option<NameWait>,
}

/// Aliases of a pool or of a volume.
#[derive(Clone, Copy, Debug, Default)]
struct Aliases {
    /// The first of them among the exposures.
    first: usize,
    count: usize,
    online: u32,
    /// How often an alias became free and no waiting request got it.
    freed: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<T> {
    pub from: Tod,
    pub to: Option<Tod>,
    pub what: T,
}

/// A virtual processor that spins has yielded, or has looked whether to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Yielded {
    pub at: Tod,
    pub number: Virtual,
    pub on: Logical,
    pub what: Diagnosed,
}

/// Records what happens from an instant on, and what was under way then.
#[derive(Clone, Debug)]
pub struct Recorder<'a> {
    pub(super) plan: &'a Plan,
    pub(super) from: Tod,
    most: usize,
    /// Exposures, then logical processors, virtual ones, locks of control programs, spin locks, ENQ/DEQ locks, and names.
    pub(super) places: Vec<Option<Carried>>,
    pub(super) processors: Processors,
    /// Until when the last gap of each exposure lasts.
    free_from: Vec<Tod>,
    /// Whether each exposure is offline, or will be when its I/O ends.
    offline: Vec<bool>,
    pub(super) people: Vec<Person>,
    pub(super) control: Control,
    /// How many spin for each spin lock.
    pub(super) spinning: Vec<u32>,
    pub(super) names: Names,
    joined: Vec<u64>,
    pools: Vec<Aliases>,
    bound: Vec<Aliases>,
    pub(super) spans: Vec<Kept<(usize, Carried)>>,
    pub(super) waits: Vec<Kept<(Who, Reason, u64)>>,
    pub(super) changes: Vec<(Tod, Changed)>,
    pub(super) yields: Vec<Yielded>,
    starts: Vec<Tod>,
}

impl<'a> Recorder<'a> {
    /// A recorder for the machine of a plan, which keeps at most this many spans, waits, changes and yields from an
    /// instant on.
    pub fn new(plan: &'a Plan, from: Tod, most: usize) -> Self {
        let mut exposures = plan.volumes.len();
        let mut aliases = |count: usize| {
            let first = exposures;
            exposures += count;
            Aliases { first, count, online: count as u32, freed: 0 }
        };
        let bound = plan.volumes.iter().map(|volume| aliases(bound(&volume.aliasing).len())).collect();
        let pools = plan.alias_pools.iter().map(|pool| aliases(pool.aliases.len())).collect();
        let processors = Processors::new(plan, exposures);
        let idle = Carried::nobody(Tod::START, shown(Standing::Off));
        let mut places = vec![None; exposures];
        places.resize(exposures + processors.count(), Some(idle));
        let control = Control::new(plan, places.len());
        let spin_locks = spin_locks::machines(plan).count();
        let names = Names::new(plan, places.len() + control.places() + spin_locks);
        places.resize(places.len() + control.places() + spin_locks + names.places(), None);
        Recorder {
            plan,
            from,
            most,
            places,
            processors,
            free_from: vec![Tod::START; exposures],
            offline: vec![false; exposures],
            people: Vec::new(),
            control,
            spinning: vec![0; spin_locks],
            names,
            joined: vec![0; plan.groups()],
            pools,
            bound,
            spans: Vec::new(),
            waits: Vec::new(),
            changes: Vec::new(),
            yields: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Whether more happened than is to be kept; what was kept is then not all.
    pub fn is_full(&self) -> bool {
        self.kept() >= self.most
    }

    /// How many spans, waits, changes and yields it keeps.
    pub fn kept(&self) -> usize {
        self.spans.len() + self.waits.len() + self.changes.len() + self.yields.len()
    }

    /// The start of the n-th I/O or dispatch of a virtual processor since the start of the window.
    pub fn start(&self, number: usize) -> Option<Tod> {
        self.starts.get(number.checked_sub(1)?).copied()
    }

    /// How many aliases have come free that a wait of this kind was not given.
    pub(super) fn freed(&self, reason: Reason) -> u64 {
        match reason {
            Reason::Queued(volume, _) => match &self.plan.volumes[volume.index()].aliasing {
                Aliasing::None => 0,
                Aliasing::Pav { .. } => self.bound[volume.index()].freed,
                Aliasing::HyperPav { pool } => self.pools[*pool].freed,
            },
            Reason::Turn(_)
            | Reason::Message(_)
            | Reason::Held(..)
            | Reason::Interrupt(..)
            | Reason::Ready(..)
            | Reason::Undispatched(_)
            | Reason::Spinning(..)
            | Reason::Suspended(_)
            | Reason::Named(_)
            | Reason::Virtual(..) => 0,
        }
    }

    fn online(&self, volume: Volume) -> u32 {
        match &self.plan.volumes[volume.index()].aliasing {
            Aliasing::None => 0,
            Aliasing::Pav { .. } => self.bound[volume.index()].online,
            Aliasing::HyperPav { pool } => self.pools[*pool].online,
        }
    }

    pub(super) fn waits(&mut self, requester: Requester, reason: Reason, now: Tod) {
        let freed = self.freed(reason);
        self.people[requester.index()].waits = Some(Waiting { since: now, reason, freed });
    }

    pub(super) fn waits_no_more(&mut self, requester: Requester, now: Tod) {
        let Person { who, waits, .. } = &mut self.people[requester.index()];
        let (who, Some(wait)) = (*who, waits.take()) else { return };
        if now > self.from && now > wait.since && !self.is_full() {
            let freed = self.freed(wait.reason) - wait.freed;
            self.waits.push(Kept { from: wait.since, to: Some(now), what: (who, wait.reason, freed) });
        }
    }
}

impl Recorder<'_> {
    /// A place has something to do from now on, or nothing; what it had is kept if the window shows it.
    pub(super) fn carries(&mut self, place: usize, carried: Option<Carried>, now: Tod) {
        let before = std::mem::replace(&mut self.places[place], carried);
        if let Some(before) = before {
            self.keep_span(place, before, now);
        }
    }

    pub(super) fn keep_span(&mut self, place: usize, carried: Carried, to: Tod) {
        if to > self.from && to > carried.since && !self.is_full() {
            self.spans.push(Kept { from: carried.since, to: Some(to), what: (place, carried) });
        }
    }

    /// The I/O of an exposure changes its state; returns its requester.
    fn turns(&mut self, exposure: Exposure, state: State, now: Tod) -> Option<Requester> {
        let carried = self.places[exposure.index()]?;
        self.carries(exposure.index(), Some(Carried { since: now, state, ..carried }), now);
        carried.by.map(|(requester, _)| requester)
    }

    fn ended(&mut self, exposure: Exposure, volume: Volume, now: Tod) {
        // With a partition, what is left is the interrupt.
        if self.plan.volumes[volume.index()].partition.is_none() {
            self.cleared(exposure, volume, now);
        }
    }

    /// The I/O of an exposure is over completely.
    fn cleared(&mut self, exposure: Exposure, volume: Volume, now: Tod) {
        let Some(carried) = self.places[exposure.index()] else { return };
        self.carries(exposure.index(), None, now);
        let plan = &self.plan.volumes[volume.index()];
        let free = now + plan.gap;
        // How long the gap lasts is known already; nothing else starts in it.
        self.keep_span(exposure.index(), Carried { since: now, state: State::Gap, ..carried }, free);
        self.free_from[exposure.index()] = free;
        if self.offline[exposure.index()] {
            self.places[exposure.index()] = Some(offline_since(free));
        } else if exposure.index() >= self.plan.volumes.len() && plan.gap.is_zero() {
            // With a gap the alias becomes free later, and only the machine knows the waiters of that time.
            if let Aliasing::Pav { redispatch: Redispatch::None, .. } = &plan.aliasing {
                self.bound[volume.index()].freed += 1;
            }
        }
    }

    /// From now on the first aliases of a kind are online, this many; one that is busy goes when its I/O ends.
    fn vary(&mut self, aliases: Aliases, now: Tod) {
        for number in 0..aliases.count {
            let exposure = aliases.first + number;
            let offline = number >= aliases.online as usize;
            self.offline[exposure] = offline;
            match self.places[exposure] {
                None if offline => {
                    let since = now.max(self.free_from[exposure]);
                    self.places[exposure] = Some(offline_since(since));
                }
                Some(Carried { state: State::Offline, .. }) if !offline => self.carries(exposure, None, now),
                None | Some(_) => {}
            }
        }
    }

    /// The I/O of an exposure has ended, and its requester waits for the handler.
    fn interrupt(&mut self, volume: Volume, exposure: Exposure, now: Tod) {
        let partition = self.plan.volumes[volume.index()].partition.expect("only a partition's I/O ends so");
        let why = self.processors.why_unhandled(Partition(partition as u32));
        if let Some(requester) = self.turns(exposure, State::InterruptPending, now) {
            self.waits(requester, Reason::Interrupt(volume, exposure, why), now);
        }
    }

    /// The state of a processor changes: the guest that gets it waits no more, and the guest that loses it waits.
    fn stands(&mut self, logical: Logical, standing: Standing, occupant: Occupant, now: Tod) {
        self.processors.stands(logical, standing);
        let (by, volume, reason) = match occupant {
            Occupant::Nobody => (None, None, None),
            Occupant::Virtual(number) => return self.runs(logical, number, now),
            Occupant::ControlProgram => return self.works(logical, now),
            Occupant::Requester(requester) => {
                let by = (requester, self.people[requester.index()].who);
                (Some(by), None, Some(Reason::Undispatched(logical)))
            }
            Occupant::Handler(exposure) => {
                let Carried { by, volume, .. } = self.places[exposure.index()].expect("its I/O has ended");
                let reason = |volume| Reason::Interrupt(volume, exposure, Unhandled::Dropped(logical));
                (by, volume, volume.map(reason))
            }
        };
        let state = self.rests(logical, standing);
        let carried = Carried { by, volume, ..Carried::nobody(now, state) };
        self.carries(self.processors.place(logical), Some(carried), now);
        let (Some((requester, _)), Some(reason)) = (by, reason) else { return };
        match standing {
            Standing::Pending => self.waits(requester, reason, now),
            Standing::Working | Standing::Interrupted => self.waits_no_more(requester, now),
            Standing::Off | Standing::Waiting => unreachable!("such a processor has no work"),
        }
    }

    /// An I/O starts, a virtual processor is dispatched, or a name is had where there are no volumes.
    pub(super) fn starts(&mut self, now: Tod) {
        if now >= self.from && self.starts.len() < ENOUGH {
            self.starts.push(now);
        }
    }

    pub(super) fn changed(&mut self, changed: Changed, now: Tod) {
        if now >= self.from && !self.is_full() {
            self.changes.push((now, changed));
        }
    }

    fn joins(&mut self, group: u32, requester: Requester) {
        if self.people.len() <= requester.index() {
            self.people.resize(requester.index() + 1, Person::default());
        }
        // The driver of a front end or a measurement program comes and goes, and is the same every time.
        let once = group as usize >= self.plan.guests.len() && self.joined[group as usize] > 0;
        self.joined[group as usize] += u64::from(!once);
        let who = Who { group, number: self.joined[group as usize] };
        self.people[requester.index()] = Person { who, ..Person::default() };
    }
}

impl Probe for Recorder<'_> {
    fn signal(&mut self, now: Tod, signal: Signal) {
        match signal {
            Signal::Joined(group, requester) => self.joins(group.0, requester),
            Signal::Queued(volume, requester) => {
                self.waits(requester, Reason::Queued(volume, self.online(volume)), now);
            }
            Signal::Message(front_end, Carriage::Queued(_, requester)) => {
                self.waits(requester, Reason::Message(front_end), now)
            }
            Signal::Message(_, Carriage::Through(_, requester, _)) => self.waits_no_more(requester, now),
            Signal::Sample(partition, sample) => self.changed(Changed::Sample(partition, sample), now),
            Signal::TurnAwaited(minidisk, requester) => self.waits(requester, Reason::Turn(minidisk), now),
            Signal::TurnTaken(_, _, requester, _) => self.waits_no_more(requester, now),
            Signal::Started(io, exposure, requester, _) => {
                self.waits_no_more(requester, now);
                let by = Some((requester, self.people[requester.index()].who));
                let carried = Carried { by, volume: Some(io.volume), ..Carried::nobody(now, State::Busy) };
                self.carries(exposure.index(), Some(carried), now);
                self.starts(now);
            }
            Signal::Held(volume, exposure, hold) => {
                if let Some(requester) = self.turns(exposure, State::Held, now) {
                    self.waits(requester, Reason::Held(volume, hold), now);
                }
            }
            Signal::LetGo(_, exposure) => {
                if let Some(requester) = self.turns(exposure, State::Busy, now) {
                    self.waits_no_more(requester, now);
                }
            }
            Signal::Ended(io, exposure, _) => self.ended(exposure, io.volume, now),
            Signal::InterruptPending(volume, exposure) => self.interrupt(volume, exposure, now),
            Signal::Cleared(volume, exposure, _) => self.cleared(exposure, volume, now),
            Signal::Stands(logical, standing, occupant) => self.stands(logical, standing, occupant, now),
            Signal::Ready(partition, requester) => {
                let carried = self.processors.any_carried(partition);
                self.waits(requester, Reason::Ready(partition, carried), now);
            }
            Signal::AliasFreed(pool, _) => self.pools[pool.index()].freed += 1,
            Signal::PoolVaried(pool, online, _) => self.pool_varied(pool, online, now),
            Signal::BoundVaried(volume, online) => {
                self.bound[volume.index()].online = online;
                self.vary(self.bound[volume.index()], now);
                self.changed(Changed::Bound(volume, online), now);
            }
            Signal::PathsVaried(paths, online) => self.changed(Changed::Paths(paths, online), now),
            Signal::Reserved(volume) => self.changed(Changed::Reserved(volume), now),
            Signal::Control(control) => self.control(control, now),
            Signal::PartitionVaried(partition, varied) => self.changed(Changed::Partition(partition, varied), now),
            Signal::Released(volume) => self.changed(Changed::Released(volume), now),
            // A resource has no lane, nor has a lock of threads, so waits for one are not shown.
            Signal::Resource(..) | Signal::ThreadLock(..) | Signal::Enqueued(..) => {}
            // A wait for a channel is inside an I/O, which is shown as a whole.  A capped processor is shown as pending.
            // A change says which processors go online or offline.
            Signal::Channel(..) | Signal::GroupCapped(..) | Signal::Configured(..) => {}
            Signal::Serialization(what) => self.serializes(what, now),
            Signal::AwaitsName(requester) => self.awaits_name(requester, now),
            Signal::Message(_, Carriage::Started(..)) | Signal::AliasTried(..) | Signal::ThroughMinidisk(..) => {}
            Signal::Carries(..) | Signal::Taken(..) | Signal::Enabled(..) | Signal::Left(..) | Signal::Cycled(..) => {}
            Signal::SpinLock(lock, what) => self.uses_spin_lock(lock, what, now),
            // Waits for a processor are signalled, and the states of run queues are shown.
            Signal::Threading(..) => {}
            // A guest that another group serves is shown where that one runs.
            Signal::Exchanged(..) => {}
            Signal::Thought(..) | Signal::Computed(..) | Signal::Avoided(..) | Signal::Responded(..) => {}
        }
    }
}

impl Recorder<'_> {
    fn pool_varied(&mut self, pool: Pool, online: u32, now: Tod) {
        self.pools[pool.index()].online = online;
        self.vary(self.pools[pool.index()], now);
        self.changed(Changed::Pool(pool, online), now);
    }
}

const fn offline_since(since: Tod) -> Carried {
    Carried::nobody(since, State::Offline)
}
