//! Shares and limits of virtual machines that always want more: relative shares divide the rest of absolute ones, and no
//! machine has more than its virtual processors can use, or more than its limit.

use crate::plans::virtual_machines::{free, machines, under};
use crate::plans::{closed, exponential};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    ControlProgramPlan, CostsPlan, GuestPlan, LockMode, LockPlan, Method, Plan, Polarization, SrmPlan, Stealing, Step,
    VirtualMachinePlan, VmShare,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::{Percent, Span};

/// A virtual machine that always wants all that it can have.
#[derive(Clone, Copy)]
struct Vm {
    share: VmShare,
    virtual_processors: u32,
    limit: Option<f64>,
}

fn relative(share: u32, virtual_processors: u32) -> Vm {
    Vm { share: VmShare::Relative(share), virtual_processors, limit: None }
}

fn absolute(percent: f64, virtual_processors: u32) -> Vm {
    Vm { share: VmShare::Absolute(Percent::new(percent)), virtual_processors, limit: None }
}

impl Vm {
    fn at_most(mut self, percent: f64) -> Vm {
        self.limit = Some(percent);
        self
    }

    fn kind(self) -> VirtualMachinePlan {
        let limit = self.limit.map(Percent::new);
        VirtualMachinePlan { share: self.share, limit, ..machines(1, self.virtual_processors) }
    }
}

/// Bursts of any length, and no time between them.
fn always(count: u32) -> GuestPlan {
    closed(count, vec![Step::Compute(exponential(30_000))])
}

fn machine(control_program: ControlProgramPlan, processors: u32, vms: &[Vm]) -> Plan {
    let kinds = vms.iter().map(|vm| (vm.kind(), always(vm.virtual_processors)));
    under(control_program, processors, kinds)
}

fn simulate(plan: &Plan, interval: Span, intervals: u32) -> Vec<IntervalTotals> {
    let measurement = Measurement { warm_up: Span::SECOND, interval, intervals, sample: interval };
    replicate(plan, &Streams::new(1, 0), &measurement, "shares", |_| true).expect("the laws hold")
}

fn charged(totals: &IntervalTotals) -> Vec<f64> {
    totals.virtual_machines.iter().map(|vm| vm.charged_percent.value / 100.0).collect()
}

/// The charge of each in a minute, in processors' worth.
fn got(plan: &Plan) -> Vec<f64> {
    charged(&simulate(plan, Span::SECOND * 60, 1)[0])
}

/// Within 1 %.
#[track_caller]
fn near(seen: &[f64], expected: &[f64]) {
    let close = seen.iter().zip(expected).all(|(seen, expected)| (seen / expected - 1.0).abs() < 0.01);
    assert!(close && seen.len() == expected.len(), "{seen:?}, not {expected:?}");
}

#[test]
fn relative_shares_divide_processors() {
    for each in [1, 2, 5] {
        let vms = [relative(100, 4), relative(200, 4), relative(300, 4)];
        let control_program =
            ControlProgramPlan { srm: SrmPlan { slice: Span::from_ms(each), ..free().srm }, ..free() };
        near(&got(&machine(control_program, 2, &vms)), &[1.0 / 3.0, 2.0 / 3.0, 1.0]);
    }
    near(&got(&machine(free(), 1, &[relative(100, 1), relative(200, 1), relative(300, 1)])), &[1. / 6., 1. / 3., 0.5]);
}

/// The share is that of the machine, however many virtual processors have it.
#[test]
fn virtual_processors_divide_the_share_of_their_machine() {
    let vms = [relative(100, 2), relative(200, 7), relative(300, 3)];
    near(&got(&machine(free(), 2, &vms)), &[1.0 / 3.0, 2.0 / 3.0, 1.0]);
}

#[test]
fn absolute_shares_come_first() {
    let vms = [absolute(25.0, 3), relative(100, 3), relative(200, 4)];
    near(&got(&machine(free(), 4, &vms)), &[1.0, 1.0, 2.0]);
    let vms = [absolute(10.0, 2), absolute(40.0, 3), relative(100, 4)];
    near(&got(&machine(free(), 4, &vms)), &[0.4, 1.6, 2.0]);
}

/// Time that some cannot use goes to the others by their shares.
#[test]
fn none_has_more_than_its_virtual_processors() {
    near(&got(&machine(free(), 4, &[relative(9_000, 1), relative(100, 8), relative(200, 8)])), &[1.0, 1.0, 2.0]);
    near(&got(&machine(free(), 4, &[absolute(75.0, 2), relative(100, 8), relative(300, 8)])), &[2.0, 0.5, 1.5]);
}

