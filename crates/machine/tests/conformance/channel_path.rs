//! Channel paths, on examples computed by hand: one I/O at a time in each direction, in turn or on the first free.

use crate::stand::{Stand, us, volumes};
use kernel::distribution::Distribution;
use machine::event::Event;
use machine::ids::{Lane, Volume};
use machine::io::{Access, Io, Transfer};
use machine::plan::{Aliasing, ChannelPlan, ControlUnitPlan, Discipline, Holds, Plan, Selection};
use machine::signal::{Service, Signal};
use units::{Span, Tod};

/// Six volumes that connect for 10 us, on one control unit; a channel carries an I/O for 100 us and 10 us per KiB.
fn plan(channels: usize, selection: Selection, holds: Holds) -> Plan {
    let mut plan = volumes(6, &Aliasing::None);
    let all = (0..channels).collect();
    plan.control_units.push(ControlUnitPlan { channels: all, selection, ..ControlUnitPlan::shared("CU", 4, 0.0) });
    plan.channels = (0..channels).map(|number| channel(number, holds)).collect();
    for volume in &mut plan.volumes {
        volume.control_unit = Some(0);
        volume.service.connect = Distribution::Constant(Span::from_us(10));
    }
    plan
}

fn channel(number: usize, holds: Holds) -> ChannelPlan {
    ChannelPlan {
        name: format!("{number:02X}"),
        per_io: Distribution::Constant(Span::from_us(100)),
        per_kib: Span::from_us(10),
        full_duplex: holds == Holds::Transfer,
        holds,
        discipline: Discipline::Fifo,
        ..Default::default()
    }
}

/// An I/O to a volume that asks for its channel at an instant, 10 us after it started.
fn ask(stand: &mut Stand, volume: u32, io: (Access, u32), at: u64) {
    stand.request_io(volume, Io { volume: Volume(volume), transfer: Transfer::new(io.0, io.1) }, us(at - 10));
    stand.phase_over(volume, us(at));
}

fn due(stand: &Stand, lane: u32) -> Option<Tod> {
    stand.due(Event::Carried(Lane(lane)))
}

/// Lets a lane end its I/O at an instant that must be due: the service of that I/O in us, as pend, disconnect, connect.
fn carried(stand: &mut Stand, lane: u32, at: u64) -> [f64; 3] {
    stand.carried(Lane(lane), us(at));
    let service = |signal: &Signal| if let Signal::Ended(_, _, service) = signal { Some(*service) } else { None };
    let Service { pend, disconnect, connect, .. } = stand.said.iter().find_map(service).expect("the I/O ends");
    [pend, disconnect, connect].map(|span| span.ms() * 1e3)
}

#[test]
fn a_channel_carries_one_io_at_a_time_and_the_wait_is_connect_time() {
    let mut stand = Stand::new(&plan(1, Selection::Rotating, Holds::Transfer));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Read, 4096), 30);
    assert_eq!(due(&stand, 0), Some(us(110)));
    assert_eq!(carried(&mut stand, 0, 110), [0.0, 0.0, 110.0]);
    assert_eq!(due(&stand, 0), Some(us(250)), "100 us and 4 KiB");
    assert_eq!(carried(&mut stand, 0, 250), [0.0, 0.0, 10.0 + 80.0 + 140.0]);
    assert_eq!(due(&stand, 0), None);
}

#[test]
fn in_full_duplex_a_write_does_not_wait_for_a_read() {
    let mut stand = Stand::new(&plan(1, Selection::Rotating, Holds::Transfer));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Write, 0), 20);
    assert_eq!((due(&stand, 0), due(&stand, 1)), (Some(us(110)), Some(us(120))));
}

#[test]
fn in_half_duplex_it_does() {
    let mut half = plan(1, Selection::Rotating, Holds::Transfer);
    half.channels[0].full_duplex = false;
    let mut stand = Stand::new(&half);
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Write, 0), 20);
    assert_eq!((due(&stand, 0), due(&stand, 1)), (Some(us(110)), None));
    carried(&mut stand, 0, 110);
    assert_eq!(due(&stand, 0), Some(us(210)));
}

