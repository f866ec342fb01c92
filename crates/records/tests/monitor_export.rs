//! Does a file that was written of intervals give the same intervals when it is read?

use measures::{
    ControlProcessorTotals, ControlProgramTotals, DeviceTotals, Figure, IntervalTotals, LockTotals,
    LogicalProcessorTotals, PartitionTotals, PoolTotals, Role, VolumeTotals,
};
use records::Interval;
use records::System;
use records::binary::Clock;
use records::monitor::export::export;
use records::monitor::{Intervals, Reader};
use units::Span;

const EXACT: fn(f64) -> Figure = Figure::exact;

fn system() -> System {
    System { name: "LABSYS".into(), start: Clock::from_unix_us(1_770_000_000_000_000) }
}

fn base(number: u32, load: f64) -> DeviceTotals {
    DeviceTotals {
        io_per_s: EXACT(load * f64::from(400 + number)),
        avoided_per_s: EXACT(10.0),
        pend_ms: EXACT(0.2),
        disc_ms: EXACT(0.1),
        conn_ms: EXACT(1.0 + f64::from(number) / 10.0),
        queue_depth: EXACT(1.8),
        ..DeviceTotals::unknown(format!("522{number}"), String::new(), format!("BWPVS{number}"), Role::Base, 4)
    }
}

/// An interval with two volumes of one pool with one alias, and a control program on two processors.
fn interval(load: f64) -> IntervalTotals {
    let mut totals = IntervalTotals::new("LABSYS", Span::SECOND * 60);
    totals.samples = 30;
    for number in [1, 2] {
        let device = base(number, load);
        totals.volumes.push(VolumeTotals {
            io_per_s: device.io_per_s.plus(EXACT(100.0 * load)),
            pend_ms: EXACT(0.2),
            disc_ms: EXACT(0.1),
            conn_ms: EXACT(1.2),
            ..VolumeTotals::unknown(device.label.clone(), device.device.clone(), "LSS-52".into())
        });
        totals.devices.push(device);
    }
    let alias = Role::PoolAlias { pool: "LSS-52".into() };
    totals.devices.push(DeviceTotals {
        io_per_s: EXACT(200.0 * load),
        pend_ms: EXACT(0.2),
        disc_ms: EXACT(0.1),
        conn_ms: EXACT(1.3),
        queue_depth: Figure::ZERO,
        ..DeviceTotals::unknown("5240".into(), String::new(), String::new(), alias, 4)
    });
    totals.pools.push(PoolTotals {
        aliases: EXACT(1.0),
        tries: EXACT(60_000.0 * load),
        fails: EXACT(48_000.0 * load),
        low_water: Figure::ZERO,
        high_water: EXACT(1.0),
        ..PoolTotals::unknown("LSS-52".into())
    });
    processors(&mut totals, load);
    totals
}

fn processors(totals: &mut IntervalTotals, load: f64) {
    for number in [0, 1] {
        totals.control_processors.push(ControlProcessorTotals {
            emulation_percent: EXACT(50.0 * load),
            chargeable_cp_percent: EXACT(5.0),
            nonchargeable_cp_percent: EXACT(2.5),
            spin_percent: EXACT(0.5),
            wait_percent: EXACT(15.0),
            ..ControlProcessorTotals::unknown("ZVM".into(), number, String::new())
        });
        totals.logical_processors.push(LogicalProcessorTotals {
            dispatched_percent: EXACT(60.0),
            management_percent: EXACT(0.5),
            ..LogicalProcessorTotals::unknown("ZVM".into(), number)
        });
    }
    totals.partitions.push(PartitionTotals {
        dispatched_percent: EXACT(60.0),
        management_percent: EXACT(0.5),
        ..PartitionTotals::unknown("ZVM".into(), 2)
    });
    totals.control_programs.push(ControlProgramTotals {
        x44_per_s: EXACT(1_200.0),
        x9c_per_s: EXACT(300.0 * load),
        diagnoses_per_s: EXACT(1_500.0),
        ..ControlProgramTotals::unknown("ZVM".into())
    });
    totals.locks.push(LockTotals {
        exclusive_collisions_per_s: EXACT(250.0),
        exclusive_spin_percent: EXACT(0.4),
        shared_collisions_per_s: EXACT(20.0),
        shared_spin_percent: EXACT(0.02),
        ..LockTotals::unknown("ZVM".into(), "SRMSLOCK".into())
    });
}

fn written(intervals: &[IntervalTotals]) -> Vec<u8> {
    export(intervals, &system(), Vec::new()).unwrap()
}

/// A file of two intervals with every kind of row.
pub fn file() -> Vec<u8> {
    written(&[interval(1.0), interval(0.5)])
}

fn read(file: &[u8]) -> Vec<Interval> {
    let (mut reader, mut intervals) = (Reader::new(file), <Intervals>::default());
    while let Some(record) = reader.read_record().unwrap() {
        intervals.take(&record);
    }
    assert_eq!(intervals.notices, []);
    intervals.intervals
}

