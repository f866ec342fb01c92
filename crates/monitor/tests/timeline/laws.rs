//! Laws of the timeline of any machine, and of any window of it.

use super::{spans, traced, window};
use crate::determinism::machines::machines;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::plan::Plan;
use machine::signal::{NoProbe, Probe};
use machine::world::World;
use measures::{IntervalTotals, PartitionTotals};
use monitor::{
    LaneKind, Measurement, Monitor, Occupation, Recorder, State, Timeline, Untraceable, WaitKind, Window, replicate,
    trace, trace_in_parts,
};
use units::{Span, Tod};

fn checksum<P: Probe>(plan: &Plan, probe: P) -> (u64, u64) {
    let mut world: World<TreeCalendar, P> = World::new(plan, &Streams::new(1, 0), probe);
    world.count_from(Tod::START + super::WARM_UP);
    world.run_until(Tod::START + Span::from_ms(300)).expect("the load is small");
    (world.checksum(), world.events())
}

#[test]
fn a_recorder_changes_nothing() {
    for (name, plan) in machines() {
        let recorder = || Recorder::new(&plan, Tod::START + Span::from_ms(50), 1_000);
        let alone = checksum(&plan, NoProbe);
        assert_eq!(checksum(&plan, recorder()), alone, "{name}");
        assert_eq!(checksum(&plan, (Monitor::new(&plan), recorder())), alone, "{name}, beside a monitor");
    }
}

#[test]
fn a_lane_has_one_holder_at_a_time() {
    for (name, plan) in machines() {
        let timeline = traced(&plan, &window(0, 200_000));
        assert!(timeline.spans.len() > 20, "{name}");
        for pair in timeline.spans.windows(2).filter(|pair| pair[0].lane == pair[1].lane) {
            let end = pair[0].to.unwrap_or_else(|| panic!("{name}: {:?} is not the last", pair[0]));
            assert!(end <= pair[1].from, "{name}: {pair:?}");
        }
    }
}

/// Little's law without rates: the waits of a window, summed, are the area under the queue that the monitor has seen.
#[test]
fn waits_and_spans_add_up_to_what_the_monitor_counts() {
    let interval = Span::from_ms(400);
    for (name, plan) in machines() {
        let measurement = Measurement { warm_up: super::WARM_UP, interval, intervals: 1, sample: Span::from_ms(10) };
        let totals: Vec<IntervalTotals> =
            replicate(&plan, &Streams::new(1, 0), &measurement, name, |_| true).expect("the laws hold");
        let timeline = traced(&plan, &window(0, 400_000));
        let clipped = |from: Tod, to: Option<Tod>| {
            (to.unwrap_or(timeline.until) - from.max(timeline.from)).units() as f64 / interval.units() as f64
        };
        for volume in &totals[0].volumes {
            let waits = timeline.waits.iter().filter(|w| w.kind == WaitKind::Queued && w.place == volume.volume);
            close(waits.map(|wait| clipped(wait.from, wait.to)).sum(), volume.queue_depth.value, name);
            let io = |state| matches!(state, State::Busy | State::Held);
            let spans = timeline.spans.iter().filter(|span| span.what == volume.volume && io(span.state));
            close(spans.map(|span| clipped(span.from, span.to)).sum(), volume.in_service.value, name);
        }
        for minidisk in &totals[0].minidisks {
            let waits = timeline.waits.iter().filter(|w| w.kind == WaitKind::Turn && w.place == minidisk.minidisk);
            close(waits.map(|wait| clipped(wait.from, wait.to)).sum(), minidisk.queue_depth.value, name);
        }
    }
}

/// Processors: the states of each partition's processors, and the number of its I/Os that wait for their handler, agree with
/// the monitor. An interrupt that is pending and is not being handled has a requester that waits for it.
#[test]
fn processors_and_interrupts_add_up_to_what_the_monitor_counts() {
    let interval = Span::from_ms(400);
    for (name, plan) in machines() {
        let measurement = Measurement { warm_up: super::WARM_UP, interval, intervals: 1, sample: Span::from_ms(10) };
        let totals: Vec<IntervalTotals> =
            replicate(&plan, &Streams::new(1, 0), &measurement, name, |_| true).expect("the laws hold");
        let timeline = traced(&plan, &window(0, 400_000));
        for (number, partition) in totals[0].partitions.iter().enumerate() {
            let share =
                |state| mean(&timeline, |span| span.state == state && of(&timeline, span) == partition.partition);
            let [working, handling, waiting, pending] =
                [State::Working, State::Handling, State::InWait, State::WorkNotDispatched].map(share);
            let percent = |mean: f64| 100.0 * mean / partition.logical_processors as f64;
            let PartitionTotals { dispatched_percent, effective_percent, wait_percent, pending_percent, .. } =
                partition;
            close(percent(working + handling + waiting), dispatched_percent.value, name);
            close(percent(working + handling), effective_percent.value, name);
            close(percent(waiting), wait_percent.value, name);
            close(percent(pending), pending_percent.value, name);
            let own = |what: &str| plan.volumes.iter().any(|disk| disk.name == what && disk.partition == Some(number));
            let uncleared = mean(&timeline, |span| span.state == State::InterruptPending && own(span.what));
            close(uncleared, partition.interrupts_pending.value, name);
            let waits = timeline.waits.iter().filter(|wait| wait.kind == WaitKind::Interrupt && own(wait.place));
            let waits: f64 = waits.map(|wait| clipped(&timeline, wait.from, wait.to)).sum();
            close(waits + handling, uncleared, name);
            assert!(uncleared > 0.0, "{name}: {}", partition.partition);
        }
    }
}

