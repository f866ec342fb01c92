//! Path groups: how connected I/Os slow each other, on examples computed by hand.
//!
//! In the tables of the tests a line is an instant, and "left" is what an I/O still has to transfer, in us alone.

use crate::stand::{A, Stand, us, volumes};
use kernel::distribution::Distribution;
use machine::event::Event;
use machine::ids::{Exposure, Paths, Volume};
use machine::plan::{Aliasing, ControlUnitPlan};
use machine::signal::Signal;
use units::{Span, Tod};

/// A volume per connect time, all on one path group.
fn station(sharing: f64, connect_us: &[u64]) -> Stand {
    let mut plan = volumes(connect_us.len() as u16, &Aliasing::None);
    plan.control_units.push(ControlUnitPlan::shared("CU", 4, sharing));
    for (volume, connect) in plan.volumes.iter_mut().zip(connect_us) {
        volume.control_unit = Some(0);
        volume.service.connect = Distribution::Constant(Span::from_us(*connect));
    }
    Stand::new(&plan)
}

/// An I/O to a volume that is requested and, having no other service, connects at one instant.
fn connect(stand: &mut Stand, volume: u32, at: Tod) {
    stand.request(volume, Volume(volume), at);
    stand.phase_over(volume, at);
}

fn next(stand: &Stand) -> Option<Tod> {
    stand.due(Event::Transferred(Paths(0)))
}

/// How long the I/O that just ended was connected, and how long it would have been alone, in us.
fn connected(stand: &Stand) -> (f64, f64) {
    let Some(Signal::Ended(_, _, service)) = stand.said.first() else { panic!("{:?}", stand.said) };
    (service.connect.ms() * 1e3, service.connect_alone.ms() * 1e3)
}

#[test]
fn without_sharing_no_io_slows_another() {
    let mut stand = station(0.0, &[100, 100]);
    stand.request(0, Volume(0), us(0));
    stand.request(1, Volume(1), us(40));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(0))), Some(us(100)));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(1))), Some(us(140)));
    assert_eq!(stand.channel.paths[0].connected(), 0, "the end is known at the start: the station is not needed");
}

#[test]
fn alone_an_io_takes_its_own_time() {
    for sharing in [0.02, 0.5, 1.0] {
        let mut stand = station(sharing, &[100]);
        connect(&mut stand, 0, us(7));
        assert_eq!(next(&stand), Some(us(107)));
        assert_eq!(stand.transferred(us(107)), 0);
        assert_eq!(connected(&stand), (100.0, 100.0));
        assert_eq!(next(&stand), None, "nobody is left");
    }
}

/// At 0 the first connects, 100 left.  At 40 the second connects, first 60 left; both at half speed.  At 160 the first
/// ends, second 40 left, alone until 200.
#[test]
fn with_sharing_1_two_have_half_the_speed_each() {
    let mut stand = station(1.0, &[100, 100]);
    connect(&mut stand, 0, us(0));
    connect(&mut stand, 1, us(40));
    assert_eq!((next(&stand), stand.channel.paths[0].connected()), (Some(us(160)), 2));
    assert_eq!(stand.transferred(us(160)), 0);
    assert_eq!((connected(&stand), next(&stand)), ((160.0, 100.0), Some(us(200))));
    assert_eq!(stand.transferred(us(200)), 1);
    assert_eq!(connected(&stand), (160.0, 100.0));
}

/// With two connected each has 1 / 1.5 of its speed.  At 40 first 60 left; at 40 + 60 x 1.5 = 130 it ends, second 40
/// left, alone until 170.
#[test]
fn with_sharing_a_half_two_have_two_thirds_of_the_speed_each() {
    let mut stand = station(0.5, &[100, 100]);
    connect(&mut stand, 0, us(0));
    connect(&mut stand, 1, us(40));
    assert_eq!(next(&stand), Some(us(130)));
    stand.transferred(us(130));
    assert_eq!((connected(&stand), next(&stand)), ((130.0, 100.0), Some(us(170))));
    stand.transferred(us(170));
    assert_eq!(connected(&stand), (130.0, 100.0));
}