#[test]
fn rotating_gives_each_channel_its_turn_whatever_waits_there() {
    let mut stand = Stand::new(&plan(2, Selection::Rotating, Holds::Transfer));
    ask(&mut stand, 0, (Access::Read, 8192), 10);
    ask(&mut stand, 1, (Access::Read, 0), 20);
    ask(&mut stand, 2, (Access::Read, 0), 30);
    assert_eq!((due(&stand, 0), due(&stand, 2)), (Some(us(190)), Some(us(120))));
    carried(&mut stand, 2, 120);
    assert_eq!(due(&stand, 2), None, "the third has its turn on the first channel");
    assert_eq!(carried(&mut stand, 0, 190), [0.0, 0.0, 190.0]);
    assert_eq!(carried(&mut stand, 0, 290), [0.0, 0.0, 10.0 + 160.0 + 100.0]);
}

#[test]
fn first_free_takes_the_channel_that_frees_first_in_the_order_of_asking() {
    let mut stand = Stand::new(&plan(2, Selection::FirstFree, Holds::Transfer));
    ask(&mut stand, 0, (Access::Read, 8192), 10);
    ask(&mut stand, 1, (Access::Read, 0), 20);
    ask(&mut stand, 2, (Access::Read, 0), 30);
    ask(&mut stand, 3, (Access::Read, 0), 40);
    assert_eq!(carried(&mut stand, 2, 120), [0.0, 0.0, 110.0]);
    assert_eq!(due(&stand, 2), Some(us(220)), "the third is carried");
    carried(&mut stand, 0, 190);
    assert_eq!(due(&stand, 0), Some(us(290)), "then the fourth");
    assert_eq!(carried(&mut stand, 2, 220), [0.0, 0.0, 10.0 + 90.0 + 100.0]);
    assert_eq!(carried(&mut stand, 0, 290), [0.0, 0.0, 10.0 + 150.0 + 100.0]);
}

/// Both control units wait for the one channel; the older request comes first, whichever unit it is for.
#[test]
fn control_units_share_a_channel_in_the_order_of_asking() {
    let mut both = plan(1, Selection::FirstFree, Holds::Transfer);
    both.control_units.push(ControlUnitPlan { name: "CV".into(), ..both.control_units[0].clone() });
    both.volumes[2].control_unit = Some(1);
    let mut stand = Stand::new(&both);
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 2, (Access::Read, 4096), 20);
    ask(&mut stand, 1, (Access::Read, 0), 30);
    carried(&mut stand, 0, 110);
    assert_eq!(due(&stand, 0), Some(us(250)), "4 KiB: that of the second unit");
    carried(&mut stand, 0, 250);
    assert_eq!(due(&stand, 0), Some(us(350)));
}

#[test]
fn a_connection_holds_its_channel_and_waits_while_it_pends() {
    let mut stand = Stand::new(&plan(1, Selection::FirstFree, Holds::Connection));
    stand.request_io(0, Io::to(Volume(0)), us(0));
    stand.phase_over(0, us(0));
    stand.request_io(1, Io::to(Volume(1)), us(30));
    stand.phase_over(1, us(30));
    assert_eq!(due(&stand, 0), Some(us(110)), "10 us of connection and 100 us");
    assert_eq!(carried(&mut stand, 0, 110), [0.0, 0.0, 110.0]);
    assert_eq!(carried(&mut stand, 0, 220), [80.0, 0.0, 110.0]);
}

#[test]
fn a_connection_that_had_disconnected_waits_in_disconnect() {
    let mut plan = plan(1, Selection::FirstFree, Holds::Connection);
    plan.volumes[1].service.disconnect = Distribution::Constant(Span::from_us(5));
    let mut stand = Stand::new(&plan);
    stand.request_io(0, Io::to(Volume(0)), us(0));
    stand.phase_over(0, us(0));
    stand.request_io(1, Io::to(Volume(1)), us(30));
    stand.phase_over(1, us(35));
    carried(&mut stand, 0, 110);
    assert_eq!(carried(&mut stand, 0, 220), [0.0, 80.0, 110.0]);
}