fn both() -> (Vec<IntervalTotals>, Vec<Interval>) {
    let intervals = vec![interval(1.0), interval(0.5), interval(1.5)];
    let read = read(&written(&intervals));
    assert_eq!(read.len(), intervals.len());
    (intervals, read)
}

/// Whether two figures are the same to a relative difference, or to 1e-3 near 0.
fn near(a: Figure, b: Figure, within: f64) -> bool {
    (a.value - b.value).abs() <= within * (a.value.abs() + 1e-3)
}

#[test]
fn devices_come_back() {
    let (written, read) = both();
    for (before, after) in written.iter().zip(&read) {
        for (before, after) in before.devices.iter().zip(&after.totals.devices) {
            assert_eq!((&before.device, &before.label, before.paths), (&after.device, &after.label, after.paths));
            for figure in [
                |row: &DeviceTotals| row.io_per_s,
                |row: &DeviceTotals| row.pend_ms,
                |row: &DeviceTotals| row.disc_ms,
                |row: &DeviceTotals| row.conn_ms,
                |row: &DeviceTotals| row.queue_depth,
            ] {
                assert!(near(figure(before), figure(after), 1e-3), "{before:?} {after:?}");
            }
        }
    }
}

#[test]
fn an_alias_of_a_pool_is_told_from_a_base() {
    let (_, read) = both();
    let roles: Vec<&str> = read[0].totals.devices.iter().map(|device| device.role.word()).collect();
    assert_eq!(roles, ["base", "base", "pool-alias"]);
}

#[test]
fn a_volume_has_the_work_of_its_aliases() {
    let (written, read) = both();
    for (before, after) in written.iter().zip(&read) {
        for (before, after) in before.volumes.iter().zip(&after.totals.volumes) {
            assert!(near(before.io_per_s, after.io_per_s, 1e-3), "{before:?} {after:?}");
            assert!(near(before.conn_ms, after.conn_ms, 1e-3), "{before:?} {after:?}");
        }
    }
}

#[test]
fn tries_and_fails_of_a_pool_come_back() {
    let (written, read) = both();
    for (before, after) in written.iter().zip(&read) {
        let (before, after) = (&before.pools[0], &after.totals.pools[0]);
        assert_eq!((before.tries, before.fails, before.aliases), (after.tries, after.fails, after.aliases));
        assert_eq!((before.low_water, before.high_water), (after.low_water, after.high_water));
    }
}

#[test]
fn processor_time_comes_back() {
    let (written, read) = both();
    for (before, after) in written.iter().zip(&read) {
        for (before, after) in before.control_processors.iter().zip(&after.totals.control_processors) {
            assert!(near(before.emulation_percent, after.emulation_percent, 1e-6));
            assert!(near(before.chargeable_cp_percent, after.chargeable_cp_percent, 1e-6));
            assert!(near(before.nonchargeable_cp_percent, after.nonchargeable_cp_percent, 1e-6));
        }
        let program = &after.totals.control_programs[0];
        assert!(near(before.control_programs[0].x9c_per_s, program.x9c_per_s, 1e-6));
        assert!((program.tv_ratio.value - 1.0) > 0.0);
    }
}

#[test]
fn partitions_and_their_processors_come_back() {
    let (_, read) = both();
    let totals = &read[1].totals;
    assert_eq!((totals.partitions[0].partition.as_str(), totals.logical_processors.len()), ("ZVM", 2));
    assert!(near(totals.partitions[0].dispatched_percent, EXACT(60.0), 1e-5));
    assert!(near(totals.logical_processors[1].management_percent, EXACT(0.5), 1e-4));
}

#[test]
fn spins_for_a_lock_come_back() {
    let (written, read) = both();
    let (before, after) = (&written[0].locks[0], &read[0].totals.locks[0]);
    assert_eq!(after.lock, "SRMSLOCK");
    assert!(near(before.exclusive_collisions_per_s, after.exclusive_collisions_per_s, 1e-6));
    assert!(near(EXACT(16.0), after.exclusive_spin_us_per_collision, 1e-4), "{after:?}");
}

#[test]
fn intervals_have_the_clock_and_the_name_of_the_system() {
    let (_, read) = both();
    assert_eq!(read[0].start, system().start);
    assert_eq!(read[2].end.seconds_since(read[0].start), 180.0);
    assert_eq!((read[0].totals.name.as_str(), read[0].totals.length), ("LABSYS", Span::SECOND * 60));
}

#[test]
fn counters_of_two_and_four_bytes_that_wrap_lose_nothing() {
    // 96,000 I/Os an interval wrap the counter of 2 bytes each time, and 1,500 intervals the ticks of 4 bytes.
    let mut busy = interval(1.0);
    busy.devices.iter_mut().for_each(|device| device.io_per_s = EXACT(80_000.0));
    let intervals = vec![busy; 1_500];
    for interval in read(&written(&intervals)) {
        for device in &interval.totals.devices {
            assert!(near(device.io_per_s, EXACT(80_000.0), 1e-6), "{device:?}");
        }
    }
}
