//! Laws of any control program: no virtual processor runs in two places, no wake-up is lost, every instruction is run once,
//! and totals add up.

use super::any_control_program::{any_control_programs, constant};
use super::cases;
use super::spin_locks::AllLocks;
use crate::observed::Observed;
use kernel::calendar::TreeCalendar;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::ids::{Logical, Virtual};
use machine::plan::{Arrival, GuestPlan, Plan, RunsInPlan, Step};
use machine::signal::{Control, Occupant, Probe, Signal, VirtualStanding};
use machine::world::World;
use measures::{ControlProgramTotals, Figure, IntervalTotals, VirtualMachineTotals};
use monitor::{Measurement, replicate};
use proptest::prelude::*;
use units::{Span, Tod};

/// Where each virtual processor is and the work done for it, from signals; asserts that none is in two places.
#[derive(Debug)]
struct Whereabouts {
    /// Where each virtual processor was dispatched, as long as it has not left.
    at: Vec<Option<Logical>>,
    /// The virtual processor of each logical processor.
    has: Vec<Option<Virtual>>,
    stands: Vec<VirtualStanding>,
    /// Of each virtual processor: what it ran, and what that would have been in warm caches.
    emulation: Vec<Span>,
    work: Vec<Span>,
    /// Of each group: how many bursts are through.
    computed: Vec<u32>,
}

impl Whereabouts {
    fn of(plan: &Plan) -> Self {
        let virtuals: u32 = plan.virtual_machines.iter().map(|kind| kind.count * kind.virtual_processors).sum();
        let logicals: u32 = plan.partitions.iter().map(|partition| partition.logical).sum();
        let virtuals = virtuals as usize;
        Whereabouts {
            at: vec![None; virtuals],
            has: vec![None; logicals as usize],
            stands: vec![VirtualStanding::Idle; virtuals],
            emulation: vec![Span::ZERO; virtuals],
            work: vec![Span::ZERO; virtuals],
            computed: vec![0; plan.groups()],
        }
    }

    fn occupies(&mut self, runner: Virtual, logical: Logical) {
        let at = self.at[runner.index()].replace(logical);
        assert!(at.is_none_or(|at| at == logical), "{logical:?} runs {runner:?}, which is on {at:?}");
        let has = self.has[logical.index()].replace(runner);
        assert!(has.is_none_or(|has| has == runner), "{logical:?} runs {runner:?} and has {has:?}");
    }

    fn control(&mut self, control: Control) {
        match control {
            Control::Dispatched(runner, logical, _) => self.occupies(runner, logical),
            Control::Stands(runner, standing) => {
                self.stands[runner.index()] = standing;
                match standing {
                    VirtualStanding::Running | VirtualStanding::Interrupted => {}
                    VirtualStanding::Idle
                    | VirtualStanding::Waking
                    | VirtualStanding::Ready
                    | VirtualStanding::Halted
                    | VirtualStanding::Limited => {
                        if let Some(logical) = self.at[runner.index()].take() {
                            self.has[logical.index()] = None;
                        }
                    }
                }
            }
            Control::Spent(_, spent) => {
                assert!(spent.work <= spent.emulation, "no work is faster than in warm caches");
                assert!(spent.spin <= spent.system, "spinning is the control program's");
                assert!(spent.work + spent.spinning <= spent.emulation, "a spinner does no work");
                if let Some(runner) = spent.on {
                    self.emulation[runner.index()] += spent.emulation;
                    self.work[runner.index()] += spent.work;
                } else {
                    assert_eq!(spent.emulation + spent.chargeable, Span::ZERO, "somebody is charged");
                }
            }
            Control::Vector(..)
            | Control::Lock(..)
            | Control::LockYield(..)
            | Control::LoopExit(..)
            | Control::Looked(..)
            | Control::Parked(..)
            | Control::Placed(..)
            | Control::Decided(..)
            | Control::Set(..)
            | Control::Intercepted(..)
            | Control::Diagnosed(..) => {}
        }
    }
}

impl Probe for Whereabouts {
    fn signal(&mut self, _now: Tod, signal: Signal) {
        if let Signal::Control(control) = signal {
            self.control(control);
        }
        if let Signal::Stands(logical, _, Occupant::Virtual(runner)) = signal {
            self.occupies(runner, logical);
        }
        if let Signal::Computed(group, _) = signal {
            self.computed[group.index()] += 1;
        }
    }
}

