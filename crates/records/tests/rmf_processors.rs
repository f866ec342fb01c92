//! Are CPU ACTIVITY and PARTITION DATA kept to the byte, read by headings in groups, and refused with all their problems?
//!
//! Titles and headings are RMF's; where they stand is made up.

use records::rmf_cpu::{self, CpuPage};
use records::rmf_partition::{self, PartitionPage};
use units::{Problem, Span};

const CPU: &str = include_str!("rmf/cpu.txt");
const PARTITION: &str = include_str!("rmf/partition.txt");

fn cpu(text: impl Into<Vec<u8>>) -> CpuPage {
    CpuPage::read(text, "page").unwrap_or_else(|problems| panic!("{}", units::listing(&problems)))
}

fn partition(text: impl Into<Vec<u8>>) -> PartitionPage {
    PartitionPage::read(text, "page").unwrap_or_else(|problems| panic!("{}", units::listing(&problems)))
}

fn only<T>(read: Result<T, Vec<Problem>>) -> String {
    let Err(problems) = read else { panic!("the page is accepted") };
    assert_eq!(problems.len(), 1, "{}", units::listing(&problems));
    problems[0].to_string()
}

#[test]
fn partitions_are_read_by_the_groups_over_their_headings() {
    use rmf_partition::Column;
    let page = partition(PARTITION);
    let row = page.row("sysg").unwrap();
    let words = [Column::Status, Column::Weight, Column::CapacityActual, Column::Capped, Column::Type];
    assert_eq!(words.map(|column| row.text(column)), ["A", "400", "288", "N N N", "CP"]);
    let figures = [
        Column::Processors,
        Column::DispatchEffective,
        Column::DispatchTotal,
        Column::LogicalTotal,
        Column::PhysicalManagement,
        Column::PhysicalEffective,
        Column::PhysicalTotal,
    ];
    assert_eq!(figures.map(|column| row.figure(column).value), [3.0, 891.0, 900.0, 33.33, 0.15, 14.85, 15.0]);
}

#[test]
fn a_row_is_known_by_its_name_and_a_type_that_is_not_the_general_one() {
    let page = partition(PARTITION);
    assert!(page.row("*PHYSICAL*").is_some() && page.row("*PHYSICAL*/IIP").is_some());
    let found = page.row("SYSF/IIP").map(|row| row.line);
    assert_eq!((page.rows().len(), found), (6, Some(20)));
}

#[test]
fn the_head_of_a_partition_page_says_how_waits_end() {
    let page = partition(PARTITION);
    let told = ["MVS PARTITION NAME", "WAIT COMPLETION", "DISPATCH INTERVAL", "NUMBER OF CONFIGURED PARTITIONS"];
    assert_eq!(told.map(|label| page.fact(label)), [Some("SYSF"), Some("NO"), Some("DYNAMIC"), Some("4")]);
    assert_eq!((page.head().system.as_str(), page.head().length), ("SYSF", Some(Span::from_us(899_998_000))));
}

#[test]
fn totals_are_of_general_processors_and_keep_waits_apart() {
    let totals = partition(PARTITION).totals();
    let names: Vec<&str> = totals.partitions.iter().map(|row| row.partition.as_str()).collect();
    assert_eq!(names, ["SYSF", "SYSG", "VSE"]);
    let sysg = &totals.partitions[1];
    assert_eq!((sysg.logical_processors, sysg.dispatched_percent.value, sysg.wait_percent.value), (3, 33.0, 0.0));
    assert!((sysg.management_percent.value - 0.33).abs() < 1e-9 && (sysg.cpu_percent.value - 99.0).abs() < 1e-9);
    let waits =
        partition(PARTITION.replace("COMPLETION                      NO", "COMPLETION                     YES"));
    assert!(!waits.totals().partitions[1].effective_percent.is_known(), "waits are part of what is effective");
}

#[test]
fn every_total_is_the_sum_of_its_parts_or_is_reported() {
    assert_eq!(partition(PARTITION).disagreements(), []);
    let told = partition(PARTITION.replace("14.85  15.00", "14.85  15.02")).disagreements();
    assert_eq!(told.len(), 1);
    assert!(told[0].to_string().contains("SYSG: the total 15.02 is not 0.15 + 14.85"), "{}", told[0]);
    let rounded = partition(PARTITION.replace("14.85  15.00", "14.85  15.01"));
    assert_eq!(rounded.disagreements(), [], "three figures may be rounded by half a unit each");
}

