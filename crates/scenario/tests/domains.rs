//! Do processors, partitions, guests and volumes agree, and is the resulting plan the one that was written?

use crate::sample::{self, DOMAINS, domains_with, problems, read, read_set, refused};
use kernel::distribution::Distribution;
use machine::plan::{
    Access, Arrival, CecPlan, DispatcherPlan, Dispatching, Processors, Record, RunsInPlan, SlicesPlan, Target,
};
use scenario::Scenario;
use units::{Percent, Problem, Span};

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&domains_with(old, new), key, says)
}

fn warnings(text: &str) -> Vec<String> {
    read(text).warnings().iter().map(|warning| warning.what.clone()).collect()
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(DOMAINS);
    let plan = scenario.plan();
    let (slice, switch) = (Span::from_ms(30), Span::from_ms(1));
    assert_eq!(plan.cec, Some(CecPlan::slices(3, slice, Dispatching::Together, switch)));
    let [ims, tso, own] = plan.partitions.as_slice() else { panic!("three partitions") };
    let shared = |target, maximum| Processors::Shared { target: Percent::new(target), maximum: Percent::new(maximum) };
    assert_eq!((ims.logical, ims.enabled, ims.processors), (2, 2, shared(50.0, 60.0)));
    assert_eq!(ims.slih, Distribution::Exponential { mean: Span::from_us(200) });
    assert_eq!((tso.logical, tso.enabled, tso.processors), (1, 1, shared(25.0, 100.0)));
    assert_eq!(tso.slih, Distribution::Constant(Span::from_us(150)));
    assert_eq!(own.processors, Processors::Dedicated);
    let whose: Vec<Option<usize>> = plan.volumes.iter().map(|volume| volume.partition).collect();
    assert_eq!(whose, [Some(0), Some(1), None]);
    let runs: Vec<Option<RunsInPlan>> = plan.guests.iter().map(|guest| guest.runs_in).collect();
    let runs_in = |partition, priority| Some(RunsInPlan::Partition { partition, priority });
    assert_eq!(runs, [runs_in(0, 7), runs_in(1, 0), runs_in(2, 0), None]);
    assert!(scenario.warnings().is_empty(), "{:?}", scenario.warnings());
}

fn slices(scenario: &Scenario) -> SlicesPlan {
    match scenario.plan().cec.as_ref().expect("it has one").dispatcher {
        DispatcherPlan::Slices(slices) => slices,
        DispatcherPlan::Prsm(_) | DispatcherPlan::Cfs(_) => panic!("slices, not weights"),
    }
}

/// 30, 20 and 10 ms at 1, 3 and 5 are those of the study (Partitioning Large Processors, 7.0).
#[test]
fn the_scheduling_parameter_gives_the_slice() {
    for (parameter, slice) in [(1, 30), (2, 25), (3, 20), (4, 15), (5, 10)] {
        let scenario = read_set(DOMAINS, &[&format!("cec.scheduling_parameter={parameter}")]);
        assert_eq!(slices(&scenario).slice, Span::from_ms(slice));
    }
    let sliced = read_set(DOMAINS, &["cec.slice=7 ms", "cec.dispatching=apart"]);
    assert_eq!(slices(&sliced), SlicesPlan { slice: Span::from_ms(7), dispatching: Dispatching::Apart });
}

#[test]
fn the_scheduling_parameter_is_1_to_5() {
    for parameter in [0, 6] {
        let set = format!("scheduling_parameter = §{parameter}");
        let problem = refused_with("scheduling_parameter = 1", &set, "cec.scheduling_parameter", "out of range");
        assert_eq!(problem.allowed, ["1 to 5"]);
    }
}

#[test]
fn a_slice_comes_from_the_parameter_or_is_given() {
    let both = "scheduling_parameter = 1\n§slice = \"5 ms\"";
    refused_with("scheduling_parameter = 1", both, "cec.slice", "both `scheduling_parameter` and `slice`");
    let text = domains_with("scheduling_parameter = 1\n", "").replace("[cec]", "§[cec]");
    refused(&text, "cec", "none of scheduling_parameter, slice");
}

#[test]
fn shares_are_1_to_100_percent() {
    let key = "partition IMS: target";
    refused_with("target = \"50 %\"", "target = §\"101 %\"", key, "more than 100 %");
    let problem = refused_with("target = \"50 %\"", "target = §\"0.5 %\"", key, "a target of 0.5 %");
    assert_eq!(problem.allowed, ["1 % to 100 %"]);
    refused_with("maximum = \"60 %\"", "maximum = §\"101 %\"", "partition IMS: maximum", "more than 100 %");
}

#[test]
fn targets_add_up_to_100_percent_at_most() {
    let problem =
        refused_with("target = \"25 %\"", "target = §\"50.1 %\"", "partition TSO: target", "targets of 100.1 %");
    assert_eq!(problem.allowed, ["up to 50 %"]);
    read(&domains_with("target = \"25 %\"", "target = \"50 %\""));
    let thirds = DOMAINS.replace("\"50 %\"", "\"33.3 %\"").replace("\"25 %\"", "\"33.3 %\"");
    let third = "[[partition]]\nname = \"X\"\nlogical_processors = 1\ntarget = \"33.4 %\"\n";
    read(&format!(
        "{thirds}{third}[[guest]]\nname = \"X\"\npartition = \"X\"\ncount = 1\nprogram = [ {{ compute = \"1 ms\" }} ]\n"
    ));
}