type Machine = World<TreeCalendar, Observed>;

fn built(plan: &Plan, seed: u64) -> Machine {
    let mut world: Machine = World::new(plan, &Streams::new(seed, 0), Observed::by(Whereabouts::of(plan)));
    world.count_from(Tod::START + Span::from_us(1_000));
    world
}

/// The place of each virtual processor, as the control program has it.
fn everybody_is_where_he_is_said_to_be(world: &Machine) -> Result<(), TestCaseError> {
    let seen: &Whereabouts = world.probe.seen();
    for (number, stands) in seen.stands.iter().enumerate() {
        let runner = Virtual(number as u32);
        prop_assert_eq!(world.control.standing(runner), *stands);
        let runs = matches!(stands, VirtualStanding::Running | VirtualStanding::Interrupted);
        prop_assert_eq!(runs, seen.at[number].is_some(), "{:?} {:?}", runner, stands);
    }
    Ok(())
}

/// Both observers of a machine, as they are now.
fn both(world: &Machine) -> &(Whereabouts, AllLocks) {
    world.probe.seen()
}

const BURSTS: u32 = 12;

/// The same plan with guests that come to an end: each thinks, computes, takes the locks of its machine and is answered
/// some times, then sleeps for an hour.
fn that_ends(mut plan: Plan) -> Plan {
    for guest in &mut plan.guests {
        let first = |step: &Step| match step {
            Step::Compute(of) | Step::Think(of) => Some(constant(*of)),
            _ => None,
        };
        let mean = guest.program.iter().find_map(first).unwrap_or(Distribution::Constant(Span::from_us(77)));
        let shared = |step: &&Step| matches!(step, Step::Lock { .. } | Step::Exchange { .. });
        let mut program = vec![Step::Think(mean), Step::Compute(mean)];
        program.extend(guest.program.iter().filter(shared).map(|step| always(step, mean)));
        let (arrival, program) = match guest.arrival {
            Arrival::Spawned => (Arrival::Spawned, program),
            Arrival::Closed { count } => (Arrival::Closed { count }, some_times(program)),
            Arrival::Open { .. } | Arrival::Replay { .. } => (Arrival::Closed { count: 4 }, some_times(program)),
        };
        *guest = GuestPlan { arrival, program, ..guest.clone() };
    }
    plan
}

fn some_times(steps: Vec<Step>) -> Vec<Step> {
    let hour = Step::Think(Distribution::Constant(Span::SECOND * 3_600));
    vec![Step::Repeat { times: BURSTS, steps }, hour]
}

/// A step with locks that always computes for so long.
fn always(step: &Step, mean: Distribution) -> Step {
    let inside = |steps: &[Step]| steps.iter().map(|step| always(step, mean)).collect();
    match step {
        Step::Compute(_) => Step::Compute(mean),
        Step::Lock { lock, steps } => Step::Lock { lock: *lock, steps: inside(steps) },
        Step::Repeat { times, steps } => Step::Repeat { times: *times, steps: inside(steps) },
        other => other.clone(),
    }
}

/// How often steps compute, how long that takes in all, and which group answers them.
fn work_of(steps: &[Step]) -> (u32, Span, Option<usize>) {
    let mut all = (0, Span::ZERO, None);
    for step in steps {
        let (often, long, answers) = match step {
            Step::Compute(of) => (1, of.mean(), None),
            // It is signalled as computing, and no instruction of the guest's own is run for it.
            Step::Intercept(_) => (1, Span::ZERO, None),
            Step::Lock { steps, .. } => work_of(steps),
            Step::Repeat { times, steps } => {
                let (often, long, answers) = work_of(steps);
                (often * times, long * u64::from(*times), answers)
            }
            Step::Exchange { guest, .. } => (0, Span::ZERO, Some(*guest)),
            _ => (0, Span::ZERO, None),
        };
        all = (all.0 + often, all.1 + long, all.2.or(answers));
    }
    all
}

/// How often each group of a plan that ends computes, and for how long in all.
fn work_of_groups(plan: &Plan) -> Vec<(u32, Span)> {
    let mut all = vec![(0, Span::ZERO); plan.guests.len()];
    for (number, guest) in plan.guests.iter().enumerate() {
        let Arrival::Closed { count } = guest.arrival else { continue };
        let (often, long, answers) = work_of(&guest.program);
        all[number] = (often * count, long * u64::from(count));
        if let Some(answering) = answers {
            let (often, long, _) = work_of(&plan.guests[answering].program);
            let calls = count * BURSTS;
            all[answering] = (often * calls, long * u64::from(calls));
        }
    }
    all
}

