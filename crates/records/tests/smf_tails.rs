//! Are channel paths, their utilization and IOS queue times read as their records have them?

use crate::smf_file::{interval, of_channels, of_unit, read, records_of, system, without_blocks};
use measures::{Figure, IntervalTotals};
use records::binary::to_hex_float;
use records::smf::export::export;
use records::smf::{Intervals, Reader};

fn totals(records: &[Vec<u8>]) -> IntervalTotals {
    read(&without_blocks(records)).intervals.remove(0).totals
}

fn near(figure: Figure, value: f64) -> bool {
    (figure.value - value).abs() < 1e-3 * value
}

#[test]
fn a_channel_path_is_as_busy_as_its_work_units_say() {
    let channels = totals(&[of_channels(0.1)]).channels;
    assert_eq!((channels.len(), channels[0].channel.as_str()), (1, "41"));
    assert!(near(channels[0].busy_percent, 10.0), "{:?}", channels[0].busy_percent);
    assert!(near(channels[0].write_kib_per_s, 400.0) && near(channels[0].read_kib_per_s, 800.0));
}

#[test]
fn a_pool_has_the_utilization_of_its_paths_where_all_are_measured() {
    let pool = |paths: &[u8]| totals(&[of_channels(0.4), of_unit(paths)]).pools.remove(0).channel_busy_percent;
    assert!(near(pool(&[0x41]), 40.0));
    assert!(!pool(&[0x41, 0x42]).is_known(), "42 has no record 73");
    assert!(!pool(&[]).is_known());
}

#[test]
fn devices_have_the_paths_of_their_unit() {
    let mut records = records_of(&export(&[interval(1.0)], &system(), Vec::new()).unwrap());
    records.retain(|record| record[5] != 78);
    records.push(of_unit(&[0x41, 0x42, 0x43]));
    let paths: Vec<u64> = totals(&records).devices.iter().map(|device| device.paths).collect();
    assert_eq!(paths, [3, 3, 0]);
}

#[test]
fn paths_that_lead_into_other_sections_are_none() {
    let mut record = of_unit(&[0x41]);
    // The offset of the paths is that of the product section, as in a part that was put together.
    let unit = 28 + 8 * 5 + 104;
    record[unit + 4..unit + 8].copy_from_slice(&68u32.to_be_bytes());
    assert!(!totals(&[of_channels(0.4), record]).pools[0].channel_busy_percent.is_known());
}

#[test]
fn a_channel_path_with_an_impossible_number_is_left_out_and_named() {
    let (mut reader, mut intervals) = (Vec::new(), Intervals::default());
    for record in [of_channels(3.0), of_channels(-0.5)] {
        reader.extend(record);
    }
    let mut reader = Reader::new(reader.as_slice());
    while let Some(record) = reader.read_record().unwrap() {
        intervals.take(&record).unwrap();
    }
    let read: records::smf::Read = intervals.finish();
    assert_eq!(read.intervals[0].totals.channels.len(), 0);
    let named: Vec<String> = read.notices.iter().map(ToString::to_string).collect();
    assert!(named.iter().all(|notice| notice.contains("SMF73TUC at offset")), "{named:?}");
    assert!(named[0].contains("not 300 %") && named[1].contains("not -50 %"), "{named:?}");
}

#[test]
fn a_pool_without_its_own_record_has_its_aliases() {
    let mut records = records_of(&export(&[interval(1.0)], &system(), Vec::new()).unwrap());
    records.retain(|record| record[5] != 78);
    let read = totals(&records);
    assert_eq!(read.pools.iter().map(|pool| pool.pool.as_str()).collect::<Vec<_>>(), ["0052"]);
    assert!(near(read.pools[0].aliases, 8.0) && !read.pools[0].tries.is_known());
    let members: Vec<&str> = read.volumes.iter().map(|volume| volume.pool.as_str()).collect();
    assert_eq!(members, ["0052", "0052", ""]);
}

/// A dump in which each device has an IOS queue time, microseconds for each start.
fn with_queue_time(of_each: impl Fn(u32, u32) -> f64) -> IntervalTotals {
    let mut records = records_of(&export(&[interval(1.0)], &system(), Vec::new()).unwrap());
    let devices = records.iter_mut().find(|record| record[5] == 74).unwrap();
    let at = 28 + 8 * 3 + 104 + 110;
    for place in 0..3 {
        let device = &mut devices[at + 300 * place..at + 300 * (place + 1)];
        let word = |at: usize| u32::from_be_bytes(device[at..at + 4].try_into().unwrap());
        let time = to_hex_float(of_each(word(20), word(44))).unwrap();
        device[296..300].copy_from_slice(&time);
    }
    totals(&records)
}

#[test]
fn the_sampled_queue_decides_what_the_queue_time_is() {
    // Each request in a queue was seen once a second.
    let of_all = with_queue_time(|_, seen| f64::from(seen) * 1e6);
    let of_each = with_queue_time(|starts, seen| f64::from(seen) * 1e6 / f64::from(starts));
    for read in [&of_all, &of_each] {
        let waits: Vec<f64> = read.volumes.iter().map(|volume| volume.iosq_ms.value).collect();
        assert!(waits.iter().zip([15.0, 7.5, 5.0]).all(|(wait, expected)| (wait - expected).abs() < 0.01), "{waits:?}");
        assert!(read.volumes.iter().all(|volume| near(volume.queue_depth, 1.5)));
    }
    let neither = with_queue_time(|_, seen| f64::from(seen) * 1e4);
    assert!(neither.volumes.iter().all(|volume| !volume.iosq_ms.is_known()), "it fits neither");
}

#[test]
fn invalid_times_and_varied_devices_are_not_known() {
    let mut records = records_of(&export(&[interval(1.0)], &system(), Vec::new()).unwrap());
    let devices = records.iter_mut().find(|record| record[5] == 74).unwrap();
    let at = 28 + 8 * 3 + 104 + 110;
    // Connect time invalid of the first, disconnect time of the second; the third was varied.
    devices[at + 120] |= 0x04;
    devices[at + 300 + 120] |= 0x40;
    devices[at + 600 + 5] |= 0x02;
    let read = read(&without_blocks(&records));
    let volumes = &read.intervals[0].totals.volumes;
    let known: Vec<[bool; 3]> =
        volumes.iter().map(|row| [row.conn_ms, row.disc_ms, row.service_ms].map(Figure::is_known)).collect();
    assert_eq!(known, [[false, true, false], [true, false, false]]);
    assert!(read.notices[0].to_string().starts_with("1 device of SYSA was varied"), "{:?}", read.notices);
}

#[test]
fn devices_of_two_subchannel_sets_are_two() {
    let mut totals = interval(1.0);
    let mut other = totals.volumes[0].clone();
    (other.device, other.volume) = ("15221".into(), "SECOND".into());
    totals.volumes.push(other);
    let file = export(&[totals], &system(), Vec::new()).unwrap();
    let read = read(&file);
    let names: Vec<String> = read.intervals[0].totals.volumes.iter().map(|volume| volume.device.clone()).collect();
    assert_eq!(names, ["5221", "5222", "5223", "15221"]);
    assert_eq!(read.notices, []);
}
