//! Does a dump that was written of intervals give the same intervals when it is read?

use crate::smf_file::{EXACT, dump, interval, of_interval, read, records_of, system, without_blocks};
use measures::{Figure, IntervalTotals, Totals, VolumeTotals};
use records::Interval;
use records::smf::export::{FILLED, export, records, zero};
use records::smf::intervals::Notice;
use records::smf::{Writer, layout};
use units::Span;

/// Whether intervals are the same, what is not known included.
fn alike(a: &[Interval], b: &[Interval]) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

/// Whether two figures are the same to a relative difference, or to 1e-3 near 0.
fn near(a: Figure, b: Figure, within: f64) -> bool {
    (a.value - b.value).abs() <= within * (a.value.abs() + 1e-3)
}

/// Whether every figure that both rows know is the same, but the ones that are named.
fn same<T: Totals + std::fmt::Debug>(before: &T, after: &T, but: &[&str]) {
    let mut compared = 0;
    for ((counter, a), b) in T::TABLE.counters.iter().zip(before.figures()).zip(after.figures()) {
        if a.is_known() && b.is_known() && !but.contains(&counter.name) {
            compared += 1;
            assert!(near(a, b, 1e-3), "{}: {a:?} {b:?} in {after:?}", counter.name);
        }
    }
    assert!(compared > 1, "{after:?}");
}

fn both() -> (Vec<IntervalTotals>, Vec<IntervalTotals>) {
    let written = vec![interval(1.0), interval(0.5), interval(1.5)];
    let read = read(&dump());
    assert_eq!(read.notices, []);
    (written, read.intervals.into_iter().map(|interval| interval.totals).collect())
}

fn rows<'a, T: 'a>(
    (before, after): &'a (Vec<IntervalTotals>, Vec<IntervalTotals>),
    table: fn(&IntervalTotals) -> &Vec<T>,
) -> Vec<(&'a T, &'a T)> {
    assert_eq!(before.len(), after.len());
    let pairs = before.iter().zip(after).flat_map(|(before, after)| {
        assert_eq!(table(before).len(), table(after).len());
        table(before).iter().zip(table(after))
    });
    pairs.collect()
}

#[test]
fn intervals_have_the_clock_and_the_name_of_the_system() {
    let read = read(&dump());
    let first = &read.intervals[0];
    assert_eq!(first.start, system().start);
    assert_eq!((first.totals.name.as_str(), first.totals.length), ("SYSA", Span::SECOND * 900));
    assert_eq!((first.totals.started.as_deref(), first.totals.samples), (Some("2026-02-02 10:00:00"), 900));
    assert_eq!(read.intervals[2].end.seconds_since(first.start), 2_700.0);
}

#[test]
fn volumes_come_back() {
    for (before, after) in rows(&both(), |totals| &totals.volumes) {
        assert_eq!((&before.volume, &before.device, &before.pool), (&after.volume, &after.device, &after.pool));
        same(before, after, &[]);
    }
}

#[test]
fn the_wait_of_a_volume_follows_from_its_queue() {
    let (_, read) = both();
    let volume = &read[0].volumes[0];
    assert!(near(volume.iosq_rmf_ms, EXACT(15.0), 1e-9), "1.5 requests at 100 I/Os a second");
    assert!(near(volume.response_ms, EXACT(15.0 + 0.256 + 0.128 + 0.64), 1e-9));
    assert!(!volume.queue_depth.is_known(), "RMF samples queues");
}

#[test]
fn what_a_base_did_itself_is_known_where_it_has_no_aliases() {
    let (_, read) = both();
    let known: Vec<bool> = read[0].devices.iter().map(|device| device.io_per_s.is_known()).collect();
    assert_eq!(known, [false, false, true]);
}

#[test]
fn tries_and_fails_of_a_pool_come_back() {
    for (before, after) in rows(&both(), |totals| &totals.pools) {
        assert_eq!(before.pool, after.pool);
        same(before, after, &[]);
        assert!(after.aliases.is_known() && !after.low_water.is_known());
    }
}