fn virtuals_of(plan: &Plan, machines: usize) -> std::ops::Range<usize> {
    let virtuals = |of: &[machine::plan::VirtualMachinePlan]| -> usize {
        of.iter().map(|kind| (kind.count * kind.virtual_processors) as usize).sum()
    };
    virtuals(&plan.virtual_machines[..machines])..virtuals(&plan.virtual_machines[..=machines])
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs() + b.abs())
}

fn sum<'a, T: 'a>(rows: impl IntoIterator<Item = &'a T>, figure: fn(&T) -> Figure) -> f64 {
    rows.into_iter().map(|row| figure(row).value).sum()
}

/// Yields are those of all machines, and each has come to something.
fn yields_add_up(row: &ControlProgramTotals, machines: &[&VirtualMachineTotals]) -> Result<(), TestCaseError> {
    let came_of_it = [
        &row.x9c_yielded_per_s,
        &row.x9c_not_ready_per_s,
        &row.x9c_wait_per_s,
        &row.x9c_soft_wait_per_s,
        &row.x9c_dispatched_per_s,
    ];
    prop_assert!(close(came_of_it.iter().map(|figure| figure.value).sum(), row.x9c_per_s.value));
    prop_assert!(close(row.x44_per_s.value + row.x9c_per_s.value, row.diagnoses_per_s.value));
    prop_assert!(row.fast_x44_per_s.value <= row.x44_per_s.value);
    let all = || machines.iter().copied();
    prop_assert!(close(sum(all(), |vm| vm.x44_per_s), row.x44_per_s.value));
    prop_assert!(close(sum(all(), |vm| vm.fast_x44_per_s), row.fast_x44_per_s.value));
    prop_assert!(close(sum(all(), |vm| vm.x9c_per_s), row.x9c_per_s.value));
    prop_assert!(close(sum(all(), |vm| vm.intercepts_per_s), row.intercepts_per_s.value));
    prop_assert!(close(sum(all(), |vm| vm.spinning_percent), row.spinning_percent.value));
    Ok(())
}

/// A lock is acquired with or without spinning, and is not held for longer than there is time.
fn locks_add_up(totals: &IntervalTotals) -> Result<(), TestCaseError> {
    for row in &totals.spin_locks {
        prop_assert!(row.contended_per_s.value <= row.taken_per_s.value + 1e-9, "{row:?}");
        prop_assert!((0.0..=100.0 + 1e-9).contains(&row.held_percent.value), "{row:?}");
        prop_assert!(row.wait_us.value <= 1e3 * row.longest_wait_ms.value + 1e-6, "{row:?}");
    }
    Ok(())
}

