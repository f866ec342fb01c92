//! A volume: base first, then its own aliases; how long an I/O takes.

use crate::stand::{A, B, Stand, classic, us, volume, volumes};
use kernel::distribution::Distribution;
use machine::effect::Effects;
use machine::event::Event;
use machine::ids::Exposure;
use machine::plan::{Aliasing, DeviceNumber, Plan, Redispatch};
use machine::signal::{Service, Signal, Waited};
use units::Span;

fn service_of(stand: &Stand) -> Service {
    let ended = |signal: &Signal| if let Signal::Ended(_, _, service) = signal { Some(*service) } else { None };
    stand.said.iter().find_map(ended).expect("an I/O ended")
}

/// HyperPAV, "Understanding Disk Performance": an I/O to a volume without queueing starts at once, on its base.
#[test]
fn a_request_takes_the_free_base_first() {
    let mut stand = Stand::new(&classic(2, Redispatch::None));
    assert_eq!(stand.request(0, A, us(0)), Some(0));
    assert_eq!(stand.request(1, B, us(0)), Some(1), "each volume has a base of its own");
    let Signal::Started(_, _, _, waited) = stand.said[0] else { panic!("{:?}", stand.said) };
    assert_eq!(waited, Waited::NotAtAll);
}

/// HyperPAV, "DASD Tuning via Classic PAV": base 522A and its alias 5249 (->522A) work for one volume at a time.
#[test]
fn a_request_that_finds_its_base_busy_takes_an_alias() {
    let mut stand = Stand::new(&classic(2, Redispatch::None));
    stand.request(0, A, us(0));
    assert_eq!(stand.request(1, A, us(10)), Some(2));
}

/// HyperPAV, introduction: "with PAV, each alias device is affiliated with exactly one base".
#[test]
fn a_classic_alias_serves_its_base_only() {
    let mut stand = Stand::new(&classic(2, Redispatch::None));
    stand.request(0, A, us(0));
    stand.request(1, A, us(0));
    assert_eq!(stand.request(2, A, us(0)), None, "the alias of B is free and stays so");
    assert_eq!(stand.request(3, B, us(0)), Some(1));
    assert_eq!(stand.request(4, B, us(0)), Some(3));
}

#[test]
fn the_base_is_preferred_to_a_free_alias_whenever_it_is_free() {
    let mut stand = Stand::new(&classic(1, Redispatch::None));
    stand.request(0, A, us(0));
    stand.request(1, A, us(10));
    stand.phase_over(0, us(100));
    assert_eq!(
        stand.request(2, A, us(105)),
        Some(0),
        "the alias is busy until 110, and the base would come first anyway"
    );
    stand.phase_over(1, us(110));
    stand.phase_over(0, us(205));
    assert_eq!(stand.request(3, A, us(300)), Some(0), "both are free");
}

#[test]
fn a_volume_without_aliases_does_one_io_at_a_time() {
    let mut stand = Stand::new(&volumes(1, &Aliasing::None));
    assert_eq!(stand.request(0, A, us(0)), Some(0));
    assert_eq!(stand.request(1, A, us(0)), None);
    assert_eq!(stand.request(2, A, us(0)), None);
    assert_eq!(stand.waiting(A), 2);
}

/// HyperPAV, "The Basic DEVICE Report": Serv is Pend + Disc + Conn.
#[test]
fn service_is_pend_and_disconnect_and_connect() {
    let mut plan = volumes(1, &Aliasing::None);
    plan.volumes[0].service.pend = Distribution::Constant(Span::from_us(20));
    plan.volumes[0].service.disconnect = Distribution::Constant(Span::from_us(30));
    let mut stand = Stand::new(&plan);
    stand.request(0, A, us(7));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(0))), Some(us(157)));
    stand.phase_over(0, us(157));
    let service = service_of(&stand);
    assert_eq!((service.pend, service.disconnect), (Span::from_us(20), Span::from_us(30)));
    assert_eq!((service.connect, service.connect_alone), (Span::from_us(100), Span::from_us(100)));
    assert_eq!(service.total(), Span::from_us(150));
}

/// Linear form (calibrated: S = 1.10 + 0.20 c ms): an I/O's connect time grows with those in service when it starts,
/// itself included.
#[test]
fn connect_grows_with_the_ios_in_service() {
    let aliases = (0..3).map(DeviceNumber).collect();
    let mut plan =
        Plan { volumes: vec![volume(0, Aliasing::Pav { aliases, redispatch: Redispatch::None })], ..Plan::default() };
    plan.volumes[0].service.connect_per_concurrent = Span::from_us(10);
    let mut stand = Stand::new(&plan);
    for (requester, ends) in [(0, 110), (1, 120), (2, 130)] {
        assert_eq!(stand.request(requester, A, us(0)), Some(requester));
        assert_eq!(stand.due(Event::PhaseOver(Exposure(requester))), Some(us(ends)));
    }
    stand.phase_over(0, us(110));
    assert_eq!(service_of(&stand).connect, Span::from_us(110));
    assert_eq!(service_of(&stand).connect_alone, Span::from_us(100));
    stand.request(3, A, us(115));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(0))), Some(us(245)), "an ended I/O no longer counts");
}

#[test]
fn the_linear_form_leaves_out_other_volumes() {
    let mut plan = volumes(2, &Aliasing::None);
    plan.volumes[1].service.connect_per_concurrent = Span::from_us(10);
    let mut stand = Stand::new(&plan);
    stand.request(0, A, us(0));
    stand.request(1, B, us(0));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(1))), Some(us(110)));
}

/// Partitioning Large Processors, 4.0: IOS considers a device busy "until the IOS SLIH clears the interrupt".
#[test]
fn a_device_of_a_partition_is_busy_until_its_interrupt_is_handled() {
    let mut plan = volumes(1, &Aliasing::None);
    plan.volumes[0].partition = Some(0);
    let mut stand = Stand::new(&plan);
    stand.request(0, A, us(0));
    stand.phase_over(0, us(100));
    assert_eq!((stand.interrupts.as_slice(), stand.done.len()), (&[Exposure(0)][..], 0));
    assert_eq!(stand.channel.volumes[0].in_service, 0, "the channel measures nothing of the wait");
    assert_eq!(stand.request(1, A, us(110)), None, "it queues: that is IOSQ time");
    stand.act(us(150), |channel, effects: &mut Effects, record| channel.clear(Exposure(0), us(150), effects, record));
    assert!(stand.said.contains(&Signal::Cleared(A, Exposure(0), Span::from_us(50))));
    assert_eq!((stand.done.len(), stand.waiting(A)), (1, 0));
}
