//! Random machines that contend for locks while processors come and go: does a spinner take every free lock?

use super::spinners::{costly, diagnosed, spinning};
use super::stand::{System, books, plan, settings, vertical, weighted};
use kernel::draw::{Draw, Streams};
use machine::control_program::Left;
use machine::event::Event;
use machine::ids::SpinLock;
use machine::plan::control_program::{
    ControlProgramPlan, CostsPlan, LockMode, LockPlan, LoopTarget, PauseLoopPlan, Polarization, Stealing,
    VirtualMachinePlan, Yields,
};
use machine::plan::{Plan, Srm};
use std::collections::BTreeSet;
use units::{Percent, Span, Tod};

const LOGICAL: u32 = 4;
const EACH: u32 = 4;
const MACHINES: u32 = 2;
/// More at one instant is a storm: nothing here takes place more than a few times for each processor.
const MOST_AT_ONCE: usize = 200;

fn pick(draw: &mut Draw, of: &[u64]) -> Span {
    Span::from_us(of[draw.below(of.len() as u32) as usize])
}

/// Some control program, and machines that spin in some way.
fn any(seed: u64, all_the_time: bool) -> Plan {
    let mut draw = Streams::new(seed, 0).stream("plan");
    let plain = costly(if draw.below(2) == 0 { settings() } else { vertical() });
    let costs = CostsPlan {
        wake: pick(&mut draw, &[0, 3, 10]),
        look: pick(&mut draw, &[0, 1]),
        entry: pick(&mut draw, &[0, 5]),
        park: pick(&mut draw, &[0, 50]),
        x44: pick(&mut draw, &[0, 3]),
        x9c: pick(&mut draw, &[0, 4, 60]),
        ..plain.costs
    };
    let mode = [LockMode::Shared, LockMode::Exclusive][draw.below(2) as usize];
    let lock = LockPlan {
        mode,
        hold: pick(&mut draw, &[0, 0, 7]),
        per_waiter: pick(&mut draw, &[0, 1]),
        ..LockPlan::default()
    };
    let mut controller = plain.controller;
    controller.every = Span::from_ms(2);
    let stealing = [Stealing::Global, Stealing::Free, Stealing::Eager, Stealing::Near];
    let (horizontal, vertical) = (stealing[draw.below(4) as usize], stealing[draw.below(4) as usize]);
    let soft_wait = pick(&mut draw, &[20, 300_000]);
    let (gap, window, most) = (Span::from_us(5), pick(&mut draw, &[3, 20]), Span::from_us(100));
    let target = [LoopTarget::Preempted, LoopTarget::Next][draw.below(2) as usize];
    let pause_loop = PauseLoopPlan { gap, window, most, shrink: draw.below(3), target, ..PauseLoopPlan::default() };
    let settings = ControlProgramPlan { costs, lock, controller, horizontal, vertical, soft_wait, pause_loop, ..plain };
    let yields = [Yields::Never, Yields::X44, Yields::X9C, Yields::SenseRunning, Yields::PauseLoop];
    let kind = |_| VirtualMachinePlan {
        limit: (draw.below(4) == 0).then_some(Percent::new(25.0)),
        ..spinning(1 + draw.below(EACH), yields[draw.below(5) as usize], [0, 1, 3, 40][draw.below(4) as usize])
    };
    let kinds = (0..MACHINES).map(kind).collect();
    books(if all_the_time { plan(LOGICAL, settings, kinds) } else { weighted(LOGICAL, settings, kinds) })
}

/// The activity of a requester.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    Nothing,
    Spins,
    Holds,
}

/// Requester n is one of machine n modulo how many there are; each machine has one lock.
struct Contest {
    system: System,
    /// How many virtual processors each machine has.
    virtuals: Vec<usize>,
    draw: Draw,
    does: Vec<Does>,
    /// Whether they go by turns, and whose turn it is in each machine, the next first.
    by_turns: bool,
    queues: Vec<Vec<u32>>,
    carried: [bool; LOGICAL as usize],
    served: usize,
}

impl Contest {
    fn new(seed: u64, all_the_time: bool) -> Contest {
        let mut draw = Streams::new(seed, 1).stream("contest");
        let plan = any(seed, all_the_time);
        Contest {
            system: System::new(&plan),
            virtuals: plan.virtual_machines.iter().map(|kind| kind.virtual_processors as usize).collect(),
            by_turns: draw.below(2) == 0,
            draw,
            does: vec![Does::Nothing; (EACH * MACHINES) as usize],
            queues: vec![Vec::new(); MACHINES as usize],
            carried: [true; LOGICAL as usize],
            served: 0,
        }
    }

    fn is_free(&self, machine: u32) -> bool {
        let own = (machine..EACH * MACHINES).step_by(MACHINES as usize);
        own.into_iter().all(|requester| self.does[requester as usize] != Does::Holds)
    }

    fn may_have_it(&self, requester: u32) -> bool {
        let machine = requester % MACHINES;
        let turn = self.queues[machine as usize].first().is_none_or(|first| *first == requester);
        self.is_free(machine) && (!self.by_turns || turn)
    }