/// Left at 0: 200; at 10: 190, 50; at 20: 185, 45, 20; at 80: 165, 25, -; at 130: 140, -, -; at 270 nothing.
#[test]
fn the_shortest_rest_leaves_first_whatever_the_order_of_arrival() {
    let mut stand = station(1.0, &[200, 50, 20]);
    connect(&mut stand, 0, us(0));
    connect(&mut stand, 1, us(10));
    connect(&mut stand, 2, us(20));
    for (at, volume, connect) in [(80, 2, 60.0), (130, 1, 120.0), (270, 0, 270.0)] {
        assert_eq!(next(&stand), Some(us(at)));
        assert_eq!(stand.transferred(us(at)), volume);
        assert_eq!(connected(&stand).0, connect);
    }
}

#[test]
fn a_newcomer_postpones_the_connected() {
    let mut stand = station(1.0, &[100, 400]);
    connect(&mut stand, 0, us(0));
    assert_eq!(next(&stand), Some(us(100)));
    connect(&mut stand, 1, us(90));
    assert_eq!(next(&stand), Some(us(110)), "the last 10 take 20");
}

#[test]
fn equal_rests_leave_at_the_same_instant_the_lower_exposure_first() {
    let mut stand = station(1.0, &[100, 100, 100]);
    for volume in [2, 0, 1] {
        connect(&mut stand, volume, us(0));
    }
    for volume in 0..3 {
        assert_eq!(next(&stand), Some(us(300)));
        assert_eq!(stand.transferred(us(300)), volume);
    }
}

#[test]
fn after_the_station_was_empty_it_begins_anew() {
    let mut stand = station(1.0, &[100, 30]);
    connect(&mut stand, 1, us(0));
    stand.transferred(us(30));
    connect(&mut stand, 0, us(1_000_000));
    connect(&mut stand, 1, us(1_000_010));
    assert_eq!(next(&stand), Some(us(1_000_070)), "the second needs 30 at half speed");
}

/// Pending and disconnect time pass at full speed, before the I/O takes part in the sharing.
#[test]
fn only_the_connected_share() {
    let mut plan = volumes(2, &Aliasing::None);
    plan.control_units.push(ControlUnitPlan::shared("CU", 4, 1.0));
    for volume in &mut plan.volumes {
        volume.control_unit = Some(0);
        volume.service.pend = Distribution::Constant(Span::from_us(20));
        volume.service.disconnect = Distribution::Constant(Span::from_us(30));
    }
    let mut stand = Stand::new(&plan);
    stand.request(0, A, us(0));
    stand.request(1, Volume(1), us(40));
    assert_eq!((stand.channel.paths[0].connected(), next(&stand)), (0, None));
    stand.phase_over(0, us(50));
    stand.phase_over(1, us(90));
    assert_eq!(next(&stand), Some(us(210)), "40 alone, then 60 at half speed");
    stand.transferred(us(210));
    let Some(Signal::Ended(_, _, service)) = stand.said.first() else { panic!("{:?}", stand.said) };
    assert_eq!((service.pend, service.disconnect), (Span::from_us(20), Span::from_us(30)));
    assert_eq!(service.connect, Span::from_us(160));
}

#[test]
fn path_groups_do_not_slow_each_other() {
    let mut plan = volumes(2, &Aliasing::None);
    for unit in 0..2 {
        plan.control_units.push(ControlUnitPlan::shared(format!("CU{unit}"), 4, 1.0));
        plan.volumes[unit].control_unit = Some(unit);
    }
    let mut stand = Stand::new(&plan);
    connect(&mut stand, 0, us(0));
    connect(&mut stand, 1, us(0));
    assert_eq!(next(&stand), Some(us(100)));
    assert_eq!(stand.due(Event::Transferred(Paths(1))), Some(us(100)));
}

/// A transfer of a whole number of TOD-clock units shared by three is rounded to the nearest unit, never lost: what the
/// station does in all is what it was given, to the unit per departure.
#[test]
fn rounding_loses_no_work() {
    let connect_us: Vec<u64> = (0..7).map(|volume| 101 + 13 * volume).collect();
    let mut stand = station(1.0, &connect_us);
    for volume in 0..7 {
        connect(&mut stand, volume, us(u64::from(volume)));
    }
    let mut last = Tod::START;
    for _ in 0..7 {
        last = next(&stand).expect("somebody is connected");
        stand.transferred(last);
    }
    let work: u64 = connect_us.iter().sum();
    assert!(last.units().abs_diff(us(work).units()) <= 7, "{last} for {work} us of work");
}
