//! The test stand: the control program of one partition, the requesters of its virtual machines, and an account of time.

use super::outbox::Unbounded;
use crate::stand::{Record, us};
use kernel::draw::Streams;
use machine::control_program::{ControlPrograms, Left, Release};
use machine::effect::Effect;
use machine::event::Event;
use machine::ids::{Logical, Machine, Partition, Requester, SpinLock, Virtual};
use machine::plan::control_program::{
    ControlProgramPlan, ControllerPlan, CostsPlan, ExcessUse, LockMode, LockPlan, Method, PauseLoopPlan, Polarization,
    SpinPlan, SrmPlan, Stealing, Unparking, VirtualMachinePlan, VmShare,
};
use machine::plan::topology::Topology;
use machine::plan::{CecPlan, DispatcherPlan, PartitionPlan, Plan, Preemption, Processors, PrsmPlan, Srm, WeightPlan};
use machine::signal::control_program::{Control, Dispatch, Spent, VirtualStanding};
use machine::signal::{Occupant, Signal, Standing};
use units::{Percent, Span, Tod};

/// The slices of the settings below.
pub const SLICE: u64 = 1_000;

/// Seconds after the start.
pub fn s(seconds: u64) -> Tod {
    us(seconds * 1_000_000)
}

/// One list for all, slices of 1 ms, no lock and no costs. Vertical mode has barriers of 1, 2 and 4. The controller uses as
/// many processors as were used.
pub fn settings() -> ControlProgramPlan {
    ControlProgramPlan {
        srm: SrmPlan {
            polarization: Polarization::Horizontal,
            method: Method::None,
            cpupad: 0.0,
            excess_use: ExcessUse::None,
            unparking: Unparking::Small,
            slice: Span::from_us(SLICE),
            ..Default::default()
        },
        homes: machine::plan::Homes::InTurn,
        order: machine::plan::VectorOrder::Share,
        horizontal: Stealing::Global,
        vertical: Stealing::Near,
        barriers: [1, 2, 4],
        slice_jitter: Percent::new(0.0),
        lock: LockPlan { mode: LockMode::Shared, hold: Span::ZERO, per_waiter: Span::ZERO, ..LockPlan::default() },
        costs: CostsPlan::default(),
        controller: ControllerPlan {
            every: Span::SECOND * 2,
            history: 1,
            percentile: Percent::new(100.0),
            margin: 0.0,
            tv_threshold: 1.5,
            start: None,
            ..Default::default()
        },
        spin: SpinPlan::default(),
        soft_wait: Span::from_ms(300),
        pause_loop: PauseLoopPlan::default(),
        ..Default::default()
    }
}

/// The same in vertical mode.
pub fn vertical() -> ControlProgramPlan {
    let plain = settings();
    ControlProgramPlan { srm: SrmPlan { polarization: Polarization::Vertical, ..plain.srm }, ..plain }
}

/// This many virtual machines with this many virtual processors each, and a share of 100.
pub fn machines(count: u32, virtual_processors: u32) -> VirtualMachinePlan {
    VirtualMachinePlan {
        name: "VM".into(),
        partition: 0,
        count,
        virtual_processors,
        share: VmShare::Relative(100),
        limit: None,
        footprint: None,
        spin: SpinPlan::default(),
        ..Default::default()
    }
}

/// A dedicated partition of this many logical processors with this control program.
pub fn plan(logical: u32, control_program: ControlProgramPlan, virtual_machines: Vec<VirtualMachinePlan>) -> Plan {
    let partition = PartitionPlan {
        control_program: Some(control_program),
        ..PartitionPlan::new("ZVM", logical, Processors::Dedicated)
    };
    Plan { partitions: vec![partition], virtual_machines, ..Plan::default() }
}

/// The same in a partition that shares its processors by weight.
pub fn weighted(logical: u32, control_program: ControlProgramPlan, virtual_machines: Vec<VirtualMachinePlan>) -> Plan {
    let prsm = PrsmPlan { run_time: None, wait_completion: false, preemption: Preemption::Never };
    let dispatcher = DispatcherPlan::Prsm(prsm);
    let mut plan = plan(logical, control_program, virtual_machines);
    plan.cec = Some(CecPlan { processors: logical, dispatcher, switch: Span::ZERO });
    plan.partitions[0].processors = Processors::Weighted(WeightPlan::new(100));
    plan
}

