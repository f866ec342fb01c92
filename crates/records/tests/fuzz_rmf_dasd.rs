//! Does the reader of DIRECT ACCESS DEVICE ACTIVITY stand whatever it is given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use fuzz::{Bound, Mutator};
use records::rmf_dasd::{Column, DirectAccessPage};

const PAGES: [&str; 2] = [include_str!("rmf/current.txt"), include_str!("rmf/classic.txt")];

const TOKENS: [&str; 24] = [
    "D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y",
    "C P U   A C T I V I T Y",
    "SYSTEM ID ",
    "DATE ",
    "TIME ",
    "INTERVAL 14.59.998",
    "CYCLE 1.000 SECONDS",
    "TOTAL SAMPLES =",
    "AVG",
    "DEVICE",
    "RESP",
    "IOSQ",
    "PEND DISC CONN",
    "3350",
    "3490",
    "C23",
    "02208",
    "1.0H",
    ".384",
    "-----",
    "\u{feff}",
    "\t",
    "\u{a0}",
    "\u{c}",
];

/// What holds for every input: it is refused with problems, or it is kept to the byte and can be used.
fn check(input: &[u8]) {
    match DirectAccessPage::read(input, "fuzz") {
        Ok(page) => check_page(page, input),
        Err(problems) => {
            assert!(!problems.is_empty(), "a page is refused for a reason");
            assert!(units::listing(&problems).lines().count() <= units::MOST_PRINTED + 1);
        }
    }
}

fn check_page(mut page: DirectAccessPage, input: &[u8]) {
    assert_eq!(page.to_bytes(), input);
    let totals = page.totals();
    assert_eq!(totals.volumes.len(), page.rows().len());
    assert!(totals.volumes.iter().all(|volume| volume.io_per_s.value.is_nan() || volume.io_per_s.value >= 0.0));
    let Some(row) = page.rows().last().cloned() else { panic!("a page that is accepted has rows") };
    for field in &row.fields {
        page.set(row.device(), field.column.heading(), &field.text).expect("a field can be set to what it says");
    }
    assert_eq!(page.to_bytes(), input);
    if page.set(row.device(), Column::Iosq.heading(), "5").is_ok() {
        assert_eq!(page.to_bytes().len(), input.len());
        assert_eq!(page.row(row.device()).map(|row| row.figure(Column::Iosq).value), Some(5.0));
    }
}

#[test]
fn no_input_makes_the_reader_panic_hang_or_lose_a_byte() {
    let headings = Column::ALL.map(Column::heading);
    let mut mutator = Mutator::new(74).corpus(PAGES).dictionary(TOKENS).dictionary(headings);
    let tried = fuzz::run(&mut mutator, Bound::or_from_environment(4_000), check);
    assert!(tried > 0);
}
