//! Are requests of ENQ and DEQ counted by scope and name, and paired by task, as records 87-2 have them?

use crate::smf_file::{Request, of_interval, of_requests, record_with, section, system, without_blocks};
use records::binary::Clock;
use records::smf::{Intervals, Read, Reader};

fn read(records: &[Vec<u8>]) -> Read {
    let file = without_blocks(records);
    let (mut reader, mut intervals) = (Reader::new(&file[..]), Intervals::default());
    while let Some(record) = reader.read_record().unwrap() {
        intervals.take(&record).unwrap();
    }
    intervals.finish()
}

/// The records of an interval of RMF, an hour east of Greenwich.
fn of_rmf() -> Vec<Vec<u8>> {
    let mut records = of_interval(1.0);
    for record in &mut records {
        let product = u32::from_be_bytes(record[28..32].try_into().unwrap()) as usize;
        record[product + 60..product + 68].copy_from_slice(&(3_600_000_000u64 << 12).to_be_bytes());
    }
    records
}

fn notes(read: &Read) -> Vec<String> {
    read.notices.iter().map(ToString::to_string).collect()
}

#[test]
fn rates_by_scope_and_holds_by_name_are_those_of_the_requests() {
    let requests: Vec<Request> = vec![
        (0, 1, true, 3, "PAY.MASTER", 0),
        (2, 2, true, 1, "STEPLIB", 0),
        (4, 1, false, 3, "PAY.MASTER", 0),
        (5, 2, false, 1, "STEPLIB", 0),
        (6, 2, true, 3, "PAY.MASTER", 0),
        (8, 2, false, 3, "PAY.MASTER", 0),
        (9, 3, true, 2, "PAY.MASTER", 0),
        (10, 3, false, 2, "PAY.MASTER", 0),
    ];
    let read = read(&[of_requests(&requests)]);
    let interval = &read.intervals[0];
    assert_eq!(interval.start, system().start, "the zone follows from when the record was written");
    let seconds = interval.totals.length.seconds();
    assert_eq!(seconds, 60.0, "whole minutes");
    let service = &interval.totals.serialization[0];
    let count = |rate: measures::Figure| (rate.value * seconds).round();
    assert_eq!(
        [service.enq_per_s, service.enq_step_per_s, service.enq_systems_per_s, service.deq_per_s].map(count),
        [4.0, 1.0, 2.0, 4.0]
    );
    assert!((service.elapsed_us_per_pair.value - 200_000.0).abs() < 1.0);
    let held = |scope: &str| {
        let row = interval.totals.enqueues.iter().find(|row| row.rname == "PAY.MASTER" && row.scope == scope).unwrap();
        row.held_ms.value.round()
    };
    // From the completion of the ENQ, a tenth of a second after its start: 3.9 s and 1.9 s.
    assert_eq!((held("SYSTEMS"), held("SYSTEM")), (2_900.0, 900.0));
    assert_eq!(notes(&read), Vec::<String>::new());
}

#[test]
fn a_deq_pairs_with_the_enq_of_its_task_that_had_the_resource() {
    let requests: Vec<Request> =
        vec![(0, 1, true, 3, "A", 4), (1, 1, false, 3, "A", 0), (2, 1, true, 3, "A", 0), (3, 2, false, 3, "A", 0)];
    let read = read(&[of_requests(&requests)]);
    assert!(!read.intervals[0].totals.enqueues[0].held_ms.is_known());
    assert!(notes(&read)[0].starts_with("2 DEQs have no ENQ"), "{:?}", read.notices);
}

#[test]
fn requests_go_into_the_intervals_of_rmf_and_leave_the_rates_of_72_5() {
    let mut records = vec![of_requests(&[(1, 1, true, 3, "PAY.MASTER", 0), (3, 1, false, 3, "PAY.MASTER", 0)])];
    records.extend(of_rmf());
    let read = read(&records);
    assert_eq!(read.intervals.len(), 1);
    let totals = &read.intervals[0].totals;
    assert_eq!(totals.serialization[0].enq_per_s.value, 400.0);
    assert!(!totals.serialization[0].deq_per_s.is_known());
    let row = totals.enqueues.iter().find(|row| row.rname == "PAY.MASTER").unwrap();
    assert_eq!((row.contentions.value, row.held_ms.value.round()), (12.0, 1_900.0));
    assert!(notes(&read)[0].starts_with("87-2 has 0 % or more of the ENQs"), "{:?}", read.notices);
}