#[test]
fn what_is_no_partition_is_counted_with_its_reason() {
    use rmf_partition::Why;
    let page = partition(PARTITION);
    let counts: Vec<(Why, usize)> = page.skipped_counts().into_iter().map(|(why, _, n)| (why, n)).collect();
    assert_eq!(counts, [(Why::NoFigures, 1), (Why::Summary, 1), (Why::Remark, 1), (Why::OtherPage, 1)]);
    assert_eq!(page.skipped()[0].name, "SPARE");
}

#[test]
fn processors_are_read_by_the_groups_over_their_headings() {
    use rmf_cpu::Column;
    let page = cpu(CPU);
    let row = page.row("1").unwrap();
    let figures = [Column::Online, Column::LparBusy, Column::MvsBusy, Column::Parked, Column::Share, Column::Rate];
    assert_eq!(figures.map(|column| row.figure(column).value), [100.0, 61.4, 70.11, 0.0, 50.0, 63.8]);
    assert!(!row.figure(Column::Productivity).is_known(), "dashes are not applicable");
    let numbers: Vec<u64> = page.totals().logical_processors.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [0, 1, 10, 12]);
    assert!(!page.totals().logical_processors[2].busy_percent.is_known(), "parked all the time");
}

#[test]
fn what_is_no_processor_is_counted_with_its_reason() {
    use rmf_cpu::Why;
    let counts: Vec<(Why, usize)> = cpu(CPU).skipped_counts().into_iter().map(|(why, _, n)| (why, n)).collect();
    assert_eq!(counts, [(Why::NoFigures, 1), (Why::Summary, 2), (Why::OtherPage, 1)]);
}

#[test]
fn however_it_was_saved_it_comes_back_unchanged_and_says_the_same() {
    let variants = |text: &str| -> [Vec<u8>; 7] {
        [
            text.as_bytes().to_vec(),
            text.replace('\n', "\r\n").into(),
            text.replace('\n', "\r").into(),
            text.trim_end().into(),
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            text.replace('\n', "  \t \n").into(),
            text.lines().map(|line| format!(" {line}\n")).collect::<String>().into(),
        ]
    };
    for bytes in variants(CPU) {
        let page = cpu(bytes.clone());
        assert_eq!(page.to_bytes(), bytes);
        assert_eq!(format!("{:?}", page.totals()), format!("{:?}", cpu(CPU).totals()));
    }
    for bytes in variants(PARTITION) {
        let page = partition(bytes.clone());
        assert_eq!(page.to_bytes(), bytes);
        assert_eq!(format!("{:?}", page.totals()), format!("{:?}", partition(PARTITION).totals()));
    }
}

#[test]
fn setting_a_field_changes_its_bytes_alone() {
    let mut page = partition(PARTITION);
    page.set("SYSG", "DISPATCH TIME EFFECTIVE", "00.14.50.999").unwrap();
    page.set("SYSG", "WGT", "40").unwrap();
    let expected = PARTITION.replace("00.14.51.000  00.15", "00.14.50.999  00.15").replace("A  400 ", "A  40  ");
    assert_eq!(String::from_utf8_lossy(page.to_bytes()), expected);
    let mut page = cpu(CPU);
    page.set("a", "I/O INTERRUPTS RATE", "10.25").unwrap();
    assert_eq!(String::from_utf8_lossy(page.to_bytes()), CPU.replace("LOW      0.00", "LOW     10.25"));
}

#[test]
fn setting_every_field_to_what_it_says_changes_nothing() {
    let (mut page, read) = (cpu(CPU), cpu(CPU));
    for row in read.rows() {
        for field in &row.fields {
            page.set(row.text(rmf_cpu::Column::Number), field.column.heading(), &field.text).unwrap();
        }
    }
    assert_eq!(page.to_bytes(), CPU.as_bytes());
}

#[test]
fn what_does_not_fit_is_refused_and_leaves_the_page_alone() {
    let mut page = partition(PARTITION);
    for (row, heading, text) in [
        ("SYSG", "DISPATCH TIME EFFECTIVE", "14.51"),
        ("SYSG", "DISPATCH TIME EFFECTIVE", "00.14.61.000"),
        ("SYSG", "PHYSICAL PROCESSORS TOTAL", "15,00"),
        ("SYSG", "PHYSICAL TOTAL", "15.00"),
        ("SYSH", "WGT", "15"),
        ("SYSG", "NAME", "SYSF"),
        ("SYSG", "NAME", "SYSG SYSH"),
        ("SYSG", "WGT", "1234567"),
    ] {
        assert!(page.set(row, heading, text).is_err(), "{row} {heading} {text}");
    }
    assert_eq!(page.to_bytes(), PARTITION.as_bytes());
}

