//! Is a measurement program that could not work refused, and one that the published study warns of a doubt with its reason?

use crate::sample::{QUEUES, queues_with, read, read_set, refused};
use units::{Problem, Span};

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&queues_with(old, new), key, says)
}

/// The one doubt about the queues with these overrides.
#[track_caller]
fn doubted(set: &[&str]) -> Problem {
    let scenario = read_set(QUEUES, set);
    let [doubt] = scenario.warnings() else { panic!("one doubt, not\n{}", units::listing(scenario.warnings())) };
    doubt.clone()
}

#[test]
fn a_cycle_is_50_to_9999_ms() {
    let key = "partition IMS: rmf.cycle";
    refused_with("cycle = \"500 ms\"", "cycle = §\"49 ms\"", key, "50 ms and more");
    refused_with("cycle = \"500 ms\"", "cycle = §\"10 s\"", key, "up to 9999 ms");
    read_set(QUEUES, &["partition.*.rmf.cycle=50 ms"]);
    read_set(QUEUES, &["partition.*.rmf.cycle=9999 ms"]);
}

#[test]
fn a_pop_strays_by_a_cycle_at_most() {
    let says = "a jitter of 501 ms in a cycle of 500 ms";
    let problem = refused_with(
        "cycle = \"500 ms\"",
        "cycle = \"500 ms\", jitter = §\"501 ms\"",
        "partition IMS: rmf.jitter",
        says,
    );
    assert_eq!(problem.allowed, ["0 ms to 500 ms"]);
}

#[test]
fn a_pop_strays_by_a_tenth_of_a_second_by_default() {
    let jitter =
        |text: &str, set: &[&str]| read_set(text, set).plan().partitions[0].sampler.expect("it has one").jitter;
    assert_eq!(jitter(QUEUES, &[]), Span::from_ms(100));
    let short = ["partition.IMS.rmf.cycle=60 ms"];
    assert_eq!(jitter(QUEUES, &short), Span::from_ms(60));
    let resolved = read(QUEUES).resolved_toml().to_string();
    assert_eq!(jitter(&resolved, &short), Span::from_ms(60), "what was worked out is worked out anew");
}

#[test]
fn what_a_sample_takes_is_that_of_a_task() {
    let key = "partition TSO: rmf.takes";
    refused_with("jitter = \"0 ms\"", "jitter = \"0 ms\", §takes = \"1 ms\"", key, "`takes` without `priority`");
    refused_with("priority = 200", "priority = §256", "partition IMS: rmf.priority", "0 to 255");
    refused_with("priority = 200", "§prority = 200", "partition IMS: rmf.prority", "an rmf has no such key");
}

/// The frame of 60 ms has two slices of 30 ms.
#[test]
fn something_is_left_of_every_slice() {
    let text = queues_with("reload = \"0.3 ms\"", "reload = §\"29 ms\"")
        .replace("scheduling_parameter = 1", "scheduling_parameter = 1\nswitch = \"1 ms\"");
    let problem =
        refused(&text, "partition IMS: reload", "a reload of 29 ms in slices of 30 ms, with a switch of 1 ms");
    assert_eq!(problem.allowed[0], "less than 29 ms");
    read(&text.replace("§\"29 ms\"", "\"28.9 ms\""));
}

#[test]
fn a_cycle_below_250_ms_is_a_doubt() {
    let doubt = doubted(&["partition.IMS.rmf.cycle=249 ms"]);
    assert_eq!(
        (doubt.what.as_str(), doubt.key.as_str()),
        ("in `partition.IMS.rmf.cycle=249 ms`: a cycle of 249 ms", "partition IMS: rmf.cycle")
    );
    assert!(doubt.why.contains("a missed sample") && doubt.why.contains("2.0"), "{doubt}");
    assert!(read_set(QUEUES, &["partition.IMS.rmf.cycle=250 ms"]).warnings().is_empty());
}

#[test]
fn a_recording_interval_of_an_hour_is_a_doubt() {
    let doubt = doubted(&["measure.interval=60 min"]);
    assert_eq!(doubt.key, "measure.interval");
    assert!(doubt.why.contains("less than 60 minutes"), "{doubt}");
    assert!(read_set(QUEUES, &["measure.interval=59 min"]).warnings().is_empty());
    let without = QUEUES.replace("rmf = ", "# rmf = ");
    assert!(read_set(&without, &["measure.interval=60 min"]).warnings().is_empty(), "nothing records");
}

#[test]
fn a_cycle_longer_than_the_interval_is_a_doubt() {
    let scenario = read_set(QUEUES, &["measure.interval=600 ms"]);
    let said: Vec<&str> = scenario.warnings().iter().map(|doubt| doubt.what.as_str()).collect();
    assert_eq!(said, ["a cycle of 1 s in intervals of 600 ms"]);
}

#[test]
fn a_lopsided_split_is_a_doubt_of_the_smaller_part() {
    let doubt = doubted(&["partition.IMS.target=75 %", "partition.TSO.target=25 %"]);
    assert_eq!(doubt.key, "partition TSO: target");
    assert!(doubt.why.contains("75/25, 80/20, and 90/10"), "{doubt}");
    assert!(read_set(QUEUES, &["partition.IMS.target=74 %", "partition.TSO.target=26 %"]).warnings().is_empty());
    let unmeasured = QUEUES.replace("rmf = { jitter", "# rmf = { jitter");
    let set = ["partition.IMS.target=90 %", "partition.TSO.target=10 %"];
    assert!(read_set(&unmeasured, &set).warnings().is_empty(), "the domain with the long slices samples in time");
}

#[test]
fn a_priority_that_is_not_the_highest_is_a_doubt() {
    let doubt = doubted(&["partition.IMS.rmf.priority=9"]);
    assert!(doubt.what.ends_with("a priority of 9 where guest LOG has 9"), "{doubt}");
    assert!(doubt.why.contains("Assign a high dispatching priority"), "{doubt}");
    assert_eq!(doubt.allowed, ["10 to 255"]);
    assert!(read_set(QUEUES, &["partition.IMS.rmf.priority=10"]).warnings().is_empty());
}