#[test]
fn a_channel_that_comes_online_takes_what_waits() {
    let mut stand = Stand::new(&plan(2, Selection::FirstFree, Holds::Transfer));
    stand.vary_paths(1, us(0));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Read, 0), 20);
    assert_eq!((due(&stand, 0), due(&stand, 2)), (Some(us(110)), None));
    stand.vary_paths(2, us(50));
    assert_eq!(due(&stand, 2), Some(us(150)));
}

/// A channel that interleaves the frames of its I/Os.
fn shared(channels: usize, selection: Selection) -> Plan {
    let mut plan = plan(channels, selection, Holds::Transfer);
    plan.channels.iter_mut().for_each(|channel| channel.discipline = Discipline::Shared);
    plan
}

/// FICON: frames of several exchanges are multiplexed on the link (Driever, Evolution of the z System channel).
#[test]
fn a_shared_channel_carries_all_ios_that_asked_evenly() {
    let mut stand = Stand::new(&shared(1, Selection::Rotating));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    assert_eq!(due(&stand, 0), Some(us(110)));
    ask(&mut stand, 1, (Access::Read, 4096), 30);
    assert_eq!(due(&stand, 0), Some(us(190)), "80 us were left, at half the speed");
    assert_eq!(carried(&mut stand, 0, 190), [0.0, 0.0, 10.0 + 180.0]);
    assert_eq!(due(&stand, 0), Some(us(250)), "100 us and 4 KiB: 80 at half the speed, and 60 alone");
    assert_eq!(carried(&mut stand, 0, 250), [0.0, 0.0, 10.0 + 220.0]);
    assert_eq!(due(&stand, 0), None);
}

#[test]
fn a_short_io_does_not_wait_for_a_long_one_on_a_shared_channel() {
    for (discipline, connect) in [(Discipline::Fifo, 10.0 + 710.0), (Discipline::Shared, 10.0 + 200.0)] {
        let mut plan = shared(1, Selection::Rotating);
        plan.channels[0].discipline = discipline;
        let mut stand = Stand::new(&plan);
        ask(&mut stand, 0, (Access::Read, 64 << 10), 10);
        ask(&mut stand, 1, (Access::Read, 0), 140);
        let ends: Vec<f64> = std::iter::from_fn(|| {
            let at = due(&stand, 0)?;
            Some(carried(&mut stand, 0, (at - us(0)).units() / Span::from_us(1).units())[2])
        })
        .collect();
        assert!(ends.contains(&connect), "{discipline:?}: {ends:?}");
    }
}

#[test]
fn the_other_direction_of_a_shared_channel_has_it_to_itself() {
    let mut stand = Stand::new(&shared(1, Selection::Rotating));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Write, 0), 20);
    assert_eq!((due(&stand, 0), due(&stand, 1)), (Some(us(110)), Some(us(120))));
}

#[test]
fn first_free_takes_the_shared_channel_with_the_fewest_ios() {
    let mut stand = Stand::new(&shared(2, Selection::FirstFree));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Read, 8192), 20);
    ask(&mut stand, 2, (Access::Read, 0), 30);
    assert_eq!((due(&stand, 0), due(&stand, 2)), (Some(us(190)), Some(us(200))), "in turn: the third shares the first");
    ask(&mut stand, 3, (Access::Read, 0), 40);
    assert_eq!(due(&stand, 2), Some(us(240)), "and the fourth the second");
    carried(&mut stand, 0, 190);
    carried(&mut stand, 0, 210);
    ask(&mut stand, 4, (Access::Read, 0), 220);
    assert_eq!(due(&stand, 0), Some(us(320)), "the first carries none");
}

#[test]
fn a_shared_channel_that_comes_online_has_nothing_to_take() {
    let mut stand = Stand::new(&shared(2, Selection::FirstFree));
    stand.vary_paths(1, us(0));
    ask(&mut stand, 0, (Access::Read, 0), 10);
    ask(&mut stand, 1, (Access::Read, 0), 20);
    assert_eq!((due(&stand, 0), due(&stand, 2)), (Some(us(200)), None));
    stand.vary_paths(2, us(50));
    assert_eq!((due(&stand, 0), due(&stand, 2)), (Some(us(200)), None), "an I/O stays where it is");
    ask(&mut stand, 2, (Access::Read, 0), 60);
    assert_eq!(due(&stand, 2), Some(us(160)));
}
