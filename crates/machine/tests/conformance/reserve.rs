//! RESERVE by another system: I/O in progress finishes, what starts stays pending, and nothing is lost.

use crate::stand::{A, B, Stand, pooled, us};
use machine::effect::Effects;
use machine::event::Event;
use machine::ids::{Exposure, Volume};
use machine::plan::Redispatch;
use machine::signal::{Hold, Service, Signal};
use units::{Span, Tod};

fn reserve(stand: &mut Stand, volume: Volume, at: Tod) {
    stand.act(at, |channel, effects: &mut Effects, record| channel.reserve(volume, at, effects, record));
}

fn release(stand: &mut Stand, volume: Volume, at: Tod) {
    stand.act(at, |channel, effects: &mut Effects, record| channel.release(volume, at, effects, record));
}

#[test]
fn io_in_progress_finishes_when_its_volume_is_reserved() {
    let mut stand = Stand::new(&pooled(1, 1, Redispatch::None));
    stand.request(0, A, us(0));
    reserve(&mut stand, A, us(10));
    stand.phase_over(0, us(100));
    assert_eq!(stand.done.len(), 1);
}

/// The wait is device busy delay, a part of pending (RMF DIRECT ACCESS DEVICE ACTIVITY, AVG DB DLY).
#[test]
fn an_io_that_starts_on_a_reserved_volume_stays_pending_until_it_is_released() {
    let mut stand = Stand::new(&pooled(1, 1, Redispatch::None));
    reserve(&mut stand, A, us(0));
    assert_eq!(stand.request(0, A, us(10)), Some(0));
    assert!(stand.said.contains(&Signal::Held(A, Exposure(0), Hold::Reserved)));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(0))), None);
    release(&mut stand, A, us(500));
    stand.phase_over(0, us(600));
    let (held, connect) = (Span::from_us(490), Span::from_us(100));
    let service = Service { pend: held, held, connect, connect_alone: connect, ..Service::default() };
    assert!(
        stand.said.iter().any(|signal| matches!(signal, Signal::Ended(_, _, s) if *s == service)),
        "{:?}",
        stand.said
    );
}

#[test]
fn aliases_start_too_and_wait_the_same_while_others_volumes_go_on() {
    let mut stand = Stand::new(&pooled(2, 1, Redispatch::None));
    reserve(&mut stand, A, us(0));
    assert_eq!([0, 1, 2].map(|requester| stand.request(requester, A, us(0))), [Some(0), Some(2), None]);
    assert_eq!(stand.request(3, B, us(0)), Some(1));
    stand.phase_over(1, us(100));
    release(&mut stand, A, us(200));
    let ends = [0, 2].map(|exposure| stand.due(Event::PhaseOver(Exposure(exposure))));
    assert_eq!(ends, [Some(us(300)); 2], "both go on, and none is lost");
    assert_eq!(stand.phase_over(0, us(300)), Some((2, 0)), "the queue is served as ever");
}
