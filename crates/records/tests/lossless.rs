//! Does a page that is read come back byte by byte, and does setting a field change that field alone?

use records::fcx108::{Column, DevicePage};

const PAGE: &str = include_str!("../../../published/hyperpav/device-reports/Y040181P.txt");

fn page(text: impl Into<Vec<u8>>) -> DevicePage {
    DevicePage::read(text, "page").unwrap_or_else(|problems| panic!("{}", units::listing(&problems)))
}

fn without_head() -> String {
    PAGE.lines().skip(7).collect::<Vec<_>>().join("\n")
}

fn tabbed() -> String {
    PAGE.replace("3390-3 BWPVS0         0   4  477", "3390-3 BWPVS0\t    0   4  477")
}

/// The page as others would have saved it, each with a name.
fn variants() -> Vec<(&'static str, Vec<u8>)> {
    let repeated = PAGE.replace(" 5249 ", &format!("{} 5249 ", PAGE.split(" 522A ").next().unwrap()));
    let noisy = [b"M\xFCnchen \x80\xFF\n".as_slice(), PAGE.as_bytes()].concat();
    vec![
        ("as it is", PAGE.into()),
        ("CR LF", PAGE.replace('\n', "\r\n").into()),
        ("CR", PAGE.replace('\n', "\r").into()),
        ("no final newline", PAGE.trim_end().into()),
        ("trailing blanks", PAGE.replace('\n', "  \t \n").into()),
        ("tabs", tabbed().into()),
        ("no head", without_head().into()),
        ("heading line alone", without_head().lines().skip(2).collect::<Vec<_>>().join("\n").into()),
        ("repeated header", repeated.into()),
        ("foreign bytes in the head", noisy),
        ("UTF-8 mark", [b"\xEF\xBB\xBF", PAGE.as_bytes()].concat()),
        ("form feed", format!("\u{c}{PAGE}").into()),
        ("printer control", PAGE.lines().map(|line| format!(" {line}\n")).collect::<String>().into()),
        ("more columns", PAGE.replace("Qued", "Qued Busy READ").replace(".91", ".91   90   71").into()),
        ("columns without headings", PAGE.replace(".91\n", ".91   90   71\n").into()),
        ("a mean line", PAGE.replace(" 5249", " >>Mean>>               1.8\n 5249").into()),
        ("an interval line", PAGE.replace(" 5249", " 15:00:14  1.8\n 5249").into()),
        ("a tape", PAGE.replace(" 5249", " 0590 3490   TAPE\n 5249").into()),
    ]
}

#[test]
fn however_it_was_saved_it_comes_back_unchanged() {
    for (name, bytes) in variants() {
        assert_eq!(page(bytes.clone()).to_bytes(), bytes, "{name}");
    }
}

#[test]
fn however_it_was_saved_it_says_the_same() {
    let expected = page(PAGE).totals().devices;
    for (name, bytes) in variants() {
        assert_eq!(page(bytes).totals().devices, expected, "{name}");
    }
}

#[test]
fn any_choice_of_rows_of_a_pool_comes_back_unchanged() {
    let pool = include_str!("../../../published/hyperpav/device-reports/Y032181H.txt");
    let lines: Vec<&str> = pool.split_inclusive('\n').collect();
    for chosen in 1..1_u32 << 10 {
        let keep = |at: usize| at < 10 || chosen >> ((at - 10) % 10) & 1 == 1;
        let text: String = lines.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, line)| *line).collect();
        assert_eq!(page(text.clone()).to_bytes(), text.as_bytes());
    }
}

#[test]
fn setting_a_field_changes_its_bytes_alone() {
    let mut page = page(PAGE);
    page.set("5249", "Qued", "1.8").unwrap();
    assert_eq!(String::from_utf8_lossy(page.to_bytes()), PAGE.replace("2.9   .0  .00", "2.9   .0  1.8"));
    page.set("5249", "Qued", ".00").unwrap();
    page.set("522A", "I/O", "9").unwrap();
    page.set("522A", "Label/ID", "X").unwrap();
    let expected = PAGE.replace("522A 3390-3 BWPVS0         0   4  477", "522A 3390-3 X              0   4    9");
    assert_eq!(String::from_utf8_lossy(page.to_bytes()), expected);
}

#[test]
fn setting_every_field_to_what_it_says_changes_nothing() {
    for (name, bytes) in variants() {
        let mut page = page(bytes.clone());
        for row in page.clone().rows() {
            for field in &row.fields {
                page.set(row.device(), field.column.heading(), &field.text).unwrap_or_else(|problems| {
                    panic!("{name}: {}", units::listing(&problems));
                });
            }
        }
        assert_eq!(page.to_bytes(), bytes, "{name}");
    }
}

#[test]
fn a_field_with_a_tab_within_can_be_set_to_what_it_says() {
    let text = PAGE.replace("BWPVS0  ", "BW\tVS0 ");
    let mut page = page(text.clone());
    let label = page.row("522A").unwrap().text(Column::Label).to_string();
    page.set("522A", "Label/ID", &label).unwrap();
    assert_eq!(page.to_bytes(), text.as_bytes());
    assert!(page.set("522A", "Label/ID", "BWPVS0").is_err());
}

#[test]
fn a_field_may_grow_as_far_as_its_column_reaches() {
    let mut page = page(PAGE);
    page.set("522A", "I/O", "1477").unwrap();
    assert!(page.set("522A", "I/O", "123477").is_err());
    assert!(page.set("522A", "Type", "3390-30A").is_err());
    assert_eq!(page.row("522A").unwrap().text(Column::Rate), "1477");
}

#[test]
fn what_does_not_fit_is_refused_and_leaves_the_page_alone() {
    let mut page = page(tabbed());
    for (device, heading, text) in [
        ("522A", "Qued", "1x4"),
        ("522A", "Qued", ""),
        ("522A", "Queued", "1.84"),
        ("522B", "Qued", "1.84"),
        ("5249", "Addr", "522A"),
        ("522A", "Type", "3490"),
        ("522A", "Label/ID", "M\u{fc}nchen"),
        ("522A", "ths", "4.0"),
        ("522A", "Links", "1234567890"),
    ] {
        assert!(page.set(device, heading, text).is_err(), "{device} {heading} {text}");
    }
    assert_eq!(page.to_bytes(), tabbed().as_bytes());
}

#[test]
fn a_misspelt_heading_or_device_gets_the_nearest() {
    let mut page = page(PAGE);
    let nearest = |result: Result<(), Vec<units::Problem>>| result.unwrap_err().remove(0).nearest;
    assert_eq!(nearest(page.set("522A", "Queud", "1")).as_deref(), Some("Qued"));
    assert_eq!(nearest(page.set("524A", "Qued", "1")).as_deref(), Some("522A"));
}