/// Whose processor it is; nothing for an exposure.
fn of<'a>(timeline: &'a Timeline, span: &Occupation) -> &'a str {
    let lane = &timeline.lanes[span.lane];
    if lane.kind == LaneKind::LogicalProcessor { &lane.of } else { "" }
}

/// How many spans of a kind there are on average.
fn mean(timeline: &Timeline, these: impl Fn(&Occupation) -> bool) -> f64 {
    timeline.spans.iter().filter(|span| these(span)).map(|span| clipped(timeline, span.from, span.to)).sum()
}

/// Which part of the window a span takes.
fn clipped(timeline: &Timeline, from: Tod, to: Option<Tod>) -> f64 {
    let within = to.unwrap_or(timeline.until) - from.max(timeline.from);
    within.units() as f64 / (timeline.until - timeline.from).units() as f64
}

/// A processor is always in some state.
#[test]
fn the_lane_of_a_processor_has_no_hole() {
    for (name, plan) in machines() {
        let timeline = traced(&plan, &window(10_000, 50_000));
        for pair in timeline.spans.windows(2).filter(|pair| pair[0].lane == pair[1].lane) {
            let processor = timeline.lanes[pair[0].lane].kind == LaneKind::LogicalProcessor;
            assert!(!processor || pair[0].to == Some(pair[1].from), "{name}: {pair:?}");
        }
    }
}

fn close(sum: f64, area: f64, name: &str) {
    assert!((sum - area).abs() <= 1e-9 * area.max(1.0), "{name}: {sum} is summed, {area} was counted");
}

/// A window shows of a longer one what is in it.
#[test]
fn a_window_is_cut_out_of_a_longer_one() {
    for (name, plan) in machines() {
        let (long, short) = (traced(&plan, &window(0, 100_000)), traced(&plan, &window(40_000, 20_000)));
        let mut cut = long.clone();
        cut.spans.retain(|span| span.from < short.until && span.to.is_none_or(|to| to > short.from));
        cut.spans.iter_mut().for_each(|span| span.to = span.to.filter(|to| *to <= short.until));
        assert_eq!(spans(&cut), spans(&short), "{name}");
        let of = |timeline: &monitor::Timeline| {
            let waits = timeline.waits.iter();
            let within = waits.filter(|wait| wait.from < short.until && wait.to.is_none_or(|to| to > short.from));
            within.map(|wait| (wait.from, timeline.holders[wait.holder].clone())).collect::<Vec<_>>()
        };
        assert_eq!(of(&long), of(&short), "{name}");
    }
}

#[test]
fn without_a_length_a_window_has_some_forty_starts() {
    for (name, plan) in machines() {
        let timeline = traced(&plan, &Window { length: None, ..window(10_000, 0) });
        let starts = timeline.spans.iter().filter(|span| span.from >= timeline.from && span.state == State::Busy);
        assert!((40..250).contains(&starts.count()), "{name}");
        let stated = window(10_000, (timeline.until - timeline.from).units() >> 12);
        assert_eq!(timeline, traced(&plan, &stated), "{name}: as if its length had been stated");
    }
}

#[test]
fn more_than_can_be_looked_at_is_refused() {
    let (_, plan) = machines().pop().expect("there are some");
    let refused = trace(&plan, (1, 0), &window(0, 100_000_000), |_| true).expect_err("too much");
    assert!(matches!(refused, Untraceable::TooMuch(200_000, _)), "{refused:?}");
}

#[test]
fn parts_and_the_rest_are_the_whole() {
    let (_, plan) = machines().pop().expect("there are some");
    let windows = (0..20).map(|halved| window(0, 100_000_000 >> halved));
    let long =
        windows.into_iter().find(|window| trace(&plan, (1, 0), window, |_| true).is_ok()).expect("a shorter one");
    let whole = traced(&plan, &long);
    let mut parts = Vec::new();
    let rest = trace_in_parts(&plan, (1, 0), &long, |part| parts.push(part), |_| true).expect("the load is small");
    assert!(!parts.is_empty(), "{} spans", whole.spans.len());
    let rows = |timeline: &Timeline, places: Option<&[usize]>| {
        let lane = |number: usize| places.map_or(number, |places| places[number]);
        let holder = |number: usize| timeline.holders[number].clone();
        let spans = timeline.spans.iter().map(|span| {
            (span.from, span.to, lane(span.lane), span.holder.map(holder), span.state.word(), span.on.map(lane))
        });
        let waits = timeline
            .waits
            .iter()
            .map(|wait| (wait.from, wait.to, lane(wait.lane), Some(holder(wait.holder)), wait.kind.word(), None));
        spans.chain(waits).collect::<Vec<_>>()
    };
    let mut found: Vec<_> = parts.iter().flat_map(|part| rows(part, Some(&rest.places))).collect();
    found.extend(rows(&rest, None));
    let mut expected = rows(&whole, None);
    found.sort();
    expected.sort();
    assert!(found == expected, "{} and {} rows", found.len(), expected.len());
    assert_eq!(rest.lanes, whole.lanes);
}
