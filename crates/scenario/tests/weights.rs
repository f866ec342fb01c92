//! Do partitions by weight, and partitions that change, make the plan that was written, and is what cannot be refused?

use crate::sample::{DOMAINS, LPARS, lpars_with, problems, read, read_set, refused};
use machine::plan::{
    CecPlan, Change, DispatcherPlan, GroupPlan, PartitionPlan, Polarization, Preemption, Processors, PrsmPlan, Share,
    WeightPlan,
};
use units::{Percent, Problem, Span};

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&lpars_with(old, new), key, says)
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(LPARS);
    let plan = scenario.plan();
    let run_time = Some(Span::from_ms(20));
    let prsm = PrsmPlan { run_time, wait_completion: true, preemption: Preemption::Always };
    let switch = Span::from_us(100);
    assert_eq!(plan.cec, Some(CecPlan { processors: 5, dispatcher: DispatcherPlan::Prsm(prsm), switch }));
    let weights: Vec<Processors> = plan.partitions.iter().map(|partition| partition.processors).collect();
    let test = WeightPlan { capped: true, cap: Some(0.75), ..WeightPlan::new(300) };
    let later = WeightPlan { polarization: Polarization::Vertical, ..WeightPlan::new(100) };
    let shared = [WeightPlan::new(600), test, later].map(Processors::Weighted);
    assert_eq!(weights, [shared[0], shared[1], shared[2], Processors::Dedicated]);
    let active: Vec<bool> = plan.partitions.iter().map(|partition| partition.active).collect();
    assert_eq!(active, [true, true, false, true]);
    let changes: Vec<Change> = plan.changes.iter().map(|change| change.change).collect();
    let promise = Change::Share { partition: 0, share: Share::Weight(200) };
    assert_eq!(changes, [Change::Add { partition: 2 }, promise, Change::Delete { partition: 1 }]);
    assert!(scenario.warnings().is_empty(), "{:?}", scenario.warnings());
}

#[test]
fn what_is_not_written_is_as_pr_sm_has_it() {
    let text = LPARS.replace("run_time = \"20 ms\"\nwait_completion = \"yes\"\npreemption = \"always\"\n", "");
    let prsm = PrsmPlan { run_time: None, wait_completion: false, preemption: Preemption::Share };
    assert_eq!(read(&text).plan().cec.as_ref().unwrap().dispatcher, DispatcherPlan::Prsm(prsm));
}

/// Keys that a dispatcher does not have are not written out either.
#[test]
fn defaults_are_those_of_the_dispatcher() {
    let (weights, slices) = (read(LPARS), read(DOMAINS));
    assert!(!weights.resolved_toml().contains("dispatching") && weights.resolved_toml().contains("capped = \"no\""));
    assert!(!slices.resolved_toml().contains("preemption") && !slices.resolved_toml().contains("capped"));
}

#[test]
fn weights_are_1_to_999() {
    for weight in [0, 1_000] {
        let problem = refused_with(
            "weight = 600",
            &format!("weight = §{weight}"),
            "partition PROD: weight",
            &format!("{weight} is out of range"),
        );
        assert_eq!(problem.allowed, ["1 to 999"]);
    }
    refused_with("weight = 200", "weight = §1000", "change[2].partition.weight", "1000 is out of range");
}

#[test]
fn a_partition_has_a_target_or_a_weight() {
    let both = "weight = 600\n§target = \"50 %\"";
    refused_with("weight = 600", both, "partition PROD: target", "both `weight` and `target`");
    let text =
        lpars_with("weight = 600\n", "").replace("[[partition]]\nname = \"PROD\"", "§[[partition]]\nname = \"PROD\"");
    refused(&text, "partition PROD: weight", "`weight` is missing");
    refused_with(
        "mode = \"UP\"",
        "mode = \"UP\"\nweight = §5",
        "partition OWN: weight",
        "a weight of a dedicated partition",
    );
    refused_with("weight = 600", "target = §\"50 %\"", "partition PROD: target", "`target` with dispatcher = \"prsm\"");
    let text = DOMAINS.replace("target = \"25 %\"", "weight = §25");
    refused(&text, "partition TSO: weight", "`weight` with dispatcher = \"slices\"");
}

#[test]
fn what_goes_with_slices_does_not_go_with_weights() {
    for key in ["scheduling_parameter = §3", "slice = §\"5 ms\"", "dispatching = §\"apart\""] {
        let name = key.split(' ').next().unwrap_or_default();
        let new = format!("dispatcher = \"prsm\"\n{key}");
        let says = format!("`{name}` with dispatcher = \"prsm\"");
        refused_with("dispatcher = \"prsm\"", &new, &format!("cec.{name}"), &says);
    }
    for key in ["run_time = §\"20 ms\"", "wait_completion = §\"no\"", "preemption = §\"share\""] {
        let name = key.split(' ').next().unwrap_or_default();
        let text = DOMAINS.replace("scheduling_parameter = 1", &format!("scheduling_parameter = 1\n{key}"));
        refused(&text, &format!("cec.{name}"), &format!("`{name}` with dispatcher = \"slices\""));
    }
}