#[test]
fn a_missing_heading_is_named_with_the_text_in_its_place() {
    let said = only(PartitionPage::read(PARTITION.replace("LPAR MGMT", "LPAR MGNT"), "page"));
    assert!(said.contains("the heading `PHYSICAL PROCESSORS LPAR MGMT` is missing"), "{said}");
    let said = only(CpuPage::read(CPU.replace("% VIA TPI", "% VIA TPJ"), "page"));
    assert!(said.contains("the heading `I/O INTERRUPTS % VIA TPI` is missing"), "{said}");
}

#[test]
fn all_problems_come_at_once_with_line_and_column() {
    let text = PARTITION.replace("00.15.00.000", "00.15.0x.000").replace("100.00   100.00", "100.0O   100.00");
    let Err(problems) = PartitionPage::read(text.replace("CYCLE 1.000", "CYCLE 1,000"), "page") else { panic!() };
    let places: Vec<_> = problems.iter().map(|problem| problem.line.unwrap_or(0)).collect();
    assert_eq!(places, [4, 14, 15]);
    assert!(problems.iter().all(|problem| problem.column.is_some_and(|column| column > 1)));
}

#[test]
fn a_row_with_some_of_its_figures_is_one_problem() {
    let said = only(CpuPage::read(CPU.replace(" 63.80         0.00", ""), "page"));
    assert!(said.contains("there is no value under I/O INTERRUPTS RATE, I/O INTERRUPTS % VIA TPI"), "{said}");
}

#[test]
fn a_row_twice_a_number_that_is_none_and_a_number_under_nothing_are_reported() {
    assert!(
        only(CpuPage::read(CPU.replace("  1    CP", "  0    CP"), "page")).contains("processor 0 was already on line")
    );
    assert!(only(CpuPage::read(CPU.replace("  1    CP", "  X    CP"), "page")).contains("`X` is not the number of a"));
    let said = only(CpuPage::read(CPU.replace("MED     63.80", "7       63.80"), "page"));
    assert!(said.contains("`7` is under no heading"), "{said}");
}

#[test]
fn two_systems_or_two_intervals_in_one_file_are_reported() {
    let twice = |second: String| format!("{CPU}{second}");
    let said = only(
        CpuPage::read(twice(CPU.replace("SYSF", "SYSG").replace("  C    IIP", "  D    IIP")), "page")
            .map(|_| ())
            .or_else(|problems| {
                let told: Vec<Problem> =
                    problems.into_iter().filter(|problem| !problem.what.contains("already")).collect();
                if told.is_empty() { Ok(()) } else { Err(told) }
            }),
    );
    assert!(said.contains("a page of another system begins here"), "{said}");
    let Err(problems) = CpuPage::read(twice(CPU.replace("06.00.00", "06.15.00")), "page") else { panic!() };
    assert!(problems.iter().any(|problem| problem.what == "another interval begins here"));
}

#[test]
fn each_page_is_distinguished_from_the_other() {
    assert!(only(CpuPage::read(PARTITION, "page")).contains("no heading lines of CPU ACTIVITY"));
    assert!(only(PartitionPage::read(CPU, "page")).contains("no heading lines of PARTITION DATA REPORT"));
}

#[test]
fn neither_is_a_device_page() {
    for (text, name) in [(CPU, "CPU ACTIVITY"), (PARTITION, "PARTITION DATA REPORT")] {
        let refused = records::fcx108::DevicePage::read(text, "page").unwrap_err();
        assert_eq!(refused[0].what, format!("the page is RMF {name}"));
    }
}

#[test]
fn wrong_encodings_are_named_as_such() {
    let wide: Vec<u8> = CPU.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(only(CpuPage::read(wide, "page")).contains("UTF-16"));
    assert!(
        only(PartitionPage::read(b"\x5C\xD7\xC8\xE8\xE2\xC9\xC3\xC1\xD3\x5C".as_slice(), "page")).contains("EBCDIC")
    );
    assert!(only(CpuPage::read("", "page")).contains("empty"));
}