#[test]
fn partitions_come_back() {
    let both = both();
    for (before, after) in rows(&both, |totals| &totals.partitions) {
        assert_eq!((&before.partition, before.logical_processors), (&after.partition, after.logical_processors));
        same(before, after, &[]);
    }
    let interrupts: Vec<bool> = both.1[0].partitions.iter().map(|row| row.interrupts_per_s.is_known()).collect();
    assert_eq!(interrupts, [true, false], "a system counts its own");
}

#[test]
fn logical_processors_come_back() {
    for (before, after) in rows(&both(), |totals| &totals.logical_processors) {
        assert_eq!((&before.partition, before.number), (&after.partition, after.number));
        same(before, after, &[]);
    }
}

#[test]
fn waits_that_are_carried_come_back() {
    let mut totals = interval(1.0);
    for row in &mut totals.logical_processors {
        row.dispatched_percent = EXACT(60.0);
        row.wait_percent = EXACT(20.0);
    }
    let read = read(&export(&[totals], &system(), Vec::new()).unwrap());
    let row = &read.intervals[0].totals.logical_processors[0];
    assert!(near(row.wait_percent, EXACT(20.0), 1e-6) && near(row.effective_percent, EXACT(40.0), 1e-6), "{row:?}");
    assert!(near(row.pending_percent, EXACT(39.5), 1e-6), "all that is not dispatched: {row:?}");
}

#[test]
fn a_partition_of_which_no_processor_is_known_has_as_many_with_its_means() {
    let mut totals = interval(1.0);
    totals.logical_processors.clear();
    let read = read(&export(&[totals.clone()], &system(), Vec::new()).unwrap());
    let after = &read.intervals[0].totals;
    assert_eq!(after.logical_processors.len(), 4);
    same(&totals.partitions[0], &after.partitions[0], &[]);
}

#[test]
fn resources_in_contention_come_back() {
    for (before, after) in rows(&both(), |totals| &totals.enqueues) {
        let name = |row: &measures::EnqueueTotals| (row.qname.clone(), row.rname.clone(), row.scope.clone());
        assert_eq!(name(before), name(after));
        // The shares are of counts of some tens: a length of the queue is seen at samples.
        same(before, after, &["queue_1_percent", "queue_2_percent", "queue_3_percent", "queue_4_percent"]);
        assert!((before.queue_2_percent.value - after.queue_2_percent.value).abs() < 1.0);
    }
}

#[test]
fn requests_and_waits_of_the_service_come_back() {
    for (before, after) in rows(&both(), |totals| &totals.serialization) {
        same(before, after, &[]);
        assert_eq!(after.partition, "SYSA", "it is that of the system");
    }
}

#[test]
fn the_system_as_a_whole_is_the_sum_of_its_volumes() {
    let (_, read) = both();
    assert!(near(read[0].system.io_per_s, EXACT(600.0), 1e-9));
    assert!(near(read[0].system.queue_depth, EXACT(4.5), 1e-9));
}

#[test]
fn what_was_read_is_written_to_the_same_bytes() {
    let first = dump();
    let mut writer = Writer::new(Vec::new());
    records_of(&first).iter().for_each(|record| writer.record(record).unwrap());
    assert_eq!(writer.finish().unwrap(), first);
}

#[test]
fn intervals_that_were_read_are_written_to_the_same_figures() {
    let once = read(&dump()).intervals;
    let totals: Vec<IntervalTotals> = once.iter().map(|interval| interval.totals.clone()).collect();
    let again = read(&export(&totals, &system(), Vec::new()).unwrap()).intervals;
    assert_eq!(once.len(), again.len());
    for (before, after) in once.iter().zip(&again) {
        for (before, after) in before.totals.volumes.iter().zip(&after.totals.volumes) {
            same(before, after, &[]);
        }
        for (before, after) in before.totals.partitions.iter().zip(&after.totals.partitions) {
            same(before, after, &[]);
        }
    }
}

#[test]
fn unknown_records_survive_untouched() {
    let mut records = of_interval(1.0);
    let mut unknown = records[0][..40].to_vec();
    (unknown[0], unknown[1], unknown[4], unknown[5]) = (0, 40, 0x1E, 200);
    let mut own = records[0].clone();
    own[22..24].copy_from_slice(&[0, 99]);
    records.extend([unknown, own]);
    let mut writer = Writer::new(Vec::new());
    records.iter().for_each(|record| writer.record(record).unwrap());
    assert_eq!(records_of(&writer.finish().unwrap()), records);
}