#[test]
fn requests_outside_all_intervals_of_rmf_are_counted() {
    let mut records = vec![of_requests(&[(3_600, 1, true, 3, "A", 0)])];
    records.extend(of_rmf());
    let read = read(&records);
    assert_eq!(read.intervals.len(), 1);
    assert!(notes(&read)[0].starts_with("1 request of ENQ and DEQ of SYSA lies in no interval"));
}

#[test]
fn a_system_without_rmf_has_an_interval_for_each_hour_of_its_requests() {
    let asked: Vec<Request> = [1_800, 3_599, 3_700, 9_000].iter().map(|at| (*at, 1, true, 3, "A", 0)).collect();
    let read = read(&[of_requests(&asked)]);
    let spans: Vec<(f64, f64)> = read
        .intervals
        .iter()
        .map(|interval| (interval.start.seconds_since(system().start), interval.totals.length.seconds()))
        .collect();
    assert_eq!(spans.iter().map(|span| span.0.round()).collect::<Vec<_>>(), [1_800.0, 3_600.0, 7_200.0]);
    assert_eq!(spans.iter().map(|span| span.1.round()).collect::<Vec<_>>(), [1_800.0, 3_600.0, 1_860.0]);
    let rates = read.intervals.iter().map(|interval| interval.totals.serialization[0].enq_per_s.value);
    let counts: Vec<f64> = rates.zip(&spans).map(|(rate, span)| (rate * span.1).round()).collect();
    assert_eq!(counts, [2.0, 1.0, 1.0]);
}

#[test]
fn a_request_that_took_no_time_has_a_minute() {
    let mut record = of_requests(&[(30, 1, true, 3, "A", 0)]);
    let start: [u8; 8] = record[44 + 45..44 + 53].try_into().unwrap();
    record[44 + 61..44 + 69].copy_from_slice(&start);
    let totals = read(&[record]).intervals.remove(0).totals;
    assert_eq!((totals.length.seconds(), totals.serialization[0].enq_per_s.value), (60.0, 1.0 / 60.0));
}

#[test]
fn impossible_requests_are_left_out_and_named() {
    let late = Clock::from_unix_us(system().start.unix_us() + 4 * 86_400_000_000);
    let mut record = of_requests(&[(0, 1, true, 3, "A", 0), (1, 1, true, 9, "A", 0), (2, 1, true, 3, "A", 0)]);
    let scope = 44 + 3 * 92 + 80 + 14;
    let third = 44 + 2 * 92 + 61;
    record[third..third + 8].copy_from_slice(&late.0.to_be_bytes());
    let read = read(&[record]);
    let said = notes(&read);
    assert!(said[0].contains(&format!("SMF87DATA_SCOPE at offset {scope} is 9")), "{said:?}");
    assert!(said[1].contains("SMF87REQ_TIMECOMP at offset 289"), "{said:?}");
    assert_eq!(read.intervals[0].totals.enqueues.len(), 1);
}

#[test]
fn sections_outside_of_the_record_are_damage() {
    let whole = of_requests(&[(0, 1, true, 3, "A", 0)]);
    for (place, bytes) in [(28, vec![0, 0, 0xFF, 0]), (34, vec![0, 2]), (40, vec![0, 12]), (32, vec![0, 0])] {
        let mut record = whole.clone();
        record[place..place + bytes.len()].copy_from_slice(&bytes);
        let mut reader = Reader::new(&record[..]);
        let found = reader.read_record().unwrap().unwrap();
        let damage = Intervals::default().take(&found).unwrap_err();
        assert!(damage.what.starts_with("record 87 subtype 2 has") && damage.place.is_some(), "{damage:?}");
    }
}

#[test]
fn names_without_bound_are_one_row_for_each_scope() {
    let names: Vec<String> = (0..5_000).map(|number| format!("N{number}")).collect();
    let requests: Vec<Request> = names.iter().map(|name| (0, 1, true, 2, name.as_str(), 0)).collect();
    let records: Vec<Vec<u8>> = requests.chunks(150).map(of_requests).collect();
    let rows = read(&records).intervals.remove(0).totals.enqueues;
    assert_eq!(rows.len(), 4_097);
    let others = rows.iter().find(|row| row.qname == "(other names)").unwrap();
    assert!(others.requests_per_s.value > 900.0 * rows[0].requests_per_s.value);
}

#[test]
fn a_record_without_requests_has_no_interval() {
    assert!(read(&[of_requests(&[])]).intervals.is_empty());
    let other = record_with((87, 1), &[&section(8, &[])], &[]);
    assert!(read(&[other]).intervals.is_empty(), "queue scans are not read");
}
