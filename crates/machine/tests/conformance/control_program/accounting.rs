//! Accounting: is every unit of time charged, at any instant, whatever happens?
//!
//! The test stand holds every transition of every test in this folder to the same: what a logical processor has spent, and
//! what is under way, is the time that it was busy, to the last unit.

use super::stand::{System, machines, plan, s, settings, vertical, weighted};
use crate::stand::us;
use kernel::draw::{Draw, Streams};
use machine::control_program::Left;
use machine::ids::{Logical, Virtual};
use machine::plan::control_program::{
    ControlProgramPlan, CostsPlan, Footprint, LockMode, LockPlan, Method, Polarization, SrmPlan, Stealing, Unparking,
    VirtualMachinePlan, VmShare,
};
use machine::plan::topology::{CacheLevel, SharedBy, Topology};
use machine::plan::{Plan, Srm};
use machine::signal::control_program::Spent;
use machine::signal::control_program::VirtualStanding::Idle;
use units::{Percent, Span, Tod};

const MACHINES: u32 = 4;
const REQUESTERS: u32 = 12;

/// Everything costs something: 7 us of the lock and 10 to wake, 2 to dispatch, 5 to enter, 4 to wait, 3 to simulate that.
fn costly() -> ControlProgramPlan {
    let us = Span::from_us;
    let costs = CostsPlan {
        wake: us(10),
        dispatch: us(2),
        wait: us(4),
        simulate: us(3),
        look: us(1),
        entry: us(5),
        park: us(50),
        ..CostsPlan::default()
    };
    let lock = LockPlan { mode: LockMode::Shared, hold: us(7), per_waiter: us(1), ..LockPlan::default() };
    ControlProgramPlan { costs, lock, ..settings() }
}

/// Spinning and the control program's own path, then a guest with an entry before it, then the control program for it.
#[test]
fn under_way_is_the_time_that_has_passed_in_the_order_of_its_parts() {
    let mut system = System::new(&plan(1, costly(), vec![machines(1, 1)]));
    system.run_to(us(1));
    system.ready(0, 100, us(100));
    let at = |system: &mut System, at: u64| {
        system.pass_to(us(at));
        let Spent { on, emulation, chargeable, system, spin, work, .. } = system.control.under_way(Logical(0), us(at));
        let parts = [emulation, chargeable, system, spin, work];
        (on, parts.map(|part| part.units() as f64 / 4096.0))
    };
    assert_eq!(at(&mut system, 108), (None, [0.0, 0.0, 8.0, 0.0, 0.0]));
    system.over(0, us(117));
    let on = Some(Virtual(0));
    assert_eq!(at(&mut system, 118), (on, [0.0, 0.0, 1.0, 0.0, 0.0]), "dispatching");
    assert_eq!(at(&mut system, 122), (on, [3.0, 0.0, 2.0, 0.0, 0.0]), "entering");
    assert_eq!(at(&mut system, 164), (on, [45.0, 0.0, 2.0, 0.0, 40.0]), "running");
    system.over(0, us(224));
    assert_eq!(at(&mut system, 230), (on, [0.0, 0.0, 6.0, 0.0, 0.0]), "list work");
    assert_eq!(at(&mut system, 237), (on, [0.0, 2.0, 11.0, 0.0, 0.0]), "simulating");
    system.over(0, us(238));
    assert_eq!(at(&mut system, 239), (None, [0.0, 0.0, 1.0, 0.0, 0.0]), "looking");
    system.run_to(us(300));
    assert_eq!(at(&mut system, 300), (None, [0.0; 5]), "idle");
}

#[test]
fn looking_at_what_is_under_way_changes_nothing() {
    let mut looked_at = System::new(&any(3, true));
    let mut left_alone = System::new(&any(3, true));
    for requester in 0..REQUESTERS {
        for system in [&mut looked_at, &mut left_alone] {
            let left = Left::Work(Span::from_us(300));
            system.ready_again_and_again(requester % MACHINES, requester, left, us(0));
        }
    }
    for at in 0..2_000 {
        looked_at.run_to(us(37 * at));
    }
    left_alone.run_to(us(37 * 1_999));
    assert_eq!(looked_at.log, left_alone.log);
}