#[test]
fn fields_that_are_not_filled_are_zero() {
    let mut file = without_blocks(&of_interval(1.0));
    let found = sections(&file);
    assert!(found.len() >= 11, "{}", found.len());
    for (layout, at) in found {
        let (_, filled) = FILLED.iter().find(|(of, _)| of.name == layout.name).expect("a section that is listed");
        for field in *filled {
            file[at + field.offset..at + field.since()].fill(0);
        }
        let rest = &file[at..at + layout.length];
        assert!(rest.iter().all(|byte| *byte == 0), "{}: {rest:02X?}", layout.name);
    }
}

#[test]
fn every_field_that_is_filled_is_not_zero_somewhere() {
    // Wait completion, tests for interrupts, bound aliases and wait are not all in one interval.
    let mut carried = interval(1.0);
    carried.logical_processors.iter_mut().for_each(|row| row.wait_percent = EXACT(20.0));
    carried.partitions.iter_mut().for_each(|row| row.hypervisor_percent = EXACT(12.0));
    carried.volumes.iter_mut().for_each(delayed);
    let many = many_volumes();
    let mut seen = vec![];
    for totals in [interval(1.0), carried, many] {
        let file = without_blocks(&records(&totals, &system(), system().start).unwrap());
        for (layout, at) in sections(&file) {
            for field in layout.fields {
                if file[at + field.offset..at + field.since()].iter().any(|byte| *byte != 0) {
                    seen.push((layout.name, field.name));
                }
            }
        }
    }
    for (layout, filled) in FILLED {
        for field in *filled {
            assert!(seen.contains(&(layout.name, field.name)), "{} {}", layout.name, field.name);
        }
    }
    assert!(zero().all(|(layout, field)| !seen.contains(&(layout.name, field.name))));
}

/// The layout and the place of each section in records without blocks.
fn sections(file: &[u8]) -> Vec<(&'static records::binary::Layout, usize)> {
    let (mut at, mut found) = (0, vec![]);
    while at < file.len() {
        let word = |place: usize, length: usize| {
            file[place..place + length].iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
        };
        let code = (file[at + 5], word(at + 22, 2) as u16);
        found.push((&layout::header::LAYOUT, at));
        for located in layout::LOCATED {
            let of_record = located.layout.code == code || located.triplet == 0;
            let triplet = at + 28 + 8 * located.triplet;
            if of_record && located.triplet < word(at + 24, 2) {
                let (offset, length, number) = (word(triplet, 4), word(triplet + 4, 2), word(triplet + 6, 2));
                found.extend((0..number).map(|section| (located.layout, at + offset + section * length)));
            }
        }
        at += word(at, 2);
    }
    found
}

/// A device of subchannel set 1 with delays.
fn delayed(volume: &mut VolumeTotals) {
    volume.device = format!("1{}", volume.device);
    (volume.held_ms, volume.command_ms) = (EXACT(0.064), EXACT(0.128));
    (volume.reserved_percent, volume.exposures) = (EXACT(5.0), EXACT(0.5));
}

#[test]
fn what_older_records_lack_comes_back() {
    let mut totals = interval(1.0);
    totals.volumes.iter_mut().take(2).for_each(delayed);
    totals.partitions.iter_mut().for_each(|row| row.hypervisor_percent = EXACT(12.0));
    let file = export(std::slice::from_ref(&totals), &system(), Vec::new()).unwrap();
    let read = read(&file).intervals.remove(0).totals;
    for (before, after) in totals.volumes.iter().zip(&read.volumes).take(2) {
        assert_eq!(before.device, after.device);
        for (a, b) in [
            (before.held_ms, after.held_ms),
            (before.command_ms, after.command_ms),
            (before.reserved_percent, after.reserved_percent),
            (before.exposures, after.exposures),
        ] {
            assert!(near(a, b, 1e-3), "{a:?} {b:?}");
        }
    }
    let names: Vec<&str> = read.partitions.iter().map(|row| row.partition.as_str()).collect();
    assert_eq!(names, ["PROD", "TEST"], "the hypervisor is no partition");
    assert!(read.partitions.iter().all(|row| near(row.hypervisor_percent, EXACT(12.0), 1e-6)));
}