#[test]
fn a_run_is_1_to_100_ms_and_longer_than_the_switch() {
    for (run, says) in [("0.9 ms", "too short"), ("101 ms", "too long")] {
        refused_with("run_time = \"20 ms\"", &format!("run_time = §\"{run}\""), "cec.run_time", says);
    }
    let problem = refused_with(
        "switch = \"0.1 ms\"",
        "switch = §\"20 ms\"",
        "cec.switch",
        "a switch of 20 ms in runs from 20 ms",
    );
    assert_eq!(problem.allowed, ["less than 20 ms", "longer runs"]);
    let text = lpars_with("run_time = \"20 ms\"\n", "").replace("switch = \"0.1 ms\"", "switch = §\"12.5 ms\"");
    refused(&text, "cec.switch", "runs from 12.5 ms");
}

#[test]
fn caps_are_what_a_partition_can_have() {
    let says = "a cap of 2.5 processors where there are 2";
    let problem = refused_with("cap = 0.75", "cap = §2.5", "partition TEST: cap", says);
    assert_eq!(problem.allowed, ["0.01 to 2", "no cap"]);
    refused_with("cap = 0.75", "cap = §0", "partition TEST: cap", "0 is out of range");
    let vertical = "polarization = \"vertical\"\ncapped = §\"yes\"";
    let says = "a capped partition with vertical polarization";
    refused_with("polarization = \"vertical\"", vertical, "partition LATER: capped", says);
    refused_with("mode = \"UP\"", "mode = \"UP\"\n§cap = 1", "partition OWN: cap", "`cap` without `weight`");
}

#[test]
fn one_partition_has_to_share_a_processor() {
    let text = LPARS.replace("processors = 5", "processors = 1");
    let found = problems(&text, &[]);
    assert_eq!(found[0].what, "4 logical processors on 0 shared physical ones");
    read(&LPARS.replace("processors = 5", "processors = 2"));
}

#[test]
fn only_an_absent_partition_is_added_and_only_a_present_one_is_deleted() {
    let says = "partition `PROD` is added at 10 s, and it is there";
    refused_with("add = \"LATER\"", "add = §\"PROD\"", "change[1].add", says);
    let says = "partition `LATER` is deleted at 5 s, and it is not there";
    refused_with("at = \"30 s\"\ndelete = \"TEST\"", "at = \"5 s\"\ndelete = §\"LATER\"", "change[3].delete", says);
    let twice = "delete = \"TEST\"\n\n[[change]]\nat = \"31 s\"\ndelete = §\"TEST\"";
    refused_with("delete = \"TEST\"", twice, "change[4].delete", "and it is not there");
    refused_with("add = \"LATER\"", "add = §\"LATTER\"", "change[1].add", "did you mean LATER?");
    read(&lpars_with("delete = \"TEST\"", "delete = \"TEST\"\n\n[[change]]\nat = \"31 s\"\nadd = \"TEST\""));
}

#[test]
fn a_share_that_changes_is_one_that_there_is() {
    let (share, key) = ("{ name = \"PROD\", weight = 200 }", "change[2].partition");
    refused_with(share, "§{ name = \"PROD\" }", key, "nothing is changed");
    let own = "{ name = \"OWN\", weight = §200 }";
    refused_with(share, own, &format!("{key}.weight"), "a weight of a dedicated partition");
    let target = "{ name = \"PROD\", target = §\"20 %\" }";
    refused_with(share, target, &format!("{key}.target"), "`target` with dispatcher = \"prsm\"");
    let both = "{ name = \"PROD\", weight = 200, §target = \"20 %\" }";
    assert!(!problems(&lpars_with(share, both).replace('§', ""), &[]).is_empty());
}

fn domains(changes: &str) -> String {
    format!("{DOMAINS}{changes}")
}

#[test]
fn a_scheduling_parameter_that_changes_is_planned_where_slices_go_round() {
    let change = |parameter: &str| format!("\n[[change]]\nat = \"1 s\"\nscheduling_parameter = {parameter}\n");
    let slice = Span::from_ms(10);
    assert_eq!(read(&domains(&change("5"))).plan().changes[0].change, Change::Slice { slice });
    let key = "change[1].scheduling_parameter";
    refused(&domains(&change("§6")), key, "out of range");
    let by_weight = lpars_with("add = \"LATER\"", "scheduling_parameter = §5");
    refused(&by_weight, key, "a scheduling parameter where no slices go round");
    let text = domains(&change("5").replace("at = ", "at = §")).replace("switch = \"1 ms\"", "switch = \"7 ms\"");
    refused(&text, "change[1].at", "where a switch takes 7 ms");
}

#[test]
fn targets_that_change_are_planned() {
    let change = "\n[[change]]\nat = \"1 s\"\npartition = { name = \"IMS\", maximum = \"70 %\" }\n";
    let share = Share::Slices { target: None, maximum: Some(Percent::new(70.0)) };
    assert_eq!(read(&domains(change)).plan().changes[0].change, Change::Share { partition: 0, share });
}

