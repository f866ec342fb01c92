//! Work in cold caches takes as long as its closed form says: alone on a processor, cut into slices or not, and when two
//! push each other out.

use crate::observed::Observed;
use crate::plans::closed;
use crate::plans::virtual_machines::{free, machines, under};
use kernel::calendar::TreeCalendar;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{CacheLevel, ControlProgramPlan, Footprint, Plan, SharedBy, SrmPlan, Step, Topology};
use machine::signal::{Probe, Signal};
use machine::world::World;
use monitor::{Measurement, replicate};
use units::{Span, Tod};

const TOUCHED_IN: Span = Span::from_us(800);
/// Of the levels, the innermost first: KiB, and how much slower work is beyond it.
const LEVELS: [(u64, f64); 3] = [(1_024, 1.5), (8_192, 2.0), (65_536, 4.0)];

/// How long each burst took, in the order in which they ended.
#[derive(Default)]
struct Bursts(Vec<Span>);

impl Probe for Bursts {
    fn signal(&mut self, _now: Tod, signal: Signal) {
        if let Signal::Computed(_, span) = signal {
            self.0.push(span);
        }
    }
}

fn bursts(plan: &Plan, length: Span) -> Vec<f64> {
    let mut world: World<TreeCalendar, Observed> =
        World::new(plan, &Streams::new(1, 0), Observed::by(Bursts::default()));
    world.count_from(Tod::START);
    world.run_until(Tod::START + length).expect("the load is small");
    world.probe.seen::<Bursts>().0.iter().map(|span| span.ms()).collect()
}

/// This many machines with a footprint, each computing so long and thinking so long, on one processor in slices.
fn plan(count: u32, kib: u64, (compute, think): (Span, Span), slice: Span) -> Plan {
    let kind = |_| {
        let footprint = Some(Footprint { kib, touched_in: TOUCHED_IN });
        let mut program = vec![Step::Compute(Distribution::Constant(compute))];
        if !think.is_zero() {
            program.push(Step::Think(Distribution::Constant(think)));
        }
        (machine::plan::VirtualMachinePlan { footprint, ..machines(1, 1) }, closed(1, program))
    };
    let control_program = ControlProgramPlan { srm: SrmPlan { slice, ..free().srm }, ..free() };
    let mut plan = under(control_program, 1, (0..count).map(kind));
    let level = |(kib, beyond)| CacheLevel { name: format!("{kib} KiB"), shared_by: SharedBy::Core, kib, beyond };
    let mut levels: Vec<CacheLevel> = LEVELS.into_iter().map(level).collect();
    (levels[1].shared_by, levels[2].shared_by) = (SharedBy::Chip, SharedBy::Book);
    plan.topology =
        Some(Topology { name: "small".into(), cores_per_chip: 4, chips_per_book: 2, cores_per_book: None, levels });
    plan
}

/// How long work takes, in ms, that is this much slower at its beginning: T ln(1 + a (1 - e^(-w/T))) more.
fn elapsed(work: f64, slower: f64) -> f64 {
    let touched_in = TOUCHED_IN.ms();
    work + touched_in * (1.0 + slower * (1.0 - (-work / touched_in).exp())).ln()
}

#[track_caller]
fn near(what: &str, seen: f64, expected: f64) {
    assert!((seen / expected - 1.0).abs() < 2e-5, "{what}: {seen} ms, not {expected}");
}

/// No other is there, so what is missing shrinks with all that it runs, however long it thinks between.
#[test]
fn alone_every_context_warms_up_for_good() {
    let (compute, think) = (Span::from_us(300), Span::from_us(4_000));
    let seen = bursts(&plan(1, 700, (compute, think), Span::from_ms(5)), Span::from_ms(60));
    assert!(seen.len() > 10);
    let mut slower = 3.0;
    for (number, seen) in seen.iter().enumerate() {
        let expected = elapsed(compute.ms(), slower);
        near(&format!("burst {number}"), *seen, expected);
        slower *= (-expected / TOUCHED_IN.ms()).exp();
    }
}

/// A stretch cut in many is as long as a whole.
#[test]
fn slices_alone_make_nothing_colder() {
    let compute = Span::from_ms(9);
    for slice_us in [20_000, 1_000, 130, 17] {
        let seen = bursts(&plan(1, 700, (compute, Span::SECOND), Span::from_us(slice_us)), Span::from_ms(50));
        near(&format!("slices of {slice_us} us"), seen[0], elapsed(compute.ms(), 3.0));
    }
}

/// Two contexts whose storage fills the innermost cache take turns of x; each finds the rest of its own that the other has
/// left.  Let h be the share of the cache that one has when it leaves. The other has left it 1 - h, so that it misses h.
/// Then h = 1 - h e^(-x/T), and of x it works x - T ln((1 + a) / (1 + a e^(-x/T))), where a = h (beyond - 1).
#[test]
fn two_that_take_turns_push_each_other_out() {
    for slice in [Span::from_us(300), Span::from_us(1_200), Span::from_ms(4)] {
        let untouched = (-slice.ms() / TOUCHED_IN.ms()).exp();
        let slower = (LEVELS[0].1 - 1.0) / (1.0 + untouched);
        let lost = TOUCHED_IN.ms() * ((1.0 + slower) / (1.0 + slower * untouched)).ln();
        let (work, ran) = worked(&plan(2, LEVELS[0].0, (Span::SECOND, Span::ZERO), slice));
        near(&format!("turns of {slice}"), work / ran, 1.0 - lost / slice.ms());
    }
}

/// Storage that none of the caches displaces leaves work as it is.
#[test]
fn contexts_that_fit_do_not_disturb_each_other() {
    let (work, ran) = worked(&plan(3, LEVELS[0].0 / 3, (Span::SECOND, Span::ZERO), Span::from_ms(1)));
    near("those who fit", work, ran);
}

/// The work in warm caches of a tenth of a second, and how long that took, when all have settled.
fn worked(plan: &Plan) -> (f64, f64) {
    let (warm_up, interval) = (Span::from_ms(96), Span::from_ms(96));
    let measurement = Measurement { warm_up, interval, intervals: 1, sample: interval };
    let run = replicate(plan, &Streams::new(1, 0), &measurement, "caches", |_| true).expect("the laws hold");
    let row = &run[0].control_programs[0];
    (row.work_percent.value, row.guests_percent.value)
}
