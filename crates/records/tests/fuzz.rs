//! Does the reader of DEVICE pages stand whatever it is given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use fuzz::{Bound, Mutator};
use records::fcx108::{Column, DevicePage};

const PAGES: [&str; 6] = [
    include_str!("../../../published/hyperpav/device-reports/Y032180H.txt"),
    include_str!("../../../published/hyperpav/device-reports/Y032181H.txt"),
    include_str!("../../../published/hyperpav/device-reports/Y032182H.txt"),
    include_str!("../../../published/hyperpav/device-reports/Y040180P.txt"),
    include_str!("../../../published/hyperpav/device-reports/Y040181P.txt"),
    include_str!("../../../published/hyperpav/device-reports/Y040182P.txt"),
];

const TOKENS: [&str; 24] = [
    "FCX108",
    "FCX102",
    "From ",
    "To   ",
    "For ",
    "600 Secs",
    "00:10:00",
    "Result of ",
    " Run",
    ">>Mean>>",
    "->522A",
    "->",
    "3390-3",
    "3490",
    "522A",
    "....",
    "___",
    " . ",
    "<-Rate/s->",
    "\u{feff}",
    "\t",
    "\u{a0}",
    "13:28:34",
    "\u{c}",
];

/// What holds for every input: it is refused with problems, or it is kept to the byte and can be used.
fn check(input: &[u8]) {
    match DevicePage::read(input, "fuzz") {
        Ok(page) => check_page(page, input),
        Err(problems) => {
            assert!(!problems.is_empty(), "a page is refused for a reason");
            assert!(units::listing(&problems).lines().count() <= units::MOST_PRINTED + 1);
        }
    }
}

fn check_page(mut page: DevicePage, input: &[u8]) {
    assert_eq!(page.to_bytes(), input);
    let totals = page.totals();
    assert_eq!(totals.devices.len(), page.rows().len());
    assert!(totals.devices.iter().all(|device| device.io_per_s.value.is_nan() || device.io_per_s.value >= 0.0));
    let Some(row) = page.rows().last() else { panic!("a page that is accepted has rows") };
    let device = row.device().to_string();
    let (queued, label) = (row.text(Column::Queued).to_string(), row.text(Column::Label).to_string());
    page.set(&device, "Qued", &queued).expect("a field can be set to what it says");
    page.set(&device, "Label/ID", &label).expect("a field can be set to what it says");
    assert_eq!(page.to_bytes(), input);
    if page.set(&device, "Qued", ".5").is_ok() {
        assert_eq!(page.to_bytes().len(), input.len());
        assert_eq!(page.row(&device).map(|row| row.figure(Column::Queued).value), Some(0.5));
    }
}

#[test]
fn no_input_makes_the_reader_panic_hang_or_lose_a_byte() {
    let headings = Column::ALL.map(Column::heading);
    let mut mutator = Mutator::new(108).corpus(PAGES).dictionary(TOKENS).dictionary(headings);
    let tried = fuzz::run(&mut mutator, Bound::or_from_environment(4_000), check);
    assert!(tried > 0);
}