/// Two cores a chip, two chips a book.
pub fn books(plan: Plan) -> Plan {
    let topology = Topology {
        name: "TEST".into(),
        cores_per_chip: 2,
        chips_per_book: 2,
        cores_per_book: None,
        levels: Vec::new(),
    };
    Plan { topology: Some(topology), ..plan }
}

/// A requester has been served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    pub requester: u32,
    /// On this logical processor.
    pub logical: u32,
    pub charged: Span,
}

/// The state of a logical processor, derived from its signals.
#[derive(Clone, Debug, Default)]
struct Books {
    /// Since when it has been working, if it is.
    working: Option<Tod>,
    /// How long it worked before.
    worked: Span,
    /// Whose stretch it is in.
    on: Occupant,
    /// The stretches that are over.
    spent: Spent,
    depth: u32,
    parked: bool,
}

/// A control program with its requesters.
pub struct System {
    pub control: ControlPrograms,
    pub now: Tod,
    /// The signals of the last transition, and of those that followed from it at once.
    pub said: Vec<Control>,
    /// Everything that was said.
    pub log: Vec<(Tod, Control)>,
    pub served: Vec<Served>,
    /// After each served wake-up: the machine that was charged for the work that followed, and how much.
    pub simulated: Vec<(u32, Span)>,
    /// Logical processors that were wanted, and that had nothing to do any more, in order.
    pub wanted: Vec<u32>,
    pub waits: Vec<u32>,
    /// Those that gave their physical processor up for another, and for which, if they named one.
    pub gave_way: Vec<(u32, Option<u32>)>,
    /// The charges to each virtual processor in stretches that are over, and its use of them.
    pub charged: Vec<Span>,
    pub worked: Vec<Span>,
    books: Vec<Books>,
    standings: Vec<VirtualStanding>,
    /// The machine that asks for the same amount of work again at once, and the amount.
    insatiable: Vec<Option<(u32, Left)>>,
    /// Locks that are given back by requesters that are served next.
    releases: Vec<Release>,
    /// The target of the directed yield of each spinning requester.
    named: Vec<Option<u32>>,
    pending: Vec<(Event, Tod)>,
}

impl System {
    /// Every logical processor is carried by the core of its number.
    pub fn new(plan: &Plan) -> Self {
        let mut system = System::not_carried(plan);
        for logical in 0..plan.partitions[0].logical {
            system.carry(logical, Tod::START);
        }
        system
    }

    /// No logical processor is carried.
    pub fn not_carried(plan: &Plan) -> Self {
        let virtuals: u32 = plan.virtual_machines.iter().map(|kind| kind.count * kind.virtual_processors).sum();
        let mut system = System {
            control: ControlPrograms::new(plan, &Streams::new(1, 0)),
            now: Tod::START,
            said: Vec::new(),
            log: Vec::new(),
            served: Vec::new(),
            simulated: Vec::new(),
            wanted: Vec::new(),
            waits: Vec::new(),
            gave_way: Vec::new(),
            charged: vec![Span::ZERO; virtuals as usize],
            worked: vec![Span::ZERO; virtuals as usize],
            books: vec![Books::default(); plan.partitions[0].logical as usize],
            standings: vec![VirtualStanding::Idle; virtuals as usize],
            insatiable: Vec::new(),
            releases: Vec::new(),
            named: Vec::new(),
            pending: Vec::new(),
        };
        system.act(Tod::START, |control, effects, record| control.begin(Tod::START, effects, record));
        system
    }

    /// Requester n needs the first virtual processor that fits of machine n, for this many microseconds of instructions.
    pub fn ready(&mut self, requester: u32, work_us: u64, at: Tod) {
        self.ready_in(requester, requester, Left::Work(Span::from_us(work_us)), at);
    }

    /// A requester needs a virtual processor of a machine.
    pub fn ready_in(&mut self, machine: u32, requester: u32, left: Left, at: Tod) {
        let who = (Machine(machine), Requester(requester), left);
        self.act(at, |control, effects, record| control.ready(who, at, effects, record));
    }

    /// Requester n wants as much of machine n as it gets, from now on.
    pub fn ready_for_ever(&mut self, requester: u32, at: Tod) {
        self.ready_again_and_again(requester, requester, Left::Work(Span::SECOND * 100_000), at);
    }

    /// A requester needs a virtual processor of a machine, and as much again whenever it has had it.
    pub fn ready_again_and_again(&mut self, machine: u32, requester: u32, left: Left, at: Tod) {
        self.insists(requester, Some((machine, left)));
        self.ready_in(machine, requester, left, at);
    }