/// Caches of a core and of a chip, too small for the storage of all.
fn topology() -> Topology {
    let level = |name: &str, shared_by, kib, beyond| CacheLevel { name: name.into(), shared_by, kib, beyond };
    let levels = vec![level("L2", SharedBy::Core, 1_000, 1.5), level("L3", SharedBy::Chip, 3_000, 3.0)];
    Topology { name: "TEST".into(), cores_per_chip: 2, chips_per_book: 2, cores_per_book: None, levels }
}

/// Some control program of six logical processors, carried all the time or not, with four virtual machines.
fn any(seed: u64, all_the_time: bool) -> Plan {
    let mut draw = Streams::new(seed, 0).stream("plan");
    let pick = |draw: &mut Draw, of: &[u64]| Span::from_us(of[draw.below(of.len() as u32) as usize]);
    let plain = if draw.below(2) == 0 { costly() } else { ControlProgramPlan { srm: vertical().srm, ..costly() } };
    let method = [Method::Reshuffle, Method::Rebalance, Method::None][draw.below(3) as usize];
    let unparking = [Unparking::Large, Unparking::Small][draw.below(2) as usize];
    let costs = CostsPlan {
        wake: pick(&mut draw, &[0, 10]),
        dispatch: pick(&mut draw, &[0, 2]),
        wait: pick(&mut draw, &[0, 4]),
        simulate: pick(&mut draw, &[0, 3]),
        look: pick(&mut draw, &[0, 1]),
        entry: pick(&mut draw, &[0, 5]),
        park: pick(&mut draw, &[0, 50]),
        ..CostsPlan::default()
    };
    let mode = [LockMode::Shared, LockMode::Exclusive][draw.below(2) as usize];
    let lock =
        LockPlan { mode, hold: pick(&mut draw, &[0, 7]), per_waiter: pick(&mut draw, &[0, 1]), ..LockPlan::default() };
    let mut controller = plain.controller;
    controller.every = Span::from_ms(2);
    let settings = ControlProgramPlan {
        srm: SrmPlan { method, unparking, slice: pick(&mut draw, &[200, 1_000]), ..plain.srm },
        horizontal: [Stealing::Global, Stealing::Eager][draw.below(2) as usize],
        vertical: [Stealing::Near, Stealing::Eager][draw.below(2) as usize],
        slice_jitter: Percent::new(25.0 * f64::from(draw.below(2))),
        costs,
        lock,
        controller,
        ..plain
    };
    let footprint = Footprint { kib: 800, touched_in: Span::from_us(200) };
    let kinds = (0..MACHINES).map(|kind| VirtualMachinePlan {
        virtual_processors: 1 + draw.below(3),
        share: VmShare::Relative(100 * (1 + draw.below(3))),
        limit: (kind == 0).then_some(Percent::new(10.0)),
        footprint: (draw.below(2) == 0).then_some(footprint),
        ..machines(1, 1)
    });
    let kinds = kinds.collect();
    let plan = if all_the_time { plan(6, settings, kinds) } else { weighted(6, settings, kinds) };
    Plan { topology: Some(topology()), ..plan }
}

/// What happens to a system: requesters come, processors come and go, settings change.
struct Life {
    system: System,
    draw: Draw,
    carried: [bool; 6],
    /// How many calls there were of each that is not carried before it was dropped.
    called: [usize; 6],
    /// The work that each requester has asked for and not been given.
    asked: Vec<Option<Left>>,
    all_the_time: bool,
}

impl Life {
    fn new(seed: u64, all_the_time: bool) -> Life {
        let system = System::new(&any(seed, all_the_time));
        let draw = Streams::new(seed, 1).stream("life");
        Life { system, draw, carried: [true; 6], called: [0; 6], asked: vec![None; REQUESTERS as usize], all_the_time }
    }

