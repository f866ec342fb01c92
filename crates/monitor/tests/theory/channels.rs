//! Channels: one is a queue with a single server, a path group with one queue has as many servers as channels.

use super::closed_forms::repairman;
use super::trial::Trial;
use crate::plans::{bound, closed, exponential, io, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{
    ChannelPlan, ControlUnitPlan, Discipline, GuestPlan, Holds, IoPlan, Plan, Redispatch, Selection, Step, VolumePlan,
};
use units::{Percent, Span};

const NONE: Distribution = Distribution::Constant(Span::ZERO);

/// A channel that carries nothing but the time per I/O.
fn channel(number: usize, per_io: Distribution, holds: Holds) -> ChannelPlan {
    let full_duplex = holds == Holds::Transfer;
    let discipline = Discipline::Fifo;
    ChannelPlan {
        name: format!("{number:02X}"),
        per_io,
        per_kib: Span::ZERO,
        full_duplex,
        holds,
        discipline,
        ..Default::default()
    }
}

/// Puts all volumes of a plan on one control unit with these channels.
fn behind(mut plan: Plan, channels: Vec<ChannelPlan>, selection: Selection) -> Plan {
    let all = (0..channels.len()).collect();
    plan.control_units = vec![ControlUnitPlan { channels: all, selection, ..ControlUnitPlan::shared("CU", 4, 0.0) }];
    plan.channels = channels;
    plan.volumes.iter_mut().for_each(|volume| volume.control_unit = Some(0));
    plan
}

/// Poisson arrivals to a volume with aliases for all of them, and I/Os whose time is on the channel alone.
fn arriving(per_ms: f64, channels: Vec<ChannelPlan>, selection: Selection) -> Plan {
    let mut plan = plan(vec![volume("A", NONE)], vec![open(1e3 * per_ms, vec![io(0)])]);
    plan.volumes[0].aliasing = bound(120, Redispatch::None);
    behind(plan, channels, selection)
}

/// A guest with a volume of its own that thinks between I/Os.
fn thinker(number: usize, think_us: u64) -> GuestPlan {
    GuestPlan { name: format!("G{number}"), ..closed(1, vec![Step::Think(exponential(think_us)), io(number)]) }
}

/// Mean wait over the mean service of 1 ms by Pollaczek and Khinchine, for a squared coefficient of variation.
fn pollaczek(load: f64, scv: f64) -> f64 {
    load * (1.0 + scv) / (2.0 * (1.0 - load))
}

#[test]
fn one_channel_is_an_m_g_1_queue() {
    let mean = Span::from_ms(1);
    let kinds = [(Distribution::Constant(mean), 0.0), (exponential(1_000), 1.0)];
    for (per_io, scv) in kinds {
        let plan = arriving(0.6, vec![channel(0, per_io, Holds::Transfer)], Selection::Rotating);
        let trial = Trial::run(&format!("M/G/1 channel, scv {scv}"), &plan, 250);
        let wait = pollaczek(0.6, scv);
        trial.agrees("busy", |interval| interval.channels[0].busy_percent.value, 60.0);
        trial.agrees("wait", |interval| interval.channels[0].wait_ms.value, wait);
        trial.agrees("connect", |interval| interval.volumes[0].conn_ms.value, 1.0 + wait);
    }
}

#[test]
fn guests_behind_one_channel_are_a_machine_repair_model() {
    let population = 6;
    let volumes = (0..population).map(|number| volume(&format!("V{number}"), NONE)).collect();
    let plan = plan(volumes, (0..population).map(|number| thinker(number, 4_000)).collect());
    let plan = behind(plan, vec![channel(0, exponential(1_000), Holds::Transfer)], Selection::Rotating);
    let trial = Trial::run("6 guests, one channel", &plan, 120);
    let theory = repairman(1, population as u32, 4.0, 1.0);
    trial.agrees("I/O per ms", |interval| interval.channels[0].io_per_s.value / 1e3, theory.throughput);
}

/// With one queue for all, c channels are the c repairmen of the model.
#[test]
fn guests_behind_a_path_group_with_one_queue_have_as_many_repairmen_as_channels() {
    let population = 12;
    let volumes = (0..population).map(|number| volume(&format!("V{number}"), NONE)).collect();
    let channels = (0..3).map(|number| channel(number, exponential(1_000), Holds::Transfer)).collect();
    let plan = behind(
        plan(volumes, (0..population).map(|number| thinker(number, 3_000)).collect()),
        channels,
        Selection::FirstFree,
    );
    let trial = Trial::run("12 guests, three channels", &plan, 80);
    let theory = repairman(3, population as u32, 3.0, 1.0);
    trial.agrees("I/O per ms", |interval| interval.control_units[0].io_per_s.value / 1e3, theory.throughput);
}

/// Reads and writes each are an M/M/1 queue of their own in full duplex, and one queue in half duplex.
#[test]
fn in_full_duplex_reads_and_writes_do_not_meet() {
    for (full_duplex, load) in [(true, 0.4), (false, 0.8)] {
        let read = io(0);
        let write = Step::Io(IoPlan { reads: Percent::new(0.0), ..IoPlan::of_volume(0) });
        let mut plan = plan(vec![volume("A", NONE)], vec![open(400.0, vec![read]), open(400.0, vec![write])]);
        plan.guests[1].name = "WRITERS".into();
        plan.volumes[0].aliasing = bound(120, Redispatch::None);
        let own = ChannelPlan { full_duplex, ..channel(0, exponential(1_000), Holds::Transfer) };
        let trial =
            Trial::run(&format!("full duplex {full_duplex}"), &behind(plan, vec![own], Selection::Rotating), 400);
        trial.agrees("wait", |interval| interval.channels[0].wait_ms.value, pollaczek(load, 1.0));
        trial.agrees("read busy", |interval| interval.channels[0].read_busy_percent.value, 40.0);
        let busy = if full_duplex { 100.0 * (1.0 - 0.6 * 0.6) } else { 80.0 };
        trial.agrees("busy", |interval| interval.channels[0].busy_percent.value, busy);
    }
}

/// No path carries more than its serial time allows, however many I/Os wait for it.
#[test]
fn a_full_channel_carries_one_io_per_serial_time() {
    let volumes: Vec<VolumePlan> = (0..8).map(|number| volume(&format!("V{number}"), exponential(500))).collect();
    let guests: Vec<GuestPlan> = (0..8).map(|number| closed(2, vec![io(number)])).collect();
    for (held, rate) in [(Holds::Transfer, 1.0), (Holds::Connection, 1.0 / 1.5)] {
        let plan = behind(
            plan(volumes.clone(), guests.clone()),
            vec![channel(0, exponential(1_000), held)],
            Selection::Rotating,
        );
        let trial = Trial::run(&format!("full, {held:?}"), &plan, 150);
        trial.agrees("I/O per ms", |interval| interval.channels[0].io_per_s.value / 1e3, rate);
    }
}

/// A channel that interleaves the frames of its I/Os.
fn interleaving(number: usize, per_io: Distribution) -> ChannelPlan {
    ChannelPlan { discipline: Discipline::Shared, ..channel(number, per_io, Holds::Transfer) }
}

/// M/G/1 processor sharing: the mean response is E[S] / (1 - load), whatever the distribution of S (Kleinrock, Queueing
/// Systems II, 4.4).
#[test]
fn a_shared_channel_is_an_m_g_1_ps_queue_whatever_the_distribution() {
    let ms = Span::from_ms;
    let kinds = [
        ("constant", Distribution::Constant(ms(1))),
        ("exponential", exponential(1_000)),
        ("uniform", Distribution::Uniform { low: Span::ZERO, high: ms(2) }),
    ];
    for (name, per_io) in kinds {
        for load in [0.3, 0.7] {
            let plan = arriving(load, vec![interleaving(0, per_io)], Selection::Rotating);
            let trial = Trial::run(&format!("M/G/1-PS channel, {name}, load {load}"), &plan, 400);
            trial.agrees("busy", |interval| interval.channels[0].busy_percent.value, 100.0 * load);
            trial.agrees("wait", |interval| interval.channels[0].wait_ms.value, load / (1.0 - load));
            trial.agrees("response", |interval| interval.volumes[0].conn_ms.value, 1.0 / (1.0 - load));
        }
    }
}

/// I/Os of two sizes: each takes its own serial time over 1 - load, so a long one does not hold up a short one.
#[test]
fn on_a_shared_channel_an_io_takes_in_proportion_to_its_size() {
    let small = Step::Io(IoPlan { bytes: 1 << 10, ..IoPlan::of_volume(0) });
    let big = Step::Io(IoPlan { bytes: 16 << 10, ..IoPlan::of_volume(1) });
    let volumes = vec![volume("SMALL", NONE), volume("BIG", NONE)];
    let mut plan = plan(volumes, vec![open(1_000.0, vec![small]), open(30.0, vec![big])]);
    plan.guests[1].name = "BIG".into();
    plan.volumes.iter_mut().for_each(|volume| volume.aliasing = bound(120, Redispatch::None));
    let own = ChannelPlan { per_kib: Span::from_us(250), ..interleaving(0, NONE) };
    let load = 0.25 + 0.03 * 4.0;
    let trial = Trial::run("two sizes on a shared channel", &behind(plan, vec![own], Selection::Rotating), 400);
    trial.agrees("busy", |interval| interval.channels[0].busy_percent.value, 100.0 * load);
    trial.agrees("small", |interval| interval.volumes[0].conn_ms.value, 0.25 / (1.0 - load));
    trial.agrees("big", |interval| interval.volumes[1].conn_ms.value, 4.0 / (1.0 - load));
}

/// A closed model with one shared channel is the machine-repair model for any distribution: processor sharing is
/// insensitive, where first come, first served is not (BCMP).
#[test]
fn guests_behind_one_shared_channel_are_the_repair_model_whatever_the_distribution() {
    let population = 6;
    for per_io in [Distribution::Constant(Span::from_ms(1)), exponential(1_000)] {
        let volumes = (0..population).map(|number| volume(&format!("V{number}"), NONE)).collect();
        let plan = plan(volumes, (0..population).map(|number| thinker(number, 4_000)).collect());
        let plan = behind(plan, vec![interleaving(0, per_io)], Selection::Rotating);
        let trial = Trial::run("6 guests, one shared channel", &plan, 120);
        let theory = repairman(1, population as u32, 4.0, 1.0);
        trial.agrees("I/O per ms", |interval| interval.channels[0].io_per_s.value / 1e3, theory.throughput);
    }
}

#[test]
fn a_full_shared_channel_carries_one_io_per_serial_time() {
    let volumes: Vec<VolumePlan> = (0..8).map(|number| volume(&format!("V{number}"), exponential(500))).collect();
    let guests: Vec<GuestPlan> = (0..8).map(|number| closed(2, vec![io(number)])).collect();
    let plan = behind(plan(volumes, guests), vec![interleaving(0, exponential(1_000))], Selection::Rotating);
    let trial = Trial::run("full, shared", &plan, 150);
    trial.agrees("I/O per ms", |interval| interval.channels[0].io_per_s.value / 1e3, 1.0);
    trial.agrees("busy", |interval| interval.channels[0].busy_percent.value, 100.0);
}
