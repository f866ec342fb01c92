//! Is a page of DIRECT ACCESS DEVICE ACTIVITY kept to the byte, read by its headings, and refused with all its problems?
//!
//! The headings are those of z/OS V2R4; the rows are made up.

use records::rmf_dasd::{Column, DirectAccessPage, Level, Why};
use units::{Problem, Span};

const CURRENT: &str = include_str!("rmf/current.txt");
const CLASSIC: &str = include_str!("rmf/classic.txt");

fn page(text: impl Into<Vec<u8>>) -> DirectAccessPage {
    DirectAccessPage::read(text, "page").unwrap_or_else(|problems| panic!("{}", units::listing(&problems)))
}

fn problems(text: impl Into<Vec<u8>>) -> Vec<Problem> {
    DirectAccessPage::read(text, "page").expect_err("the page is refused")
}

fn only(text: impl Into<Vec<u8>>) -> String {
    let problems = problems(text);
    assert_eq!(problems.len(), 1, "{}", units::listing(&problems));
    problems[0].to_string()
}

#[test]
fn the_current_level_is_read_by_its_headings() {
    let page = page(CURRENT);
    let devices: Vec<&str> = page.rows().iter().map(|row| row.device()).collect();
    assert_eq!((devices, page.level()), (vec!["02208", "02209", "02300"], Level::Measured));
    let row = page.row("02209").unwrap();
    let times = [Column::Rate, Column::Response, Column::Iosq, Column::Pend, Column::Disconnect, Column::Connect];
    assert_eq!(times.map(|column| row.text(column)), ["25.540", "1.38", ".512", ".256", ".128", ".484"]);
    assert_eq!((row.text(Column::StorageGroup), row.text(Column::Exposures)), ("", "1"));
}

#[test]
fn totals_hold_the_values_of_the_page_and_no_more() {
    let totals = page(CURRENT).totals();
    assert_eq!((totals.name.as_str(), totals.samples), ("SYSF", 900));
    assert_eq!(totals.length, Span::from_us(899_998_000));
    let volume = &totals.volumes[2];
    assert_eq!((volume.volume.as_str(), volume.device.as_str(), volume.response_ms.value), ("TRX010", "02300", 3.71));
    assert!((volume.queue_depth.value - 2.41 * 0.755).abs() < 1e-12);
    assert!((volume.service_ms.value - 1.3).abs() < 1e-12);
    assert!(!volume.queue_depth_sampled.is_known());
    assert_eq!(volume.hold_ms.value, 0.012);
    assert!(!totals.devices[2].io_per_s.is_known(), "the I/O of the base itself is not reported");
    assert_eq!(totals.devices[1].io_per_s.value, 25.54);
}

#[test]
fn the_classic_level_gives_the_sampled_queue() {
    let page = page(CLASSIC);
    assert_eq!(page.level(), Level::Sampled);
    let volume = &page.totals().volumes[0];
    assert!((volume.queue_depth_sampled.value - 25.54 * 0.029).abs() < 1e-12);
    assert!(!volume.queue_depth.is_known() && !volume.hold_ms.is_known());
    assert_eq!(page.totals().started.as_deref(), Some("06/12/1987 14.15.00"));
}

#[test]
fn without_resp_it_is_the_sum_of_its_parts() {
    let text = CLASSIC.replace("RESP", "    ").replace("  46   29", "       29").replace("  53   34", "       34");
    let text = text.replace("AVG  AVG  AVG  AVG  AVG", "     AVG  AVG  AVG  AVG");
    let text = text.replace("RATE TIME", "RATE     ");
    assert_eq!(page(text).totals().volumes[0].response_ms.value, 46.0);
}

#[test]
fn what_is_no_volume_is_counted_with_its_reason() {
    let counts: Vec<(Why, usize)> = page(CURRENT).skipped_counts().into_iter().map(|(why, _, n)| (why, n)).collect();
    let expected = [(Why::NotADisk, 1), (Why::NoFigures, 1), (Why::Summary, 1), (Why::Remark, 1), (Why::OtherPage, 1)];
    assert_eq!(counts, expected);
}

#[test]
fn however_it_was_saved_it_comes_back_unchanged_and_says_the_same() {
    for text in [CURRENT, CLASSIC] {
        let volumes = |page: &DirectAccessPage| format!("{:?}", page.totals().volumes);
        let expected = volumes(&page(text));
        for bytes in [
            text.as_bytes().to_vec(),
            text.replace('\n', "\r\n").into(),
            text.replace('\n', "\r").into(),
            text.trim_end().into(),
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            text.replace('\n', "  \t \n").into(),
            text.lines().map(|line| format!(" {line}\n")).collect::<String>().into(),
            [b"M\xFCnchen \x80\xFF\n".as_slice(), text.as_bytes()].concat(),
        ] {
            let page = page(bytes.clone());
            assert_eq!(page.to_bytes(), bytes);
            assert_eq!(volumes(&page), expected);
        }
    }
}