#[test]
fn targets_fit_into_one_frame_at_any_time() {
    let more = |at: &str, name: &str, share: &str| {
        format!("\n[[change]]\nat = §{at}\npartition = {{ name = \"{name}\", {share} }}\n")
    };
    let refuse = |changes: &str, key: &str, says: &str| refused(&domains(changes), key, says);
    let over = more("\"1 s\"", "TSO", "target = \"60 %\"");
    refuse(&over, "change[1].at", "targets of 110 % in all from 1 s on");
    // In any order at one time, since it is judged when all of it has happened.
    let less = more("\"1 s\"", "IMS", "target = \"40 %\"");
    read(&domains(&(over.clone() + &less).replace('§', "")));
    let below = "\n[[change]]\nat = \"1 s\"\npartition = { name = \"IMS\", target = §\"65 %\" }\n";
    refuse(below, "change[1].partition.target", "a maximum of 60 % below a target of 65 %");
    let nothing = "\n[[change]]\nat = \"1 s\"\npartition = { name = \"IMS\", target = §\"0.2 %\" }\n";
    refuse(nothing, "change[1].partition.target", "a target of 0.2 %");
    let weight = "\n[[change]]\nat = \"1 s\"\npartition = { name = \"IMS\", weight = §20 }\n";
    refuse(weight, "change[1].partition.weight", "`weight` with dispatcher = \"slices\"");
    let short = more("\"1 s\"", "TSO", "target = \"1 %\"");
    let text = domains(&short).replace("switch = \"1 ms\"", "switch = \"1.2 ms\"");
    refused(&text, "change[1].at", "where a switch takes 1.2 ms");
}

#[test]
fn a_deleted_partition_leaves_its_target_to_others() {
    let delete = "\n[[change]]\nat = \"1 s\"\ndelete = \"IMS\"\n\n[[change]]\nat = \"1 s\"\npartition = { name = \"TSO\", target = \"100 %\" }\n";
    read(&domains(delete));
}

#[test]
fn a_weight_can_be_set_from_the_command_line() {
    let scenario = read_set(LPARS, &["partition.PROD.weight=1"]);
    assert_eq!(scenario.plan().partitions[0].processors, Processors::Weighted(WeightPlan::new(1)));
}

const GROUP: &str = "[[lpar_group]]\nname = \"G\"\ncap = 1.25\n\n[[partition]]";

/// Two partitions in a group with a cap that they could exceed.
fn grouped() -> String {
    LPARS.replacen("[[partition]]", GROUP, 1).replacen("weight = ", "lpar_group = \"G\"\nweight = ", 2)
}

#[test]
fn partitions_name_their_group() {
    let scenario = read(&grouped());
    let plan = scenario.plan();
    assert_eq!(plan.lpar_groups, [GroupPlan { name: "G".into(), cap: 1.25 }]);
    let group = |partition: &PartitionPlan| match partition.processors {
        Processors::Weighted(weight) => weight.group,
        _ => None,
    };
    assert_eq!(plan.partitions.iter().filter(|partition| group(partition) == Some(0)).count(), 2);
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
}

#[test]
fn a_group_that_caps_nothing_is_a_doubt() {
    let doubt = |text: String| units::listing(read(&text).warnings());
    assert!(doubt(grouped().replace("cap = 1.25", "cap = 200.0")).contains("a cap of 200 processors changes nothing"));
    assert!(doubt(LPARS.replacen("[[partition]]", GROUP, 1)).contains("lpar_group G is not used"));
}

#[test]
fn a_group_that_is_not_there_is_refused() {
    let text = grouped().replacen("lpar_group = \"G\"", "lpar_group = §\"H\"", 1);
    refused(&text, "partition PROD: lpar_group", "no lpar group is called `H`");
}

#[test]
fn processors_online_are_planned() {
    let text = lpars_with("weight = 600", "weight = 600\nonline = 3");
    let text = text.replacen(
        "[[guest]]",
        "[[change]]\nat = \"2 s\"\npartition = { name = \"TEST\", weight = 5, online = 1 }\n\n[[guest]]",
        1,
    );
    let scenario = read(&text);
    let plan = scenario.plan();
    assert_eq!((plan.partitions[0].online_first(), plan.partitions[1].online_first()), (3, 2));
    let changes: Vec<Change> = plan.changes.iter().map(|planned| planned.change).collect();
    let share = Change::Share { partition: 1, share: Share::Weight(5) };
    assert!(changes.windows(2).any(|pair| pair == [share, Change::Online { partition: 1, online: 1 }]), "{changes:?}");
}

#[test]
fn no_more_processors_are_online_than_there_are() {
    refused_with(
        "weight = 600",
        "weight = 600\nonline = §5",
        "partition PROD: online",
        "5 processors online where there are 4",
    );
    refused_with("weight = 600", "weight = 600\nonline = §0", "partition PROD: online", "0");
}