#[test]
fn a_frame_that_is_not_given_away_is_no_doubt() {
    assert_eq!(warnings(&domains_with("target = \"25 %\"", "target = \"5 %\"")), [""; 0]);
}

#[test]
fn a_maximum_is_no_less_than_the_target() {
    let says = "a maximum of 40 % below a target of 50 %";
    let problem = refused_with("maximum = \"60 %\"", "maximum = §\"40 %\"", "partition IMS: maximum", says);
    assert_eq!(problem.allowed, ["50 % to 100 %"]);
}

#[test]
fn shares_are_those_of_shared_processors() {
    refused_with(
        "mode = \"UP\"",
        "mode = \"UP\"\ntarget = §\"10 %\"",
        "partition OWN: target",
        "a dedicated partition",
    );
    let text = domains_with("[[partition]]\nname = \"TSO\"", "§[[partition]]\nname = \"TSO\"")
        .replace("target = \"25 %\"\n", "");
    refused(&text, "partition TSO: target", "`target` is missing");
    let text = domains_with("target = \"25 %\"", "targt = \"25 %\"");
    assert_eq!(problems(&text, &[]).len(), 1, "a misspelt target is not also missing");
    refused_with("mode = \"UP\"", "mode = §\"up\"", "partition OWN: mode", "did you mean UP?");
}

#[test]
fn logical_processors_are_carried_by_physical_ones() {
    let key = "partition IMS: logical_processors";
    refused_with("logical_processors = 2", "logical_processors = §0", key, "0 is out of range");
    let problem =
        refused_with("logical_processors = 2", "logical_processors = §3", key, "3 logical processors on 2 shared");
    assert_eq!(problem.allowed[0], "up to 2");
    let text = domains_with("logical_processors = 1\nmode", "logical_processors = §4\nmode");
    let found = problems(&text.replace('§', ""), &[]);
    assert_eq!(found[0].what, "4 dedicated processors where 3 are left");
}

#[test]
fn no_more_are_enabled_than_there_are() {
    refused_with(
        "enabled = 2",
        "enabled = §3",
        "partition IMS: enabled",
        "3 processors enabled for I/O where there are 2",
    );
    refused_with("enabled = 2", "enabled = §0", "partition IMS: enabled", "0 is out of range");
}

#[test]
fn a_target_of_nothing_is_one_problem_and_not_a_slice_that_is_too_short() {
    refused_with("target = \"50 %\"", "target = §\"0 %\"", "partition IMS: target", "a target of 0 %");
}

/// The frame of 60 ms is divided by 50 and 25: the shortest slice is 20 ms.
#[test]
fn a_switch_is_shorter_than_the_shortest_slice() {
    let problem = refused_with(
        "switch = \"1 ms\"",
        "switch = §\"20 ms\"",
        "cec.switch",
        "a switch of 20 ms in slices from 20 ms",
    );
    assert_eq!(problem.allowed[0], "less than 20 ms");
    read(&domains_with("switch = \"1 ms\"", "switch = \"19.9 ms\""));
}

#[test]
fn partitions_have_processors_and_processors_partitions() {
    let cec = "[cec]\nprocessors = 3\nscheduling_parameter = 1\nswitch = \"1 ms\"\n\n";
    let text = domains_with(cec, "").replacen("[[partition]]", "§[[partition]]", 1);
    refused(&text, "partition IMS", "a partition without a [cec]");
    let text = format!("{}\n§{cec}", sample::SAMPLE);
    refused(&text, "cec", "a [cec] without partitions");
}

#[test]
fn a_guest_does_io_to_the_volumes_of_its_partition() {
    let key = "guest TERMINALS: program[2].io.volume";
    let problem = refused_with("{ volume = \"CC1\" }", "{ volume = §\"C23\" }", key, "volume C23 is in `IMS`");
    assert_eq!(problem.allowed, ["partition = \"TSO\" in volume C23"]);
    refused_with("{ volume = \"CC1\" }", "{ volume = §\"FREE\" }", key, "volume FREE is in no partition");
    refused_with(
        "{ volume = \"CC1\" }",
        "{ minidisk = §\"M\" }",
        "guest TERMINALS: program[2].io.minidisk",
        "volume C23 is in `IMS`",
    );
    let says = "I/O to `CC1` by a guest in no partition";
    let key = "guest OUTSIDE: program[2].io.volume";
    let problem = refused_with("{ volume = \"FREE\" }", "{ volume = §\"CC1\" }", key, says);
    assert_eq!(problem.allowed, ["partition = \"TSO\" in the guest"]);
    refused_with(
        "uniform = [\"C23\", \"M\"]",
        "uniform = [\"C23\", §\"CC1\"]",
        "guest USERS: program[2].io.uniform",
        "`CC1`",
    );
    refused_with(
        "uniform = [\"C23\", \"M\"]",
        "weighted = { M = 1, §CC1 = 2 }",
        "guest USERS: program[2].io.weighted",
        "`CC1`",
    );
}