fn many_volumes() -> IntervalTotals {
    let mut totals = interval(1.0);
    let like = totals.volumes[2].clone();
    totals.pools.clear();
    totals.volumes = (0..1_500)
        .map(|number| VolumeTotals {
            volume: format!("V{number:05}"),
            device: format!("{:04X}", 0x1000 + number),
            ..like.clone()
        })
        .collect();
    totals
}

#[test]
fn names_keep_every_character_that_latin_1_has() {
    let mut totals = interval(1.0);
    totals.volumes[0].volume = "@#$-_.".into();
    totals.enqueues[0].rname = "/u/käse [a] ^ {b}.~ 0123456789 ABCDEFGHIJKLM".into();
    let read = read(&export(&[totals.clone()], &system(), Vec::new()).unwrap());
    let after = &read.intervals[0].totals;
    assert_eq!(after.volumes[0].volume, "@#$-_.");
    assert_eq!(
        (after.enqueues[0].rname.as_str(), 44),
        (totals.enqueues[0].rname.as_str(), after.enqueues[0].rname.chars().count())
    );
}

#[test]
fn floats_of_a_pool_have_the_precision_of_their_form() {
    for tries in [2_000.0, 16_777.0, 16_777_215.0, 123_456_789.0, 456_789_123.0] {
        let mut totals = interval(1.0);
        totals.pools[0].tries = EXACT(tries);
        let read = read(&export(&[totals], &system(), Vec::new()).unwrap());
        let after = read.intervals[0].totals.pools[0].tries.value;
        assert!((after - tries).abs() <= tries / f64::from(1 << 20), "{tries} {after}");
    }
}

#[test]
fn a_number_that_is_too_large_for_its_field_is_the_largest_one() {
    let mut totals = interval(1.0);
    totals.enqueues[0].contentions = EXACT(1e9);
    totals.volumes[0].io_per_s = EXACT(1e9);
    let totals_of_volumes = totals.volumes.len();
    let read = read(&export(&[totals], &system(), Vec::new()).unwrap());
    let after = &read.intervals[0].totals;
    assert_eq!(after.enqueues[0].contentions, EXACT(65_535.0));
    assert_eq!(after.volumes.len(), totals_of_volumes - 1, "no volume starts that many");
}

#[test]
fn processors_that_are_no_general_ones_are_skipped_with_a_notice() {
    let mut file = without_blocks(&of_interval(1.0));
    let names = sections(&file).into_iter().find(|(layout, _)| layout.name == "SMF70CIS").unwrap();
    layout::smf70cis::SMF70CIN.put_text(&mut file[names.1..], "IIP");
    let read = read(&file);
    assert!(read.intervals[0].totals.partitions.is_empty());
    assert!(matches!(read.notices[..], [Notice::OtherProcessors { processors: 4, .. }]), "{:?}", read.notices);
}

#[test]
fn many_volumes_are_written_in_records_that_follow_each_other() {
    let read = read(&export(&[many_volumes()], &system(), Vec::new()).unwrap());
    assert_eq!(read.intervals[0].totals.volumes.len(), 1_500);
    assert_eq!(read.notices, []);
}

#[test]
fn many_partitions_are_written_in_a_split_record() {
    let mut totals = interval(1.0);
    let rows = totals.logical_processors.clone();
    totals.logical_processors = (0..500)
        .map(|number| measures::LogicalProcessorTotals { number, partition: "PROD".into(), ..rows[0].clone() })
        .collect();
    totals.partitions.truncate(1);
    totals.partitions[0].machine_processors = Figure::UNKNOWN;
    let parts = records(&totals, &system(), system().start).unwrap();
    assert!(parts.iter().filter(|record| record[5] == 70).count() > 1);
    let read = read(&export(&[totals], &system(), Vec::new()).unwrap());
    assert_eq!(read.intervals[0].totals.logical_processors.len(), 500);
    assert_eq!(read.notices, []);
}

#[test]
fn a_dump_that_was_concatenated_with_itself_counts_nothing_twice() {
    let once = dump();
    let twice = read(&[once.clone(), once.clone()].concat());
    assert!(alike(&twice.intervals, &read(&once).intervals));
    assert_eq!(twice.notices.len(), 3);
    assert!(matches!(&twice.notices[0], Notice::Repeated { rows: 9, .. }), "{:?}", twice.notices[0]);
}