    /// The next request of a requester, and its machine, as soon as it has been served; none where it stops.
    pub fn insists(&mut self, requester: u32, on: Option<(u32, Left)>) {
        let index = requester as usize;
        self.insatiable.resize(self.insatiable.len().max(index + 1), None);
        self.insatiable[index] = on;
    }

    /// A requester of machine n spins for a lock that this one holds; this one is the target of its yields.
    pub fn spins(&mut self, machine: u32, (requester, named): (u32, Option<u32>), at: Tod) {
        self.names(requester, named);
        self.ready_in(machine, requester, Left::Spin(SpinLock(0)), at);
    }

    /// A requester names this one when it yields.
    pub fn names(&mut self, requester: u32, named: Option<u32>) {
        let index = requester as usize;
        self.named.resize(self.named.len().max(index + 1), None);
        self.named[index] = named;
    }

    /// The lock is free for the spinners of machine n; by turns, for this one.
    pub fn freed(&mut self, machine: u32, next: Option<u32>, at: Tod) {
        let (machine, releaser, next) = (Machine(machine), Requester(u32::MAX), next.map(Requester));
        let release = Release { machine, releaser, lock: SpinLock(0), next };
        self.act(at, |control, effects, record| control.freed(release, at, effects, record));
    }

    /// A requester of machine n gives the lock back when it is served next; this one is the next in turn.
    pub fn releases(&mut self, machine: u32, (releaser, next): (u32, u32)) {
        let (machine, releaser, next) = (Machine(machine), Requester(releaser), Some(Requester(next)));
        self.releases.push(Release { machine, releaser, lock: SpinLock(0), next });
    }

    /// A requester wants nothing more once it has been served.
    pub fn sated(&mut self, requester: u32) {
        self.insists(requester, None);
    }

    /// The core of its number carries a logical processor.
    pub fn carry(&mut self, logical: u32, at: Tod) {
        let where_to = (Logical(logical), logical);
        self.act(at, |control, effects, record| control.carried(where_to, at, effects, record));
    }

    /// A logical processor is undispatched.
    pub fn drop(&mut self, logical: u32, at: Tod) {
        self.act(at, |control, effects, record| control.dropped(Logical(logical), at, effects, record));
    }

    /// The stretch of a logical processor is over at an instant that must be due.
    pub fn over(&mut self, logical: u32, at: Tod) {
        self.happens(Event::Work(Logical(logical)), at);
    }

    /// SET SRM.
    pub fn set(&mut self, srm: Srm, at: Tod) {
        self.act(at, |control, effects, record| control.set((Partition(0), srm), at, effects, record));
    }

    /// Everything happens that is due up to an instant.
    pub fn run_to(&mut self, at: Tod) {
        while let Some((event, due)) = self.next_event().filter(|(_, due)| *due <= at) {
            self.happens(event, due);
        }
        self.pass_to(at);
    }

    /// The next event, and when; at one instant logical processors come first, then the controller.
    pub fn next_event(&self) -> Option<(Event, Tod)> {
        let rank = |event: &Event| match event {
            Event::Work(Logical(logical)) => (0, *logical),
            Event::Control(Partition(partition)) => (1, *partition),
            Event::Release(Virtual(number)) => (2, *number),
            Event::Transferred(_)
            | Event::Carried(_)
            | Event::PhaseOver(_)
            | Event::Resume(_)
            | Event::Arrival(_)
            | Event::Change
            | Event::Slice(_)
            | Event::Enablement(_)
            | Event::Timer(_)
            | Event::Period(_)
            | Event::Slack(_) => unreachable!("a control program asks for no such event"),
        };
        self.pending.iter().copied().min_by_key(|(event, at)| (*at, rank(event)))
    }

    /// An event that must be due happens.
    pub fn happens(&mut self, event: Event, at: Tod) {
        let due = self.pending.iter().find(|(pending, _)| *pending == event).map(|(_, at)| *at);
        assert_eq!(due, Some(at), "{event:?}");
        self.pending.retain(|(pending, _)| *pending != event);
        self.act(at, |control, effects, record| match event {
            Event::Work(logical) => control.work_over(logical, at, effects, record),
            Event::Control(partition) => control.decide(partition, at, effects, record),
            Event::Release(number) => control.released(number, at, effects, record),
            Event::Transferred(_)
            | Event::Carried(_)
            | Event::PhaseOver(_)
            | Event::Resume(_)
            | Event::Arrival(_)
            | Event::Change
            | Event::Slice(_)
            | Event::Enablement(_)
            | Event::Timer(_)
            | Event::Period(_)
            | Event::Slack(_) => unreachable!("a control program asks for no such event"),
        });
    }

