//! Random plans whose guests enqueue: names of every scope, members, both accesses, every structure of exits, rings and stars.
//! Some names are kept to the end of a program, some requests do not wait; and the laws that every run is checked against.

use super::any_plan::any_plan;
use super::cases;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    Answer, Arrival, Change, ChangePlan, ComplexPlan, Costs, EnqStep, EnqueueAccess, EnqueuePlan, ExitChange, ExitPlan,
    Linkage, Plan, Point, Ret, Ring, RunsInPlan, Scope, SerializationPlan, Step, Structure,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use units::Span;

#[derive(Clone, Debug)]
struct Names {
    own: SerializationPlan,
    enqueues: Vec<EnqueuePlan>,
    deal: u64,
}

/// An exit at any point that wants anything, what it may not want too; no name becomes one that a program asks for later.
fn any_exit() -> impl Strategy<Value = ExitPlan> {
    let wishes = vec(any::<bool>(), 9);
    (0..Point::ALL.len(), wishes, 0..30u64, any::<bool>()).prop_map(|(point, wishes, own, installed)| {
        let answer = Answer {
            scope: wishes[0].then_some(if wishes[1] { Scope::System } else { Scope::Systems }),
            skip_lists: wishes[2],
            want: wishes[3],
            code: wishes[4].then_some(8),
            drop_reserve: wishes[5],
            abend: (wishes[6] && wishes[7]).then_some(0x738),
            fail: wishes[6] && !wishes[7],
            ..Answer::default()
        };
        ExitPlan {
            name: String::new(),
            point: Point::ALL[point],
            names: None,
            rename: wishes[8].then_some(0),
            volume: (wishes[7] && wishes[8]).then(Vec::new),
            answer,
            own: Span::from_us(own),
            stops: wishes[1],
            installed,
        }
    })
}

fn any_names() -> impl Strategy<Value = Names> {
    let complex = prop_oneof![
        Just(ComplexPlan::None),
        (0..900u64, 0..90u64, option::of(2..5u32)).prop_map(|(residency, transmission, acceleration)| {
            let [residency, transmission] = [residency, transmission].map(Span::from_us);
            ComplexPlan::Ring(Ring { residency, transmission, acceleration })
        }),
        (0..900u64).prop_map(|us| ComplexPlan::Star { service: Span::from_us(us) }),
    ];
    let prices = vec(0..60u64, 6).prop_map(|us| {
        let us: Vec<Span> = us.into_iter().map(Span::from_us).collect();
        Costs { enq: us[0], deq: us[1], list: us[2], pooled: us[3], state: us[4], relock: us[5], ..Costs::default() }
    });
    let own = (complex, prices, 0..Structure::ALL.len(), 0..2_000u64, vec(any_exit(), 0..4usize)).prop_map(
        |(complex, costs, structure, answer, exits)| {
            let (structure, answer) = (Structure::ALL[structure], Span::from_us(answer));
            let name = |(number, exit)| ExitPlan { name: format!("X{number}"), ..exit };
            let exits = exits.into_iter().enumerate().map(name).collect();
            SerializationPlan { structure, managed: None, costs, complex, answer, name_lists: Vec::new(), exits }
        },
    );
    let scope = prop_oneof![Just(Scope::Step), Just(Scope::System), Just(Scope::Systems)];
    let enqueues = vec((scope, 1..=3u32, any::<bool>()), 1..=3usize);
    (own, enqueues, any::<u64>()).prop_map(|(own, drawn, deal)| {
        let enqueue = |(number, (scope, members, reserved)): (usize, (Scope, u32, bool))| {
            let (name, rname) = (format!("E{number}"), format!("R{number}"));
            let reserve = if reserved && scope == Scope::Systems { vec![0] } else { Vec::new() };
            EnqueuePlan { name, qname: "ANY".into(), rname, scope, members, reserve }
        };
        Names { own, enqueues: drawn.into_iter().enumerate().map(enqueue).collect(), deal }
    })
}