#[test]
fn records_in_any_order_give_the_same_intervals() {
    let mut records = records_of(&dump());
    records.sort_by_key(|record| (record[5], std::cmp::Reverse(record[6..14].to_vec())));
    assert!(alike(&read(&without_blocks(&records)).intervals, &read(&dump()).intervals));
}

#[test]
fn a_gap_between_intervals_is_noticed() {
    let records = records_of(&dump());
    let half = records.len() / 3;
    let read = read(&without_blocks(&[&records[..half], &records[2 * half..]].concat()));
    assert_eq!(read.intervals.len(), 2);
    let notice = read.notices[0].to_string();
    assert_eq!(notice, "SYSA has no records from 2026-02-02 10:15:00 to 2026-02-02 10:30:00");
}

#[test]
fn several_systems_in_a_file_are_kept_apart() {
    let mut records = of_interval(1.0);
    let other: Vec<Vec<u8>> = records
        .iter()
        .map(|record| {
            let mut record = record.clone();
            record[17] = 0xC2;
            record
        })
        .collect();
    records.extend(other);
    let read = read(&without_blocks(&records));
    let names: Vec<&str> = read.intervals.iter().map(|interval| interval.totals.name.as_str()).collect();
    assert_eq!((names, read.notices.len()), (vec!["SYSA", "SYSB"], 0));
}

#[test]
fn an_interval_that_a_record_cannot_tell_is_refused() {
    let mut totals = interval(1.0);
    totals.length = Span::SECOND * 6_000;
    let error = export(&[totals], &system(), Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "an interval of 6000 s does not fit a record of RMF: 0.001 to 5999.999 s do");
}

#[test]
fn all_ios_of_a_subsystem_are_no_tries() {
    let records = records(&interval(1.0), &system(), system().start).unwrap();
    let record = records.iter().find(|record| record[5] == 78).unwrap();
    let section = &record[sections(record).last().unwrap().1..];
    let float = |field: records::binary::Field| records::binary::from_hex_float(field.bytes(section).unwrap()).unwrap();
    use layout::r783hpav::{R783HNAI, R783HTIO, R783XANC, R783XAUC};
    assert_eq!(float(R783HTIO), 300.0 * 900.0, "the I/Os of its two volumes");
    assert_eq!([R783XANC, R783HNAI, R783XAUC].map(float), [60_000.0, 1_500.0, 58_500.0]);
}

#[test]
fn a_record_without_alias_needs_has_no_tries() {
    let mut totals = interval(1.0);
    totals.pools[0].tries = Figure::UNKNOWN;
    let read = read(&export(&[totals], &system(), Vec::new()).unwrap());
    let pool = &read.intervals[0].totals.pools[0];
    assert!(!pool.tries.is_known() && !pool.fails_per_try.is_known());
    assert_eq!(pool.fails, EXACT(1_500.0));
}

#[test]
fn scopes_of_simulated_requests_are_those_of_their_resources() {
    let mut totals = interval(1.0);
    totals.serialization[0].enq_step_per_s = Figure::UNKNOWN;
    totals.enqueues[0].requests_per_s = EXACT(300.0);
    totals.enqueues[1].requests_per_s = EXACT(100.0);
    totals.enqueues[1].scope = "STEP".into();
    let read = read(&export(&[totals], &system(), Vec::new()).unwrap());
    let row = &read.intervals[0].totals.serialization[0];
    assert_eq!(
        [row.enq_per_s, row.enq_step_per_s, row.enq_systems_per_s].map(|rate| rate.value),
        [400.0, 100.0, 100.0]
    );
}

#[test]
fn a_weight_of_nothing_is_that_of_dedicated_processors() {
    let read = read(&dump());
    let rows = &read.intervals[0].totals.partitions;
    let weights: Vec<f64> = rows.iter().map(|row| row.weight.value).collect();
    assert_eq!(weights, [600.0, 0.0]);
    assert!(rows.iter().all(|row| row.machine_processors == EXACT(4.0) && row.hypervisor_percent == EXACT(0.0)));
}