#[test]
fn a_priority_is_one_within_a_partition() {
    refused_with("priority = 7", "priority = §256", "guest USERS: priority", "out of range");
    let text = domains_with("name = \"OUTSIDE\"\n", "name = \"OUTSIDE\"\n§priority = 1\n");
    refused(&text, "guest OUTSIDE: priority", "`priority` without `partition`");
}

#[test]
fn a_partition_that_does_not_exist_is_named_with_the_nearest() {
    let text = domains_with("partition = \"TSO\"\narrivals", "partition = §\"TS0\"\narrivals");
    assert_eq!(
        refused(&text, "guest TERMINALS: partition", "no partition is called `TS0`").nearest.as_deref(),
        Some("TSO")
    );
    refused_with(
        "partition = \"TSO\"\nservice",
        "partition = §\"TOS\"\nservice",
        "volume CC1: partition",
        "no partition",
    );
}

#[test]
fn a_partition_without_guests_is_a_doubt() {
    let text = domains_with("name = \"ALONE\"\npartition = \"OWN\"", "name = \"ALONE\"");
    assert_eq!(warnings(&text), ["partition OWN is not used: no guest runs in it"]);
}

/// TSO has one processor for 19 of the 60 ms of a frame: 20 ms less the switch.
#[test]
fn more_arrivals_than_a_partition_can_serve_are_a_doubt() {
    let arrivals = |rate: u32| {
        domains_with(
            "arrivals = \"5/s\"\nprogram = [ { compute = \"1 ms\" }",
            &format!("arrivals = \"{rate}/s\"\nprogram = [ {{ compute = \"9.85 ms\" }}"),
        )
    };
    assert_eq!(warnings(&arrivals(31)), [""; 0]);
    assert_eq!(warnings(&arrivals(32)), ["arrivals ask for 101 % of what it can do: 0.32 of 0.32 processors"]);
}

#[test]
fn recorded_io_may_come_from_a_partition() {
    let replayed = "name = \"TERMINALS\"\npartition = \"TSO\"\nreplay = \"io.csv\"";
    let text =
        domains_with("arrivals = \"5/s\"\nprogram = [ { compute = \"1 ms\" }, { io = { volume = \"CC1\" } } ]", "");
    let guest = &read(&text.replace("name = \"TERMINALS\"\npartition = \"TSO\"", replayed)).plan().guests[1].clone();
    assert!(matches!(guest.arrival, Arrival::Replay { .. }));
    assert_eq!(guest.runs_in, Some(RunsInPlan::Partition { partition: 1, priority: 0 }));
}

#[test]
fn recorded_io_goes_to_the_volumes_of_the_partition() {
    let replayed =
        "partition = \"TSO\"\nreplay = \"io.csv\"\n[[guest]]\nname = \"OTHERS\"\npartition = \"TSO\"\narrivals";
    let scenario = read(&domains_with("partition = \"TSO\"\narrivals", replayed));
    let record = |target| vec![Record { at: Span::ZERO, target, bytes: 0, access: Access::Read }];
    scenario.supply("TERMINALS", record(Target::Volume(1))).expect("it is in the same partition");
    for (target, whose) in [(Target::Volume(2), "FREE in no partition"), (Target::Minidisk(0), "C23 in `IMS`")] {
        let found = scenario.supply("TERMINALS", record(target)).expect_err("it is in another");
        let says = format!("record 1 goes to volume {whose}, and the guest runs in `TSO`");
        assert!(units::listing(&found).contains(&says), "{}", units::listing(&found));
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let text = DOMAINS
        .replace("scheduling_parameter = 1", "scheduling_parameter = 6")
        .replace("maximum = \"60 %\"", "maximum = \"40 %\"")
        .replace("target = \"25 %\"", "target = \"60 %\"")
        .replace("enabled = 2", "enabled = 3")
        .replace("processors = 3\n", "processors = 1\n");
    let found: Vec<String> = problems(&text, &[]).into_iter().map(|problem| problem.key).collect();
    let expected = [
        "cec.scheduling_parameter",
        "partition IMS: logical_processors",
        "partition IMS: maximum",
        "partition IMS: enabled",
        "partition TSO: logical_processors",
        "partition TSO: target",
    ];
    assert_eq!(found, expected);
}

/// IEAOPT's CPENABLE=(LO,HI): between the two nothing changes, so LO is not above HI.
#[test]
fn thresholds_of_enabling_are_planned_and_in_their_order() {
    let text = domains_with("enabled = 2", "enabled = 2\ncpenable = { low = \"5 %\" }");
    let cpenable = read(&text).plan().partitions[0].cpenable.expect("it was written");
    assert_eq!((cpenable.low, cpenable.high, cpenable.every), (Percent::new(5.0), Percent::new(30.0), Span::SECOND));
    let wrong = "enabled = 2\ncpenable = { low = §\"40 %\" }";
    refused_with("enabled = 2", wrong, "partition IMS: cpenable.low", "40 % below which fewer are enabled");
}