    /// When a logical processor is through with what it does; none where it does nothing.
    pub fn due(&self, logical: u32) -> Option<Tod> {
        self.event(Event::Work(Logical(logical)))
    }

    /// When an event is due.
    pub fn event(&self, event: Event) -> Option<Tod> {
        self.pending.iter().find(|(pending, _)| *pending == event).map(|(_, at)| *at)
    }

    /// The virtual processor on whose behalf a logical one is busy.
    pub fn on(&self, logical: u32) -> Option<u32> {
        let books = &self.books[logical as usize];
        match books.on {
            Occupant::Virtual(number) if books.working.is_some() => Some(number.0),
            Occupant::Virtual(_) | Occupant::ControlProgram | Occupant::Nobody => None,
            Occupant::Requester(_) | Occupant::Handler(_) => unreachable!("a control program has none of these"),
        }
    }

    pub fn standing(&self, number: u32) -> VirtualStanding {
        self.standings[number as usize]
    }

    /// How many wait in the vector of a logical processor.
    pub fn depth(&self, logical: u32) -> u32 {
        self.books[logical as usize].depth
    }

    pub fn is_parked(&self, logical: u32) -> bool {
        self.books[logical as usize].parked
    }

    /// The time that a logical processor has spent so far.
    pub fn spent(&self, logical: u32) -> Spent {
        let mut spent = self.books[logical as usize].spent;
        add(&mut spent, self.control.under_way(Logical(logical), self.now));
        spent
    }

    /// Each dispatch: the virtual processor, its logical processor and the way, in order.
    pub fn dispatched(&self) -> Vec<(u32, u32, Dispatch)> {
        let one = |(_, control): &(Tod, Control)| match control {
            Control::Dispatched(number, logical, how) => Some((number.0, logical.0, *how)),
            _ => None,
        };
        self.log.iter().filter_map(one).collect()
    }

    /// Time passes without anything happening, and the books are right all the time.
    pub fn pass_to(&mut self, at: Tod) {
        assert!(self.now <= at, "the test runs forward");
        assert!(self.next_event().is_none_or(|(_, due)| at <= due), "no event is skipped");
        self.now = at;
        self.time_is_accounted_for();
    }

    fn act(&mut self, at: Tod, transition: impl FnOnce(&mut ControlPrograms, &mut Unbounded, &mut Record)) {
        self.pass_to(at);
        let before = self.log.len();
        let mut effects = Unbounded::default();
        self.transition(&mut effects, transition);
        while let Some(effect) = effects.0.pop_front() {
            self.carry_out(effect, &mut effects);
        }
        self.said = self.log[before..].iter().map(|(_, control)| *control).collect();
        self.every_rule_of_state();
    }

    fn transition(
        &mut self,
        effects: &mut Unbounded,
        transition: impl FnOnce(&mut ControlPrograms, &mut Unbounded, &mut Record),
    ) {
        let mut record = Record::default();
        transition(&mut self.control, effects, &mut record);
        for signal in record.0 {
            self.note(signal);
        }
        self.time_is_accounted_for();
    }

    fn carry_out(&mut self, effect: Effect, effects: &mut Unbounded) {
        match effect {
            Effect::At(event, at) => {
                assert!(self.now <= at, "{event:?} is not in the past");
                self.pending.retain(|(pending, _)| *pending != event);
                self.pending.push((event, at));
            }
            Effect::Never(event) => self.pending.retain(|(pending, _)| *pending != event),
            Effect::Used(requester, logical, charged) => {
                self.serve(Served { requester: requester.0, logical: logical.0, charged }, effects)
            }
            Effect::Yields(requester, logical) => {
                let named = self.named.get(requester.index()).copied().flatten().map(Requester);
                let now = self.now;
                self.transition(effects, |control, effects, record| {
                    control.yields((logical, named), now, effects, record);
                });
            }
            Effect::FindWork(logical) => self.goes_on(logical, effects),
            Effect::Waits(logical) => self.waits.push(logical.0),
            Effect::Wants(logical, _) => self.wanted.push(logical.0),
            Effect::GivesWay(logical, to) => self.gave_way.push((logical.0, to.map(|to| to.0))),
            Effect::Request(..)
            | Effect::Done(_)
            | Effect::Granted(_)
            | Effect::Deliver(_)
            | Effect::Serialize(..)
            | Effect::Ready(_)
            | Effect::Served(..)
            | Effect::Freed(..)
            | Effect::Interrupt(_)
            | Effect::Clear(..)
            | Effect::Dispatched(_)
            | Effect::Calls(..)
            | Effect::Undispatched(_) => unreachable!("a control program does nothing of the kind"),
        }
    }

