//! An exposure: the gap between an I/O's end and the next start, and what may not happen to it.

use crate::stand::{A, B, Stand, classic, no_effects, pooled, us, volumes};
use machine::channel::exposure::Phase;
use machine::event::Event;
use machine::ids::{Exposure, Requester};
use machine::plan::{Aliasing, Plan, Redispatch};
use machine::signal::Signal;
use units::Span;

fn with_gap(mut plan: Plan) -> Stand {
    for volume in &mut plan.volumes {
        volume.gap = Span::from_us(5);
    }
    Stand::new(&plan)
}

/// ASSUME, knob `gap`: between completion and the next start on an exposure the control program runs a little.
#[test]
fn the_gap_delays_the_next_start_on_the_same_exposure() {
    let mut stand = with_gap(volumes(1, &Aliasing::None));
    stand.request(0, A, us(0));
    stand.request(1, A, us(10));
    assert_eq!(stand.phase_over(0, us(100)), None, "the I/O ends; nothing starts yet");
    assert_eq!(stand.channel.exposures[0].phase, Phase::Gap);
    assert_eq!(stand.phase_over(0, us(105)), Some((1, 0)));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(0))), Some(us(205)));
}

#[test]
fn the_requester_does_not_wait_for_the_gap() {
    let mut stand = with_gap(volumes(1, &Aliasing::None));
    stand.request(0, A, us(0));
    stand.phase_over(0, us(100));
    assert_eq!(stand.done, [Requester(0)]);
    assert!(matches!(stand.said[..], [Signal::Ended(..)]), "{:?}", stand.said);
}

#[test]
fn a_request_in_the_gap_takes_an_alias_or_waits() {
    let mut stand = with_gap(classic(1, Redispatch::None));
    stand.request(0, A, us(0));
    stand.phase_over(0, us(100));
    assert_eq!(stand.request(1, A, us(102)), Some(1), "the base is not ready, the alias is");
    assert_eq!(stand.request(2, A, us(103)), None);
    assert_eq!(stand.phase_over(0, us(105)), Some((2, 0)));
}

#[test]
fn the_gap_of_one_exposure_delays_no_other() {
    let mut stand = with_gap(volumes(2, &Aliasing::None));
    stand.request(0, A, us(0));
    stand.phase_over(0, us(100));
    assert_eq!(stand.request(1, B, us(101)), Some(1));
}

#[test]
fn an_alias_goes_back_to_its_pool_after_the_gap() {
    let mut stand = with_gap(pooled(1, 1, Redispatch::None));
    stand.request(0, A, us(0));
    stand.request(1, A, us(0));
    stand.phase_over(1, us(100));
    assert_eq!(stand.channel.pools[0].free(), 0);
    assert_eq!(stand.phase_over(1, us(105)), None);
    assert_eq!(stand.channel.pools[0].free(), 1);
}

#[test]
fn without_a_gap_the_next_io_starts_at_the_end_of_the_last() {
    let mut stand = Stand::new(&volumes(1, &Aliasing::None));
    stand.request(0, A, us(0));
    stand.request(1, A, us(10));
    assert_eq!(stand.phase_over(0, us(100)), Some((1, 0)));
}

#[test]
#[should_panic(expected = "no instant is set in this phase")]
fn nothing_ends_on_an_idle_exposure() {
    let plan = volumes(1, &Aliasing::None);
    let mut channel = Stand::new(&plan).channel;
    let mut nobody = machine::signal::NoProbe;
    channel.phase_over(Exposure(0), us(0), &mut no_effects(), &mut nobody);
}
