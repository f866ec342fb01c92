//! Is a page of hundreds of devices of all kinds, wider than any excerpt, read and written back?

use measures::Role;
use records::fcx108::{DevicePage, Why};
use std::fmt::Write;

const HEAD: &str = "\
FCX108  Run 2007/06/05 11:01:14         DEVICE                                                            Page ##
                                        General I/O Device Load and Performance
From 2007/02/04 13:28:34
To   2007/02/04 13:38:35
For    600 Secs 00:10:00                Result of WIDE Run
______________________________________________________________________________________________________________

 .    .                     .       ___     .    .    .    .    .    .    .    .    .    .    .    .    .
 <-- Device Descr. -->  Mdisk Pa- <-Rate/s--> <------- Time (msec) -------> Req. <Percent> SEEK <-More-->
 Addr Type   Label/ID   Links ths   I/O Avoid Pend Disc Conn Serv Resp CUWt Qued Busy READ Cyls  I/O Serv
";
const ROWS_A_PAGE: usize = 50;
const CONTROL_UNITS: usize = 5;
const DEVICES: usize = 400;
const OTHERS: [&str; 6] = ["3490", "3215", "OSA", "CTCA", "3505", "<->"];

/// Figures that differ from row to row and depend on nothing but its number.
fn row(nth: usize) -> String {
    let (unit, slot) = (nth % CONTROL_UNITS, nth / CONTROL_UNITS);
    let device = format!("{:04X}", 0x5200 + unit * 0x100 + slot);
    let (kind, label) = match slot {
        0..=39 => ("3390-9".to_string(), format!("V{unit}{slot:04} CP")),
        40..=55 => ("3390-9".to_string(), String::new()),
        56..=63 => (format!("->{:02X}{:02X}", 0x52 + unit, slot - 56), format!("V{unit}{:04}", slot - 56)),
        _ => (OTHERS[nth % OTHERS.len()].to_string(), "ANYTHING".to_string()),
    };
    let rate = match nth % 4 {
        0 => format!("{}", 100 + nth),
        1 => format!("{}.{}", 1 + nth % 99, nth % 10),
        2 => format!(".{}", nth % 10),
        _ => format!("{}", 10_000 + nth),
    };
    let queued = if slot < 40 { format!("{}.{}", nth % 3, nth % 10).replace("0.", ".") } else { ".00".into() };
    format!(
        " {device} {kind:<6} {label:<10}     {:>1}   4 {rate:>5}    .0   .2   .1   .9  1.2  3.9   .0 {queued:>4} {:>4} {:>4} {:>4} {:>4}  9.9",
        nth % 9,
        nth % 100,
        nth % 97,
        nth,
        nth % 7,
    )
}

fn wide_page() -> String {
    let mut page = String::new();
    for nth in 0..DEVICES {
        if nth % ROWS_A_PAGE == 0 {
            page.push_str(&HEAD.replace("##", &(nth / ROWS_A_PAGE + 1).to_string()));
            page.push_str("   >> All DASD <<          ....  ....   9.9   .0   .2   .1   .9  1.2  3.9   .0  .00\n");
        }
        writeln!(page, "{}", row(nth)).unwrap();
    }
    page.push_str(" >>Mean>>                             99.9    .0   .2   .1   .9  1.2  3.9   .0  .00\n");
    page
}

fn read() -> DevicePage {
    DevicePage::read(wide_page(), "wide").unwrap_or_else(|problems| panic!("{}", units::listing(&problems)))
}

#[test]
fn every_byte_comes_back() {
    assert_eq!(read().to_bytes(), wide_page().as_bytes());
}

#[test]
fn all_disks_of_all_control_units_are_rows() {
    let totals = read().totals();
    let count = |holds: fn(&Role) -> bool| totals.devices.iter().filter(|device| holds(&device.role)).count();
    assert_eq!(count(|role| *role == Role::Base), 40 * CONTROL_UNITS);
    assert_eq!(count(|role| matches!(role, Role::PoolAlias { .. })), 16 * CONTROL_UNITS);
    assert_eq!(count(|role| matches!(role, Role::BoundAlias { .. })), 8 * CONTROL_UNITS);
}

#[test]
fn what_is_no_disk_is_listed_with_counts() {
    let page = read();
    let counts = page.skipped_counts();
    let count = |wanted: Why| counts.iter().filter(|(why, _, _)| *why == wanted).map(|(_, _, n)| n).sum::<usize>();
    assert_eq!(count(Why::NotADisk), DEVICES - 64 * CONTROL_UNITS);
    assert_eq!(count(Why::Summary), DEVICES / ROWS_A_PAGE + 1);
    assert_eq!(counts.iter().filter(|(why, _, _)| *why == Why::NotADisk).count(), OTHERS.len());
}

#[test]
fn figures_are_those_printed() {
    let totals = read().totals();
    let device = |wanted: &str| totals.devices.iter().find(|device| device.device == wanted).unwrap();
    assert_eq!(device("5200").io_per_s.value, 100.0);
    assert_eq!(device("5300").io_per_s.value, 2.1);
    assert_eq!(device("5400").io_per_s.value, 0.2);
    assert_eq!(device("5500").io_per_s.value, 10_003.0);
    assert_eq!((device("5300").label.as_str(), device("5300").kind.as_str()), ("V10000", "3390-9"));
}

#[test]
fn a_field_in_the_middle_of_it_can_be_set() {
    let mut page = read();
    let before = page.to_bytes().to_vec();
    page.set("5508", "I/O", "7.5").unwrap();
    let changed = before.iter().zip(page.to_bytes()).filter(|(before, after)| before != after).count();
    assert!(changed > 0 && changed <= "10043".len(), "{changed} bytes changed");
}

#[test]
fn a_page_of_every_device_number_is_read_in_time() {
    let mut page = HEAD.to_string();
    for device in 0..=0xFFFF_u32 {
        writeln!(page, "{}", row(0).replace("5200", &format!("{device:04X}"))).unwrap();
    }
    let page = DevicePage::read(page, "wide").unwrap_or_else(|problems| panic!("{}", units::listing(&problems)));
    assert_eq!(page.totals().volumes.len(), 1 << 16);
}