/// The parts of a control program are those of its processors and of its machines.
fn totals_add_up(plan: &Plan, totals: &IntervalTotals) -> Result<(), TestCaseError> {
    for row in &totals.control_programs {
        let own = totals.control_processors.iter().filter(|processor| processor.partition == row.partition);
        let own: Vec<_> = own.collect();
        prop_assert!(close(
            sum(own.iter().copied(), |processor| processor.emulation_percent),
            row.guests_percent.value
        ));
        prop_assert!(close(
            sum(own.iter().copied(), |processor| processor.chargeable_cp_percent),
            row.chargeable_cp_percent.value
        ));
        let system = row.nonchargeable_cp_percent.value;
        prop_assert!(close(sum(own.iter().copied(), |processor| processor.nonchargeable_cp_percent), system));
        prop_assert!(close(
            sum(own.iter().copied(), |processor| processor.dispatches_per_s),
            row.dispatches_per_s.value
        ));
        prop_assert!(close(sum(own.iter().copied(), |processor| processor.looks_per_s), row.looks_per_s.value));
        let machines = totals.virtual_machines.iter().filter(|machine| machine.partition == row.partition);
        let machines: Vec<_> = machines.collect();
        prop_assert!(close(sum(machines.iter().copied(), |vm| vm.emulation_percent), row.guests_percent.value));
        prop_assert!(close(sum(machines.iter().copied(), |vm| vm.work_percent), row.work_percent.value));
        prop_assert!(close(sum(machines.iter().copied(), |vm| vm.ready_wait), row.ready.value));
        prop_assert!(close(sum(machines.iter().copied(), |vm| vm.dispatches_per_s), row.dispatches_per_s.value));
        prop_assert!(sum(machines.iter().copied(), |vm| vm.share) < 100.0 + 1e-9, "nothing is promised twice");
        prop_assert!(row.work_percent.value + row.spinning_percent.value <= row.guests_percent.value + 1e-9);
        yields_add_up(row, &machines)?;
    }
    let kinds = plan.virtual_machines.iter().flat_map(|kind| (0..kind.count).map(move |_| kind));
    for (row, kind) in totals.virtual_machines.iter().zip(kinds) {
        let stand =
            [&row.running, &row.ready_wait, &row.waking, &row.interrupted, &row.idle, &row.limited, &row.halted];
        let all: f64 = stand.iter().map(|figure| figure.value).sum();
        prop_assert!(close(all, f64::from(kind.virtual_processors)), "{} of {}", all, kind.name);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn no_virtual_processor_is_in_two_places(plan in any_control_programs(), seed in any::<u64>(), looks in 1..12u64) {
        let mut world = built(&plan, seed);
        for look in 1..=looks {
            let over = world.run_some(Tod::START + Span::from_us(6_100 * look), 1_000_000).expect("the load is small");
            prop_assert!(over, "it goes round and round at {:?}", world.now());
            everybody_is_where_he_is_said_to_be(&world)?;
        }
    }

    /// The run itself checks the laws at the end of every interval, to the unit.
    #[test]
    fn any_control_program_obeys_the_laws(plan in any_control_programs(), seed in any::<u64>()) {
        let (warm_up, interval) = (Span::from_ms(7), Span::from_ms(31));
        let measurement = Measurement { warm_up, interval, intervals: 2, sample: Span::from_ms(3) };
        let run = replicate(&plan, &Streams::new(seed, 0), &measurement, "any", |_| true).expect("the laws hold");
        for totals in run.into_iter().map(IntervalTotals::printed) {
            totals_add_up(&plan, &totals)?;
            locks_add_up(&totals)?;
        }
    }
}

proptest! {
    #![proptest_config(cases(1_000))]

    /// Guests with a few repeats finish, whatever is set. Then everything is idle and no lock is held or spun for. The time
    /// that was run for them is the time that they wanted, to a unit each.
    #[test]
    fn no_wake_up_is_lost_and_no_instruction(plan in any_control_programs(), seed in any::<u64>()) {
        let plan = that_ends(plan);
        let observer = Observed::by((Whereabouts::of(&plan), AllLocks::of(&plan)));
        let mut world: Machine = World::new(&plan, &Streams::new(seed, 0), observer);
        world.count_from(Tod::START + Span::from_us(1_000));
        let wanted = work_of_groups(&plan);
        let machines = |number: usize| match plan.guests[number].runs_in {
            Some(RunsInPlan::VirtualMachine { machines }) => Some(machines),
            Some(RunsInPlan::Partition { .. } | RunsInPlan::Cgroup(_)) | None => None,
        };
        let in_machines = || (0..wanted.len()).filter(|number| machines(*number).is_some());
        let through = |(seen, _): &(Whereabouts, AllLocks)| {
            let done = in_machines().all(|number| seen.computed[number] == wanted[number].0);
            done && seen.stands.iter().all(|stands| *stands == VirtualStanding::Idle)
        };
        let mut now = Tod::START;
        while !through(both(&world)) {
            now = now + Span::from_ms(100);
            world.run_until(now).expect("the load is small");
            prop_assert!(now < Tod::START + Span::SECOND * 20, "a guest waits for ever: {:?}", both(&world));
        }
        let (whereabouts, locks) = both(&world);
        for lock in &locks.0 {
            prop_assert!(lock.holder.is_none() && lock.spinning.is_empty(), "{:?}", lock);
        }
        for kind in 0..plan.virtual_machines.len() {
            let done: u64 = virtuals_of(&plan, kind).map(|number| whereabouts.work[number].units()).sum();
            let groups = || in_machines().filter(|number| machines(*number) == Some(kind));
            let work: u64 = groups().map(|number| wanted[number].1.units()).sum();
            // One that loses its processor between an intercept and its next step has one clock unit of work left.
            let more: u64 = groups().map(|number| u64::from(wanted[number].0)).sum();
            prop_assert!((work..=work + more).contains(&done), "{} of {} done in machines of kind {}", done, work, kind);
        }
    }
}
