//! Is a listing read by its contents, and are contradictions in it reported with both places?

use fuzz::{Bound, Mutator};
use records::query_pav::{PoolListing, Standing, Why};

const LISTING: &str = "\
q pav all
Device 522A is a HyperPAV base in pool 1
Device 522B is a HyperPAV base in pool 1
Device 5249 is a HyperPAV alias in pool 1
Device 5300 is a base with the following aliases: 5310 5311
 5312
Device 5310 is an alias whose base device is 5300
Device 5249 is a HyperPAV alias in pool 1
Device 0191 is not a PAV device
Ready; T=0.01/0.01 13:28:34
";

fn problems(text: &str) -> Vec<String> {
    let problems = PoolListing::read(text.as_bytes(), "pav.txt").expect_err("the listing is refused");
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn every_device_is_listed_once_with_what_it_is() {
    let listing = PoolListing::read(LISTING.as_bytes(), "pav.txt").expect("it is sound");
    let numbers: Vec<&str> = listing.devices().iter().map(|listed| listed.device.as_str()).collect();
    assert_eq!(numbers, ["522A", "522B", "5249", "5300", "5310"]);
    let aliases = ["5310", "5311", "5312"].map(String::from).to_vec();
    assert_eq!(listing.device("5300").map(|listed| &listed.standing), Some(&Standing::Base { aliases }));
    let skipped: Vec<(usize, Why)> = listing.skipped().iter().map(|skipped| (skipped.line, skipped.why)).collect();
    assert_eq!(skipped, [(1, Why::NoDevice), (9, Why::NotPav), (10, Why::NoDevice)]);
}

#[test]
fn lines_that_contradict_each_other_are_reported_with_both_places() {
    let text = "Device 522A is a base in pool 1\nDevice 522A is a base in pool 2\n";
    assert_eq!(problems(text), ["pav.txt:2:1: 522A: is a base in pool 2; line 1 says that 522A is a base in pool 1"]);
    let text = "Device 5310 is an alias of base 5300\nDevice 5300 is a base in pool 7\n";
    assert_eq!(problems(text), ["pav.txt:1:1: 5310: is an alias of 5300; line 2 says that 5300 is a base in pool 7"]);
    let text = "Device 5300 is a base with aliases 5310\nDevice 5310 is an alias of base 5301\n";
    assert_eq!(problems(text), ["pav.txt:1:1: 5300: has 5310 as an alias; line 2 says that 5310 is an alias of 5301"]);
}

#[test]
fn all_problems_come_at_once() {
    let text = "Device 52G1 is a base\nDevice 522A is a base in pool\nDevice 522B is a base in pool 1\n";
    assert_eq!(problems(text).len(), 2);
}

#[test]
fn what_lists_nothing_is_no_listing() {
    assert!(problems("Ready; T=0.01/0.01 13:28:34\n")[0].contains("lists no base and no alias"));
    assert!(problems(" \n")[0].contains("the file is empty"));
    let wide: Vec<u8> = LISTING.bytes().flat_map(|byte| [byte, 0]).collect();
    assert!(PoolListing::read(&wide, "pav.txt").expect_err("it is UTF-16")[0].what.contains("UTF-16"));
}

/// What holds for every input: it is refused for a reason, or every device in it is one thing.
fn check(input: &[u8]) {
    match PoolListing::read(input, "fuzz") {
        Ok(listing) => {
            assert!(!listing.devices().is_empty());
            for listed in listing.devices() {
                assert_eq!(listing.device(&listed.device), Some(listed));
                assert!(listed.device.len() == 4 && listed.line > 0);
            }
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "a listing is refused for a reason");
            assert!(units::listing(&problems).lines().count() <= units::MOST_PRINTED + 1);
        }
    }
}

#[test]
fn no_input_makes_the_reader_panic_or_hang() {
    let words =
        ["Device ", "base", "aliases", "alias", "pool", "pool ", " 522A", "522a,", "number", "\n", "\r\n", "\u{a0}"];
    let mut mutator = Mutator::new(20).corpus([LISTING]).dictionary(words);
    let tried = fuzz::run(&mut mutator, Bound::or_from_environment(4_000), check);
    assert!(tried > 0);
}