impl Names {
    /// Lets the guests that run in partitions enqueue.
    fn settle(&self, mut plan: Plan) -> Plan {
        let runs = |own: Option<RunsInPlan>| own.and_then(RunsInPlan::partition).is_some();
        for (number, guest) in plan.guests.iter_mut().enumerate() {
            let replays = matches!(guest.arrival, Arrival::Replay { .. });
            if runs(guest.runs_in) && !replays {
                let dealt = self.deal >> (7 * (number % 9));
                guest.program = self.enqueuing(std::mem::take(&mut guest.program), dealt);
            }
        }
        let mut enqueues = self.enqueues.clone();
        if plan.volumes[0].partition.is_none() {
            // A volume that is in no partition is not reserved; nor is one that a change reserves.
            enqueues.iter_mut().for_each(|enqueue| enqueue.reserve.clear());
        }
        let mut own = self.own.clone();
        if enqueues[0].members > 1 {
            own.exits.iter_mut().for_each(|exit| exit.rename = None);
        }
        plan.changes.retain(|change| !matches!(change.change, Change::Reserve { .. } | Change::Release { .. }));
        for (number, exit) in own.exits.iter().enumerate() {
            let change = if exit.installed { ExitChange::Delete(number) } else { ExitChange::Add(number) };
            let at = Span::from_ms(20 + 30 * number as u64);
            plan.changes.push(ChangePlan { at, change: Change::Exit(change) });
        }
        plan.changes.extend(self.comings_and_goings(&plan));
        plan.changes.sort_by_key(|change| change.at);
        Plan { serialization: Some(own), enqueues, ..plan }
    }

    /// Systems that leave, and most of those that were not there or have left come.
    fn comings_and_goings(&self, plan: &Plan) -> Vec<ChangePlan> {
        let mut changes = Vec::new();
        for (partition, own) in plan.partitions.iter().enumerate() {
            let dealt = self.deal >> (11 * partition);
            let (at, away) = (Span::from_ms(dealt % 128), Span::from_us(100 * (dealt >> 7) % 500));
            if own.active {
                changes.push(ChangePlan { at, change: Change::Delete { partition } });
            }
            if dealt & 0x600 != 0 {
                changes.push(ChangePlan { at: at + away, change: Change::Add { partition } });
            }
        }
        changes
    }

    fn enqueuing(&self, mut program: Vec<Step>, dealt: u64) -> Vec<Step> {
        let last = self.enqueues.len() - 1;
        for enqueue in (0..=last).rev().filter(|number| dealt & (1 << number) != 0) {
            let access = if dealt & (8 << enqueue) != 0 { EnqueueAccess::Shared } else { EnqueueAccess::Exclusive };
            let ret = if dealt & 64 != 0 { Ret::Use } else { Ret::None };
            let linkage = if dealt & 1 != 0 { Linkage::Pc } else { Linkage::Svc };
            let kept = enqueue == last && dealt & 32 != 0;
            // A shared name is changed before its steps; the next one is tested inside.
            let asked = [(Ret::Change, enqueue, dealt & 16 != 0), (Ret::Test, last, enqueue < last)];
            for (ret, enqueue, _) in asked.into_iter().filter(|(.., wanted)| *wanted) {
                let steps = Some(vec![Step::Think(Distribution::Constant(Span::from_us(10)))]);
                let access = EnqueueAccess::Exclusive;
                program.insert(0, Step::Enq(EnqStep { enqueue, access, ret, linkage, steps }));
            }
            let steps = (!kept).then(|| std::mem::take(&mut program));
            let enq = Step::Enq(EnqStep { enqueue, access, ret, linkage, steps });
            let mut around = vec![enq];
            around.append(&mut program);
            program = around;
        }
        program
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_laws_hold_for_any_enqueues(plan in any_plan(), names in any_names(), seed in any::<u64>()) {
        let plan = names.settle(plan);
        let (warm_up, sample) = (Span::from_ms(15), Span::from_ms(7));
        let measurement = Measurement { warm_up, interval: Span::from_ms(60), intervals: 3, sample };
        let intervals = replicate(&plan, &Streams::new(seed, 0), &measurement, "any", |_| true).expect("the laws hold");
        for interval in intervals.into_iter().map(IntervalTotals::printed) {
            for row in &interval.enqueues {
                let lengths = [row.queue_1_percent, row.queue_2_percent, row.queue_3_percent, row.queue_4_percent];
                let all: f64 = lengths.iter().map(|share| share.value).sum();
                prop_assert!(row.contention_total_ms.value == 0.0 || (all - 100.0).abs() < 1e-6, "{}", all);
                prop_assert!(row.contended_per_s.value <= row.requests_per_s.value);
            }
            for row in &interval.serialization {
                let pieces = [row.base_us, row.front_end_us, row.fast_us, row.slow_us, row.storage_us, row.message_us];
                let all: f64 = pieces.iter().map(|piece| piece.value).sum();
                prop_assert!((all - row.cpu_us_per_pair.value).abs() <= 1e-6 * (1.0 + all));
                prop_assert!(row.lock_held_percent.value <= 100.0 + 1e-9);
            }
        }
    }
}
