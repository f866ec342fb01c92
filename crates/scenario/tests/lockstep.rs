//! Is ± doubted where nothing in a loop is random, and only there?

use crate::sample::read;

const LOCKSTEP: &str = include_str!("lockstep.toml");

fn is_doubted(text: &str) -> bool {
    read(text).warnings().iter().any(|warning| warning.what == "its requests move in lockstep")
}

#[test]
fn constant_think_and_service_are_in_lockstep() {
    assert!(is_doubted(LOCKSTEP));
    assert_eq!(read(LOCKSTEP).warnings()[0].key, "volume DISK");
}

#[test]
fn chance_anywhere_in_the_loop_ends_it() {
    for (was, becomes) in [
        ("think = \"1 ms\"", "think = { exponential = \"1 ms\" }"),
        ("connect = \"1 ms\"", "connect = { exponential = \"1 ms\" }"),
        ("count = 3\nprogram = [ { think = \"1 ms\" }, ", "arrivals = \"300/s\"\nprogram = [ "),
        ("count = 3", "count = 1"),
    ] {
        assert!(LOCKSTEP.contains(was), "{was}");
        assert!(!is_doubted(&LOCKSTEP.replace(was, becomes)), "{becomes}");
    }
}

#[test]
fn a_guest_that_comes_by_chance_ends_the_lockstep_of_others() {
    let more = "[[guest]]\nname = \"MORE\"\narrivals = \"10/s\"\nprogram = [ { io = { volume = \"DISK\" } } ]\n";
    assert!(!is_doubted(&LOCKSTEP.replace("[measure]", &format!("{more}\n[measure]"))));
}