#[test]
fn setting_a_field_changes_its_bytes_alone() {
    let mut page = page(CLASSIC);
    page.set("C23", "AVG IOSQ TIME", "7").unwrap();
    page.set("8C2", "VOLUME SERIAL", "X").unwrap();
    page.set("C23", "DEVICE ACTIVITY RATE", "125.54").unwrap();
    let expected = CLASSIC.replace("25.54   46   29", "125.54   46    7").replace(" IMSC23    125", " IMSC23   125");
    assert_eq!(String::from_utf8_lossy(page.to_bytes()), expected.replace("IMS8C2", "X     "));
}

#[test]
fn setting_every_field_to_what_it_says_changes_nothing() {
    for text in [CURRENT, CLASSIC] {
        let mut page = page(text);
        for row in page.clone().rows() {
            for field in &row.fields {
                page.set(row.device(), field.column.heading(), &field.text).unwrap();
            }
        }
        assert_eq!(page.to_bytes(), text.as_bytes());
    }
}

#[test]
fn what_does_not_fit_is_refused_and_leaves_the_page_alone() {
    let mut page = page(CLASSIC);
    for (device, heading, text) in [
        ("C23", "AVG IOSQ TIME", "2x"),
        ("C23", "AVG IOSQ TIME", ""),
        ("C23", "AVG IOSQ TIME", "12345"),
        ("C23", "AVG IOSQ", "12"),
        ("C24", "AVG IOSQ TIME", "12"),
        ("C23", "DEV NUM", "8C2"),
        ("C23", "DEVICE TYPE", "3490"),
        ("C23", "VOLUME SERIAL", "A B"),
        ("C23", "VOLUME SERIAL", "M\u{fc}"),
        ("C23", "PAV", "1"),
    ] {
        assert!(page.set(device, heading, text).is_err(), "{device} {heading} {text}");
    }
    assert_eq!(page.to_bytes(), CLASSIC.as_bytes());
}

#[test]
fn all_problems_come_at_once_with_line_and_column() {
    let text = CURRENT.replace("0.210", "0.2x0").replace(".512", "5..2").replace("CYCLE 1.000", "CYCLE 1,000");
    let places: Vec<_> = problems(text).iter().map(|problem| (problem.line, problem.column)).collect();
    let at = |line, column| (Some(line), Some(column));
    assert_eq!(places, [at(4, 92), at(10, 53), at(11, 64), at(18, 92)]);
}

#[test]
fn a_missing_heading_is_named_with_the_text_in_its_place() {
    let said = only(CLASSIC.replace("IOSQ", "IOSC"));
    assert!(
        said.starts_with("page:5:34: AVG IOSQ TIME: the heading `AVG IOSQ TIME` is missing; `AVG IOSC TIME` "),
        "{said}"
    );
}

#[test]
fn a_damaged_device_number_is_no_summary() {
    assert!(only(CURRENT.replace("02300", "0230G")).contains("`0230G` is not a device number"));
}

#[test]
fn a_row_with_some_of_its_figures_is_one_problem() {
    let said = only(CLASSIC.replace("   1   13    3", ""));
    assert!(said.contains("there is no value under AVG PEND TIME, AVG DISC TIME, AVG CONN TIME"), "{said}");
}

#[test]
fn a_number_between_headings_is_not_guessed() {
    let said = only(CURRENT.replace("3339  TRX001", "3339 9 TRX01"));
    assert!(said.contains("`TRX01` is a second word under one heading"), "{said}");
    let said = only(CURRENT.replace("02208 33903      3339", "02208 33903  9   3339"));
    assert!(said.contains("`9` is under no heading"), "{said}");
}

#[test]
fn two_intervals_in_one_file_are_reported() {
    let second = CURRENT.replace("06.00.00", "06.15.00");
    let told = problems(format!("{CURRENT}{second}"));
    assert!(told.iter().any(|problem| problem.what == "another interval begins here"), "{}", units::listing(&told));
}

#[test]
fn a_device_page_is_distinguished_from_this_one() {
    let device = include_str!("../../../published/hyperpav/device-reports/Y032180H.txt");
    assert!(only(device).contains("DIRECT ACCESS DEVICE ACTIVITY"));
    let refused = records::fcx108::DevicePage::read(CURRENT, "page").unwrap_err();
    assert_eq!(refused[0].what, "the page is RMF DIRECT ACCESS DEVICE ACTIVITY");
}