    /// A requester goes on, and then the logical processor that served it.
    fn serve(&mut self, served: Served, effects: &mut Unbounded) {
        let now = self.now;
        self.served.push(served);
        if let Some(own) = self.releases.iter().position(|release| release.releaser.0 == served.requester) {
            let release = self.releases.remove(own);
            self.transition(effects, |control, effects, record| control.freed(release, now, effects, record));
        }
        if let Some(&Some((machine, left))) = self.insatiable.get(served.requester as usize) {
            let who = (Machine(machine), Requester(served.requester), left);
            self.transition(effects, |control, effects, record| control.ready(who, now, effects, record));
        }
        self.goes_on(Logical(served.logical), effects);
    }

    /// A logical processor goes on after all that its last work has brought about.
    fn goes_on(&mut self, logical: Logical, effects: &mut Unbounded) {
        let (now, mut simulated) = (self.now, None);
        self.transition(effects, |control, effects, record| {
            simulated = control.after_served(logical, now, effects, record);
        });
        self.simulated.extend(simulated.map(|(requester, charged)| (requester.0, charged)));
    }

    fn note(&mut self, signal: Signal) {
        let now = self.now;
        match signal {
            Signal::Stands(logical, standing, occupant) => {
                let books = &mut self.books[logical.index()];
                if let Some(since) = books.working.take() {
                    books.worked += now - since;
                }
                books.on = occupant;
                books.working = (standing == Standing::Working).then_some(now);
            }
            Signal::Control(control) => {
                self.log.push((now, control));
                self.note_control(control);
            }
            other => unreachable!("{other:?} is no signal of a control program"),
        }
    }

    fn note_control(&mut self, control: Control) {
        match control {
            Control::Spent(logical, spent) => {
                add(&mut self.books[logical.index()].spent, spent);
                if let Some(on) = spent.on {
                    self.charged[on.index()] += spent.emulation + spent.chargeable;
                    self.worked[on.index()] += spent.work;
                } else {
                    assert_eq!(spent.emulation + spent.chargeable + spent.work, Span::ZERO, "nobody is charged");
                }
            }
            Control::Stands(number, standing) => self.standings[number.index()] = standing,
            Control::Vector(logical, depth) => self.books[logical.index()].depth = depth,
            Control::Parked(logical, parked) => self.books[logical.index()].parked = parked,
            Control::Dispatched(..)
            | Control::Lock(..)
            | Control::Looked(..)
            | Control::Placed(..)
            | Control::Decided(..)
            | Control::Set(..)
            | Control::LockYield(..)
            | Control::Intercepted(..)
            | Control::LoopExit(..)
            | Control::Diagnosed(..) => {}
        }
    }

    /// The invariants between any two transitions.
    fn every_rule_of_state(&self) {
        for (number, standing) in self.standings.iter().enumerate() {
            assert_eq!(self.control.standing(Virtual(number as u32)), *standing, "the state of {number} was reported");
            // A run of zero length has no stated virtual processor.
            let lasts = |logical: &u32| self.due(*logical) != Some(self.now);
            let has = |logical: &u32| self.on(*logical) == Some(number as u32) && lasts(logical);
            let on = (0..self.books.len() as u32).filter(has).count();
            assert!(on <= 1, "virtual processor {number} is on {on} logical ones");
            assert!(on == 0 || *standing == VirtualStanding::Running, "{number} has a logical processor: {standing:?}");
        }
    }

    /// The spent time of each logical processor, and the stretch under way, add up to its busy time, to the last unit.
    fn time_is_accounted_for(&self) {
        for (number, books) in self.books.iter().enumerate() {
            let busy = books.worked + books.working.map_or(Span::ZERO, |since| self.now - since);
            let spent = self.spent(number as u32);
            assert_eq!(
                spent.emulation + spent.chargeable + spent.system,
                busy,
                "logical processor {number} at {}",
                self.now
            );
            assert!(spent.spin <= spent.system && spent.work + spent.spinning <= spent.emulation, "{spent:?}");
        }
    }
}

fn add(sum: &mut Spent, spent: Spent) {
    sum.emulation += spent.emulation;
    sum.chargeable += spent.chargeable;
    sum.system += spent.system;
    sum.spin += spent.spin;
    sum.work += spent.work;
    sum.spinning += spent.spinning;
}
