//! Timelines: the record of a stretch of simulated time, and that recording changes nothing.

mod by_hand;
mod control_programs;
mod domains;
mod enqueues;
mod laws;
mod spin_locks;
mod told;

use machine::plan::Plan;
use monitor::{Timeline, Window, trace};
use units::{Span, Tod};

/// A millisecond of seed 1 is cut before the first interval.
const WARM_UP: Span = Span::from_ms(1);

/// The window of this many us from this many us after the start of the first interval.
pub fn window(from: u64, length: u64) -> Window {
    Window {
        warm_up: WARM_UP,
        from: Span::from_us(from),
        length: Some(Span::from_us(length)),
        end: Span::from_us(1 << 40),
    }
}

/// The timeline of a window.
pub fn traced<'a>(plan: &'a Plan, window: &Window) -> Timeline<'a> {
    trace(plan, (1, 0), window, |_| true).expect("the load is small")
}

/// From when to when, in us since the start of the first interval; what lasts longer than the window has no end.
pub fn from_to(timeline: &Timeline, from: Tod, to: Option<Tod>) -> String {
    let us = |at: Tod| (at.units() as f64 - timeline.origin.units() as f64) / Span::from_us(1).units() as f64;
    to.map_or_else(|| format!("{}..", us(from)), |to| format!("{}..{}", us(from), us(to)))
}

/// Spans as lines: "1000 #1 500..1500 A busy".
pub fn spans(timeline: &Timeline) -> Vec<String> {
    let line = |span: &monitor::Occupation| {
        let lane = &timeline.lanes[span.lane].name;
        let holder = span.holder.map_or("-", |holder| &timeline.holders[holder]);
        format!("{lane} {holder} {} {} {}", from_to(timeline, span.from, span.to), span.what, span.state.word())
    };
    timeline.spans.iter().map(line).collect()
}

/// Waits as lines: "G #3 500..1500 A: base busy, no alias".
pub fn waits(timeline: &Timeline) -> Vec<String> {
    let line = |wait: &monitor::Wait| {
        let holder = &timeline.holders[wait.holder];
        format!("{holder} {} {}: {}", from_to(timeline, wait.from, wait.to), wait.place, wait.why)
    };
    timeline.waits.iter().map(line).collect()
}