    /// A failed try is to be repeated.
    fn who_may_succeed(&mut self) {
        for requester in 0..EACH * MACHINES {
            if self.does[requester as usize] == Does::Spins && !self.may_have_it(requester) {
                self.system.insists(requester, Some((requester % MACHINES, Left::Spin(SpinLock(0)))));
            } else {
                self.system.sated(requester);
            }
            let machine = requester % MACHINES;
            let own = (machine..EACH * MACHINES).step_by(MACHINES as usize);
            let holder = own.into_iter().find(|other| self.does[*other as usize] == Does::Holds);
            self.system.names(requester, holder.or_else(|| self.queues[machine as usize].first().copied()));
        }
    }

    fn happens(&mut self, event: Event, at: Tod) {
        self.who_may_succeed();
        self.system.happens(event, at);
        self.served();
    }

    fn served(&mut self) {
        while self.served < self.system.served.len() {
            let requester = self.system.served[self.served].requester;
            self.served += 1;
            let (machine, now) = (requester % MACHINES, self.system.now);
            match self.does[requester as usize] {
                Does::Spins if self.may_have_it(requester) => {
                    self.queues[machine as usize].retain(|other| *other != requester);
                    self.holds(requester, now);
                }
                Does::Spins => {}
                Does::Holds => {
                    self.does[requester as usize] = Does::Nothing;
                    let next = self.queues[machine as usize].first().copied().filter(|_| self.by_turns);
                    self.system.freed(machine, next, now);
                }
                Does::Nothing => unreachable!("only requests are served"),
            }
        }
    }

    fn holds(&mut self, requester: u32, now: Tod) {
        self.does[requester as usize] = Does::Holds;
        let span = Span::from_units(1 + u64::from(self.draw.below(4096 * 40)));
        self.system.ready_in(requester % MACHINES, requester, Left::Work(span), now);
    }

    fn comes(&mut self, now: Tod) {
        let requester = self.draw.below(EACH * MACHINES);
        if self.does[requester as usize] != Does::Nothing || self.does_not_fit(requester) {
            return;
        }
        let machine = requester % MACHINES;
        if self.is_free(machine) && (!self.by_turns || self.queues[machine as usize].is_empty()) {
            return self.holds(requester, now);
        }
        self.does[requester as usize] = Does::Spins;
        self.queues[machine as usize].push(requester);
        self.system.ready_in(machine, requester, Left::Spin(SpinLock(0)), now);
    }

    /// A requester that holds a lock or spins for it has a virtual processor.
    fn does_not_fit(&self, requester: u32) -> bool {
        let own = (requester % MACHINES..EACH * MACHINES).step_by(MACHINES as usize);
        let busy = own.into_iter().filter(|other| self.does[*other as usize] != Does::Nothing).count();
        busy >= self.virtuals[(requester % MACHINES) as usize]
    }

    /// Something happens, at an instant of its own or at that of something that is due.
    fn goes_on(&mut self, all_the_time: bool) {
        let due = self.system.next_event();
        let soon = self.system.now + Span::from_units(u64::from(self.draw.below(4096 * 20)));
        let (at, first) = match due {
            Some((event, due)) if due <= soon && self.draw.below(8) > 0 => return self.happens(event, due),
            Some((_, due)) if due <= soon => (due, true),
            Some(_) | None => (soon, false),
        };
        self.who_may_succeed();
        match self.draw.below(if first { 4 } else { 40 }) {
            0 if !all_the_time => self.carry_or_drop(at),
            1 => {
                let to = [Polarization::Horizontal, Polarization::Vertical][self.draw.below(2) as usize];
                self.system.set(Srm::Polarization(to), at);
            }
            _ => {
                self.system.pass_to(at);
                self.comes(at);
            }
        }
        self.served();
    }

    fn carry_or_drop(&mut self, at: Tod) {
        let logical = self.draw.below(LOGICAL);
        let carried = &mut self.carried[logical as usize];
        *carried = !*carried;
        if *carried { self.system.carry(logical, at) } else { self.system.drop(logical, at) }
    }

    /// There are no more arrivals and every processor is dispatched: every spinner gets the lock at last.
    fn ends(&mut self) {
        let now = self.system.now;
        for logical in 0..LOGICAL {
            if !std::mem::replace(&mut self.carried[logical as usize], true) {
                self.who_may_succeed();
                self.system.carry(logical, now);
                self.served();
            }
        }
        let end = now + Span::SECOND;
        let (mut at_once, mut last) = (0, now);
        while let Some((event, due)) = self.system.next_event().filter(|(_, due)| *due <= end) {
            at_once = if due == last { at_once + 1 } else { 0 };
            last = due;
            assert!(at_once < MOST_AT_ONCE, "a storm at {due}: {event:?}");
            self.happens(event, due);
            if self.does.iter().all(|does| *does == Does::Nothing) {
                return;
            }
        }
    }
}

#[test]
fn whatever_happens_a_spinner_takes_every_free_lock() {
    let mut outcomes = BTreeSet::new();
    for seed in 0..150 {
        for all_the_time in [true, false] {
            let mut contest = Contest::new(seed, all_the_time);
            (0..1_000).for_each(|_| contest.goes_on(all_the_time));
            contest.ends();
            let at = contest.system.now;
            assert!(contest.does.iter().all(|does| *does == Does::Nothing), "plan {seed}, {at}: {:?}", contest.does);
            outcomes.extend(diagnosed(&contest.system).into_iter().map(|(.., what)| format!("{what:?}")));
        }
    }
    assert_eq!(outcomes.len(), 11, "yields have had every outcome: {outcomes:?}");
}
