//! Looking changes nothing: with a monitor or without, stopped often or never, sampled densely or not.

use super::all_machines;
use crate::observed::Observed;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::plan::Plan;
use machine::signal::{NoProbe, Probe};
use machine::world::World;
use measures::Figure;
use monitor::{Measurement, Monitor, replicate};
use units::{Span, Tod};

const END: Tod = Tod::from_units(Span::SECOND.units());

fn ran<P: Probe>(plan: &Plan, probe: P, look: impl Fn(&mut World<TreeCalendar, P>)) -> (u64, u64, String) {
    let mut world = World::new(plan, &Streams::new(3, 0), probe);
    world.count_from(Tod::START + Span::from_ms(1));
    look(&mut world);
    world.run_until(END).expect("the load is small");
    (world.events(), world.checksum(), format!("{:?}{:?}{:?}", world.channel, world.guests, world.control))
}

#[test]
fn a_monitor_changes_nothing() {
    for (name, plan) in all_machines() {
        let observed = ran(&plan, Monitor::new(&plan), |_| {});
        assert_eq!(ran(&plan, NoProbe, |_| {}), observed, "{name}");
        let twice = ran(&plan, Observed::by((Monitor::new(&plan), Monitor::new(&plan))), |_| {});
        assert_eq!(twice, observed, "{name}, two monitors");
    }
}

#[test]
fn stopping_and_sampling_change_nothing() {
    for (name, plan) in all_machines() {
        let straight = ran(&plan, Monitor::new(&plan), |_| {});
        let stopped = ran(&plan, Monitor::new(&plan), |world| {
            for stop in 1..1_000 {
                world.run_until(Tod::START + Span::from_us(977 * stop)).expect("the load is small");
                world.probe.sample(&world.channel);
            }
        });
        let stepped = ran(&plan, Monitor::new(&plan), |world| while !world.run_some(END, 7).expect("small") {});
        assert_eq!(straight, stopped, "{name}, stopped and sampled");
        assert_eq!(straight, stepped, "{name}, seven events at a time");
    }
}

/// Only what is sampled depends on the samples.
#[test]
fn how_often_is_sampled_changes_nothing_else() {
    for (name, plan) in all_machines() {
        let measured = |sample| {
            let (warm_up, interval) = (Span::from_ms(50), Span::from_ms(400));
            let measurement = Measurement { warm_up, interval, intervals: 2, sample };
            let mut intervals =
                replicate(&plan, &Streams::new(3, 0), &measurement, name, |_| true).expect("the laws hold");
            for interval in &mut intervals {
                interval.samples = 0;
                interval.volumes.iter_mut().for_each(|volume| volume.queue_depth_sampled.value = 0.0);
                for program in &mut interval.control_programs {
                    (program.vector_empty_sampled_percent, program.vector_depth_sampled) = (Figure::ZERO, Figure::ZERO);
                }
                interval.devices.iter_mut().for_each(|device| device.queue_depth_sampled.value = 0.0);
            }
            format!("{intervals:?}")
        };
        assert_eq!(measured(Span::from_ms(2)), measured(Span::from_us(30_011)), "{name}");
    }
}
