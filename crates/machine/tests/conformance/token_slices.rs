//! Token slices: the rules of Linux's block/blk-throttle.c, as its functions have them.

use crate::stand::{A, Stand, us, volume};
use machine::effect::Effects;
use machine::event::Event;
use machine::ids::Exposure;
use machine::plan::{Aliasing, DeviceNumber, IoLimitPlan, Plan, Redispatch};
use machine::signal::{Hold, Service, Signal};
use units::{Span, Tod};

/// Four I/Os in each slice of a millisecond, on a volume with a base and 31 aliases.
fn limited(tick: Span) -> Stand {
    let aliases = (0..31).map(|alias| DeviceNumber(0x2000 + alias)).collect();
    let mut own = volume(0, Aliasing::Pav { aliases, redispatch: Redispatch::SameVolume });
    own.limit = Some(IoLimitPlan { per_1000_s: 4_000_000, slice: Span::from_ms(1), tick });
    Stand::new(&Plan { volumes: vec![own], ..Plan::default() })
}

/// How many of these requests find a token, one after the other at an instant.
fn admitted(stand: &mut Stand, first: u32, count: u32, at: Tod) -> usize {
    let waits = |stand: &Stand| stand.said.iter().any(|signal| matches!(signal, Signal::Held(_, _, Hold::NoToken)));
    (first..first + count)
        .filter(|requester| {
            stand.request(*requester, A, at);
            !waits(stand)
        })
        .count()
}

fn ends(stand: &Stand, exposure: u32) -> Option<Tod> {
    stand.due(Event::PhaseOver(Exposure(exposure)))
}

/// `tg_within_iops_limit`: the elapsed time is rounded up to whole slices.
#[test]
fn the_tokens_of_a_slice_are_there_when_it_begins() {
    let mut stand = limited(Span::ZERO);
    assert_eq!(admitted(&mut stand, 0, 5, us(0)), 4);
    assert_eq!([0, 3].map(|exposure| ends(&stand, exposure)), [Some(us(100)); 2]);
    assert_eq!(ends(&stand, 4), Some(us(1000)), "the fifth waits for the next slice");
}

/// The wait is a part of pending, and the exposure is busy with it.
#[test]
fn an_io_without_a_token_stays_pending_on_its_exposure() {
    let mut stand = limited(Span::ZERO);
    admitted(&mut stand, 0, 4, us(0));
    stand.phase_over(0, us(100));
    assert_eq!(stand.request(4, A, us(150)), Some(0));
    stand.phase_over(0, us(1000));
    assert!(stand.said.contains(&Signal::LetGo(A, Exposure(0))));
    stand.phase_over(0, us(1100));
    let (held, connect) = (Span::from_us(850), Span::from_us(100));
    let service = Service { pend: held, held, connect, connect_alone: connect, ..Service::default() };
    assert!(stand.said.iter().any(|signal| matches!(signal, Signal::Ended(_, _, own) if *own == service)));
}

/// `tg_within_limit`: "throtl is FIFO".
#[test]
fn who_comes_while_others_wait_waits_behind_them() {
    let mut stand = limited(Span::ZERO);
    admitted(&mut stand, 0, 10, us(0));
    assert_eq!(ends(&stand, 5), None, "one timer, that of the first");
    stand.phase_over(4, us(1000));
    assert_eq!([4, 5, 6, 7].map(|exposure| ends(&stand, exposure)), [Some(us(1100)); 4]);
    assert_eq!([8, 9].map(|exposure| ends(&stand, exposure)), [Some(us(2000)), None], "the next slice has four again");
}

/// `throtl_trim_slice`: one slice is preserved, those before it are not.
#[test]
fn tokens_that_nobody_took_last_for_one_slice_more() {
    let mut stand = limited(Span::ZERO);
    for (requester, at) in [(0, 0), (1, 900), (2, 1900)] {
        assert_eq!(admitted(&mut stand, requester, 1, us(at)), 1);
    }
    assert_eq!(admitted(&mut stand, 3, 20, us(2500)), 9, "one that was there, four of the last slice, four of this");
}

/// `tg_update_slice`: a slice that is used up begins anew when nothing is queued.
#[test]
fn after_a_rest_the_slice_begins_with_the_next_io() {
    let mut stand = limited(Span::ZERO);
    admitted(&mut stand, 0, 1, us(0));
    assert_eq!(admitted(&mut stand, 1, 5, us(5300)), 4);
    assert_eq!(ends(&stand, 5), Some(us(6300)));
}

/// `throtl_schedule_pending_timer`: a timer is never early, so it ends in the tick after its last.
#[test]
fn with_ticks_waiting_ios_go_on_a_tick_after_the_slice_has_begun() {
    let mut stand = limited(Span::from_us(250));
    admitted(&mut stand, 0, 9, us(0));
    let first = ends(&stand, 4).expect("it waits");
    assert!(us(1000) < first && first <= us(1250), "{first:?}");
    stand.phase_over(4, first);
    assert_eq!(ends(&stand, 8), Some(first + Span::from_ms(1)), "then slice by slice");
}

/// The limit is in front of the device: a token is no use while another system has the volume.
#[test]
fn a_token_that_comes_while_the_volume_is_reserved_lets_nothing_go() {
    let mut stand = limited(Span::ZERO);
    admitted(&mut stand, 0, 5, us(0));
    stand.act(us(500), |channel, effects: &mut Effects, record| channel.reserve(A, us(500), effects, record));
    stand.phase_over(4, us(1000));
    assert_eq!(ends(&stand, 4), None);
    stand.act(us(1500), |channel, effects: &mut Effects, record| channel.release(A, us(1500), effects, record));
    assert_eq!(ends(&stand, 4), Some(us(1600)));
}

#[test]
fn a_volume_that_is_released_gives_no_token() {
    let mut stand = limited(Span::ZERO);
    admitted(&mut stand, 0, 5, us(0));
    stand.act(us(200), |channel, effects: &mut Effects, record| channel.reserve(A, us(200), effects, record));
    stand.act(us(500), |channel, effects: &mut Effects, record| channel.release(A, us(500), effects, record));
    assert_eq!(ends(&stand, 4), Some(us(1000)));
}