    /// Something happens before anything else is due, or else what is due.
    fn goes_on(&mut self) {
        let at = self.system.now + Span::from_units(u64::from(self.draw.below(4096 * 60)));
        if let Some((event, due)) = self.system.next_event().filter(|(_, due)| *due < at) {
            let served = self.system.served.len();
            self.system.happens(event, due);
            for served in &self.system.served[served..] {
                assert!(self.asked[served.requester as usize].take().is_some(), "served once");
            }
            return;
        }
        self.system.pass_to(at);
        match self.draw.below(20) {
            0 if !self.all_the_time => self.carry_or_drop(at),
            1 => {
                let to = [Polarization::Horizontal, Polarization::Vertical][self.draw.below(2) as usize];
                self.system.set(Srm::Polarization(to), at);
            }
            2 => self.system.set(Srm::CpuPad(f64::from(self.draw.below(4))), at),
            _ => self.ask(at),
        }
    }

    fn carry_or_drop(&mut self, at: Tod) {
        let logical = self.draw.below(6);
        if self.carried[logical as usize] {
            self.called[logical as usize] = self.calls(logical);
            self.system.drop(logical, at);
        } else {
            self.system.carry(logical, at);
        }
        self.carried[logical as usize] = !self.carried[logical as usize];
    }

    fn ask(&mut self, at: Tod) {
        let requester = self.draw.below(REQUESTERS);
        if self.asked[requester as usize].is_none() {
            let span = Span::from_units(1 + u64::from(self.draw.below(4096 * 400)));
            let left = if self.draw.below(2) == 0 { Left::Work(span) } else { Left::Charged(span) };
            self.asked[requester as usize] = Some(left);
            self.system.ready_in(requester % MACHINES, requester, left, at);
        }
    }

    /// How often a processor was called.
    fn calls(&self, logical: u32) -> usize {
        self.system.wanted.iter().filter(|wanted| **wanted == logical).count()
    }

    /// No requester asks for more, and every processor that is wanted is dispatched.
    fn ends(&mut self) {
        let end = self.system.now + Span::SECOND;
        self.carry_who_is_wanted();
        while let Some((event, due)) = self.system.next_event().filter(|(_, due)| *due <= end) {
            self.system.happens(event, due);
            self.carry_who_is_wanted();
        }
    }

    fn carry_who_is_wanted(&mut self) {
        for logical in 0..6 {
            if !self.carried[logical as usize] && self.calls(logical) > self.called[logical as usize] {
                self.carried[logical as usize] = true;
                self.system.carry(logical, self.system.now);
            }
        }
    }
}

/// A wake-up is never lost, and time is charged to its user alone (the test stand checks, at every transition).
#[test]
fn whatever_happens_all_are_served_and_time_adds_up() {
    for seed in 0..60 {
        for all_the_time in [true, false] {
            let mut life = Life::new(seed, all_the_time);
            (0..1_500).for_each(|_| life.goes_on());
            let (asked, served) = (life.asked.iter().flatten().count(), life.system.served.len());
            life.ends();
            assert_eq!(life.system.served.len(), served + asked, "plan {seed}, carried all the time: {all_the_time}");
            let virtuals = life.system.charged.len() as u32;
            assert!((0..virtuals).all(|number| life.system.standing(number) == Idle), "plan {seed}");
            let of_logical = (0..6).map(|logical| life.system.spent(logical));
            let charged: Span = of_logical.map(|spent| spent.emulation + spent.chargeable).sum();
            assert_eq!(charged, life.system.charged.iter().copied().sum::<Span>(), "plan {seed}");
        }
    }
}

/// Work is as much as was asked for, whatever interrupts it; a unit may be lost where it is cut.
#[test]
fn work_is_done_once() {
    for seed in 0..20 {
        let mut system = System::new(&any(seed, true));
        let work = Span::from_us(1_500);
        for requester in 0..REQUESTERS {
            let at = us(u64::from(requester) * 70);
            system.run_to(at);
            system.ready_in(requester % MACHINES, requester, Left::Work(work), at);
        }
        system.run_to(s(1));
        let done: Span = system.worked.iter().copied().sum();
        let asked = work * u64::from(REQUESTERS);
        let (more, less) = (done.max(asked), done.min(asked));
        assert!((more - less).units() <= system.log.len() as u64, "plan {seed}: {done} of {asked}");
    }
}