/// Every entry and every wait is charged to a machine, and is part of its share.
#[test]
fn shares_are_met_where_dispatching_costs() {
    let costs = CostsPlan {
        wake: Span::from_us(3),
        dispatch: Span::from_us(5),
        simulate: Span::from_us(20),
        look: Span::from_us(1),
        entry: Span::from_us(50),
        ..CostsPlan::default()
    };
    let lock = LockPlan {
        mode: LockMode::Shared,
        hold: Span::from_us(2),
        per_waiter: Span::from_us(1),
        ..LockPlan::default()
    };
    let control_program = ControlProgramPlan { costs, lock, slice_jitter: Percent::new(25.0), ..free() };
    let seen = got(&machine(control_program, 2, &[relative(100, 4), relative(200, 4), relative(300, 4)]));
    let all: f64 = seen.iter().sum();
    assert!((1.9..2.0).contains(&all), "{all} of two is charged");
    near(&seen, &[all / 6.0, all / 3.0, all / 2.0]);
}

/// A limit holds in every second, wanted or not, and a machine that wants more reaches it.
#[test]
fn limits_are_never_exceeded() {
    let cases: [(&[Vm], &[f64]); 5] = [
        (&[relative(100, 4).at_most(20.0)], &[0.8]),
        (&[relative(100, 1).at_most(10.0), relative(100, 3)], &[0.4, 3.0]),
        (&[relative(100, 4).at_most(2.0), relative(100, 3).at_most(40.0)], &[0.08, 1.6]),
        (&[relative(900, 4).at_most(25.0), relative(100, 4), relative(200, 4)], &[1.0, 1.0, 2.0]),
        (&[absolute(50.0, 4).at_most(30.0), relative(100, 4).at_most(5.0)], &[1.2, 0.2]),
    ];
    for (vms, expected) in cases {
        near(&never_exceeded(vms), expected);
    }
}

/// The charge of each in half a minute on four processors, in no second more than its limit.
fn never_exceeded(vms: &[Vm]) -> Vec<f64> {
    let seconds = simulate(&machine(free(), 4, vms), Span::SECOND, 30);
    let most: Vec<f64> = vms.iter().map(|vm| 4.0 * vm.limit.map_or(1.0, |limit| limit / 100.0)).collect();
    for second in &seconds {
        for (got, most) in charged(second).iter().zip(&most) {
            assert!(*got <= most + 0.02, "{got} in a second, at most {most}");
        }
    }
    let mean = |number: usize| seconds.iter().map(|second| charged(second)[number]).sum::<f64>() / 30.0;
    let seen: Vec<f64> = (0..vms.len()).map(mean).collect();
    assert!(seen.iter().zip(&most).all(|(got, most)| *got <= most * 1.001), "{seen:?}, at most {most:?}");
    seen
}

/// A guest that sleeps now and then saves nothing up: its share binds while it runs, and the others use the rest.
#[test]
fn sleeping_does_not_save_up() {
    let sleeper = closed(
        1,
        vec![
            Step::Think(Distribution::Constant(Span::SECOND)),
            Step::Compute(Distribution::Constant(Span::from_ms(500))),
        ],
    );
    let kinds = [(relative(100, 1).kind(), sleeper), (relative(300, 1).kind(), always(1))];
    let totals = simulate(&under(free(), 1, kinds), Span::SECOND * 60, 1).remove(0);
    // It runs at a quarter: 1 s of sleep, 2 s for 0.5 s of computing.
    let cycles = totals.guests[0].cycles_per_s.value;
    assert!((cycles * 3.0 - 1.0).abs() < 0.02, "{cycles} a second");
}

/// A vector for each processor: shares hold among those that stand in one.
#[test]
fn shares_hold_within_a_vector() {
    let srm = SrmPlan { polarization: Polarization::Vertical, method: Method::Reshuffle, ..free().srm };
    let control_program = ControlProgramPlan { srm, vertical: Stealing::Near, barriers: [1_000; 3], ..free() };
    let seen = got(&machine(control_program, 1, &[relative(100, 2), relative(200, 2), relative(300, 2)]));
    near(&seen, &[1.0 / 6.0, 1.0 / 3.0, 0.5]);
}
