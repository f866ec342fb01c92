//! Do the readers of CPU ACTIVITY and PARTITION DATA stand whatever they are given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use fuzz::{Bound, Mutator};
use records::rmf::{Columned, Document, Page};
use records::rmf_cpu::{self, CpuActivity};
use records::rmf_partition::{self, Partition};

const PAGES: [&str; 2] = [include_str!("rmf/cpu.txt"), include_str!("rmf/partition.txt")];

const TOKENS: [&str; 24] = [
    "C P U   A C T I V I T Y",
    "P A R T I T I O N   D A T A   R E P O R T",
    "SYSTEM ID ",
    "INTERVAL 14.59.998",
    "CYCLE 1.000 SECONDS",
    "TOTAL SAMPLES =",
    "*PHYSICAL*",
    "TOTAL",
    "TOTAL/AVERAGE",
    "--- PHYSICAL PROCESSORS ---",
    "----DISPATCH TIME DATA----",
    "LOGICAL PROCESSORS",
    "NAME  EFFECTIVE  TOTAL",
    "NUM  TYPE  ONLINE  LPAR BUSY",
    "WAIT COMPLETION",
    "DED",
    "N N N",
    "00.30.10.166",
    "------",
    "HIGH",
    "\u{feff}",
    "\t",
    "\u{a0}",
    "\u{c}",
];

/// What holds for every input: it is refused with problems, or it is kept to the byte and can be used.
fn check<P: Page>(input: &[u8]) -> Option<Document<P>> {
    match Document::<P>::read(input, "fuzz") {
        Ok(page) => {
            check_page(page.clone(), input);
            Some(page)
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "a page is refused for a reason");
            assert!(units::listing(&problems).lines().count() <= units::MOST_PRINTED + 1);
            None
        }
    }
}

fn check_page<P: Page>(mut page: Document<P>, input: &[u8]) {
    assert_eq!(page.to_bytes(), input);
    let Some(row) = page.rows().last().cloned() else { panic!("a page that is accepted has rows") };
    let key = P::keys(page.rows()).pop().expect("a row has a key");
    for field in &row.fields {
        page.set(&key, field.column.heading(), &field.text).expect("a field can be set to what it says");
    }
    assert_eq!(page.to_bytes(), input);
    for column in <P::Column as Columned>::ALL {
        if page.set(&key, column.heading(), "5").is_ok() {
            assert_eq!(page.to_bytes().len(), input.len());
        }
    }
}

#[test]
fn no_input_makes_the_readers_panic_hang_or_lose_a_byte() {
    let headings = rmf_cpu::Column::ALL.map(rmf_cpu::Column::heading);
    let more = rmf_partition::Column::ALL.map(rmf_partition::Column::heading);
    let mut mutator = Mutator::new(70).corpus(PAGES).dictionary(TOKENS).dictionary(headings).dictionary(more);
    let tried = fuzz::run(&mut mutator, Bound::or_from_environment(4_000), |input| {
        if let Some(page) = check::<CpuActivity>(input) {
            assert_eq!(page.totals().logical_processors.len(), page.rows().len());
        }
        if let Some(page) = check::<Partition>(input) {
            assert!(page.totals().partitions.len() <= page.rows().len());
            assert!(page.disagreements().len() <= page.rows().len());
        }
    });
    assert!(tried > 0);
}
