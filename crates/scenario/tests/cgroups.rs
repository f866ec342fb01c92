//! Do groups of threads make the plan that was written, and is what a kernel would refuse refused?

use crate::sample::{problems, read, read_set, refused};
use machine::ids::{Partition, Physical};
use machine::plan::{
    CfsPlan, CgroupPlan, DispatcherPlan, LimitPlan, Processors, RunsInPlan, SharedPlan, Sizes, ThreadPlan,
};
use units::{Problem, Span};

const LIMITED: &str = r#"name = "Limits"
assume = "an example"

[cec]
processors = 2
dispatcher = "cfs"

[[cgroup]]
name = "web"
"cpu.max" = "20 ms 50 ms"
"cpu.max.burst" = "5000"
"cpu.weight" = 300

[[cgroup]]
name = "others"

[[guest]]
name = "requests"
cgroup = "web"
nice = -5
processor = 1
arrivals = "5/s"
program = [ { compute = "1 ms" } ]

[[guest]]
name = "jobs"
cgroup = "others"
count = 2
program = [ { compute = "1 ms" }, { think = "1 ms" } ]

[measure]
interval = "1 s"
"#;

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    assert!(LIMITED.contains(old), "{old}");
    refused(&LIMITED.replacen(old, new, 1), key, says)
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(LIMITED);
    let plan = scenario.plan();
    assert_eq!(plan.cec.as_ref().map(|cec| &cec.dispatcher), Some(&DispatcherPlan::Cfs(CfsPlan::default())));
    let (quota, period, burst) = (Span::from_ms(20), Span::from_ms(50), Span::from_ms(5));
    let web = CgroupPlan { limit: Some(LimitPlan { quota, period, burst }), weight: 300, shared: None };
    let groups: Vec<(Processors, u32)> =
        plan.partitions.iter().map(|group| (group.processors, group.logical)).collect();
    assert_eq!(groups, [(Processors::Cgroup(web), 2), (Processors::Cgroup(CgroupPlan::UNLIMITED), 2)]);
    let pinned = ThreadPlan { group: Partition(0), nice: -5, processor: Some(Physical(1)) };
    let free = ThreadPlan { group: Partition(1), nice: 0, processor: None };
    let runs_in: Vec<_> = plan.guests.iter().map(|guest| guest.runs_in).collect();
    assert_eq!(runs_in, [pinned, free].map(|thread| Some(RunsInPlan::Cgroup(thread))));
    assert!(scenario.warnings().is_empty(), "{:?}", scenario.warnings());
}

/// Keys with points in their names are quoted, and what was resolved can be read again.
#[test]
fn a_resolved_scenario_is_the_same_scenario() {
    let first = read(LIMITED);
    let text = first.resolved_toml();
    assert!(text.contains("\"cpu.max\" = \"20 ms 50 ms\""), "{text}");
    assert!(!text.contains("dispatching") && !text.contains("run_time"), "only the keys of this dispatcher: {text}");
    let again = read(text);
    assert_eq!((again.resolved_toml(), again.plan()), (text, first.plan()));
}

/// With cgroups the key `dispatcher` is optional.
#[test]
fn cgroups_say_which_dispatcher_it_is() {
    let text = LIMITED.replace("dispatcher = \"cfs\"\n", "");
    assert_eq!(read(&text).plan(), read(LIMITED).plan());
}

#[test]
fn a_limit_can_be_set_with_quotes_and_without() {
    for path in ["cgroup.web.cpu.max=\"40000 100000\"", "cgroup.web.\"cpu.max\"=\"40 ms\"", "cgroup.web.cpu.max=40ms"] {
        let plan = read_set(LIMITED, &[path]).plan().clone();
        let Processors::Cgroup(own) = plan.partitions[0].processors else { panic!("it is a group") };
        let limit = own.limit.expect("it has one");
        assert_eq!((limit.quota, limit.period), (Span::from_ms(40), Span::from_ms(100)), "{path}");
    }
    let plan = read_set(LIMITED, &["cgroup.web.cpu.max=max", "cgroup.web.cpu.max.burst=0"]).plan().clone();
    assert_eq!(
        plan.partitions[0].processors,
        Processors::Cgroup(CgroupPlan { limit: None, weight: 300, shared: None })
    );
}

/// Without a cost nothing is shared; without one between chips it is the same for all.
#[test]
fn a_cost_of_shared_data_is_planned_with_its_distance() {
    let shared = |set: &[&str]| match read_set(LIMITED, set).plan().partitions[0].processors {
        Processors::Cgroup(own) => own.shared,
        _ => panic!("it is a group"),
    };
    let near = "cgroup.web.shared_data=2 %";
    let one = Sizes { chip: u32::MAX, book: u32::MAX };
    assert_eq!(shared(&["cgroup.web.shared_data=0 %"]), None);
    assert_eq!(shared(&[near]), Some(SharedPlan { near: 20_000, far: 20_000, sizes: one }));
    let sizes = Sizes { chip: 8, book: 32 };
    let far = [near, "cgroup.web.shared_data_far=5.5 %", "cec.machine=generic"];
    assert_eq!(shared(&far), Some(SharedPlan { near: 20_000, far: 55_000, sizes }));
}

/// The group of a single thread may have one, which then costs nothing.
#[test]
fn a_cost_of_shared_data_has_bounds_units_and_chips() {
    let refused_in = |lines: &str, key: &str, says: &str| {
        refused_with("\"cpu.max\" =", &format!("{lines}\n\"cpu.max\" ="), &format!("cgroup web: {key}"), says)
    };
    read(&LIMITED.replacen("\"cpu.max\" =", "shared_data = \"2 %\"\n\"cpu.max\" =", 1));
    let negative = refused_in("shared_data = §\"-1 %\"", "shared_data", "`-1 %` is negative");
    assert_eq!(negative.why, "no quantity here is below zero");
    for (value, says, allowed) in [
        ("101 %", "`101 %` is more than 100 %", "0 % to 100 %"),
        ("2 ms", "`2 ms` has the unit `ms`, which does not fit here", "%"),
        ("2", "`2` has no unit", "%"),
    ] {
        let problem = refused_in(&format!("shared_data = §\"{value}\""), "shared_data", says);
        assert_eq!(problem.allowed, [allowed]);
    }
    let far = |near: &str| format!("{near}shared_data_far = §\"1 %\"");
    let problem = refused_in(&far(""), "shared_data_far", "a cost of shared data between chips alone");
    assert_eq!(problem.allowed, ["shared_data = \"2 %\"", "no `shared_data_far`"]);
    refused_in(&far("shared_data = \"1 %\"\n"), "shared_data_far", "between chips without chips");
    let text = LIMITED.replace("dispatcher = \"cfs\"", "dispatcher = \"cfs\"\nmachine = \"generic\"");
    let lower = format!("{}\n\"cpu.max\" =", far("shared_data = \"2 %\"\n"));
    refused(&text.replacen("\"cpu.max\" =", &lower, 1), "cgroup web: shared_data_far", "lower between chips");
}

/// Only threads have it: a partition does not know the key, and a machine of slices has no groups.
#[test]
fn shared_data_is_of_threads() {
    let shared = LIMITED.replacen("\"cpu.max\" =", "shared_data = \"2 %\"\n\"cpu.max\" =", 1);
    let sliced = shared.replace("dispatcher = \"cfs\"", "dispatcher = §\"slices\"\nslice = \"10 ms\"");
    refused(&sliced, "cec.dispatcher", "a cgroup where threads do not compete");
    let key = shared.replacen("\"cpu.weight\" = 300", "§shared_date = \"2 %\"", 1);
    assert!(problems(&key.replace('§', ""), &[]).iter().any(|problem| problem.what.contains("shared_date")));
}

#[test]
fn a_quota_is_what_processors_can_give() {
    let problem =
        refused_with("\"20 ms 50 ms\"", "§\"101 ms 50 ms\"", "cgroup web: cpu.max", "a quota of 101 ms in 50 ms");
    assert_eq!(problem.allowed, ["up to 100 ms, \"max\", more processors in [cec]"]);
    read(&LIMITED.replace("\"20 ms 50 ms\"", "\"100 ms 50 ms\""));
}

#[test]
fn periods_quotas_and_bursts_are_what_a_kernel_takes() {
    let limit = "\"20 ms 50 ms\"";
    let problem = refused_with(limit, "§\"20 ms 1001 ms\"", "cgroup web: cpu.max", "a period of 1.001 s");
    assert_eq!(problem.allowed, ["1 ms to 1 s"]);
    refused_with(
        "\"20 ms 50 ms\"\n\"cpu.max.burst\" = \"5000\"",
        "§\"1 ms 0.9 ms\"",
        "cgroup web: cpu.max",
        "a period of 900 us",
    );
    refused_with(
        "\"20 ms 50 ms\"\n\"cpu.max.burst\" = \"5000\"",
        "§\"0.9 ms 50 ms\"",
        "cgroup web: cpu.max",
        "a quota of 900 us",
    );
    let problem =
        refused_with("\"5000\"", "§\"21 ms\"", "cgroup web: cpu.max.burst", "a burst of 21 ms with a quota of 20 ms");
    assert_eq!(problem.allowed, ["0 to 20 ms"]);
    refused_with("\"5000\"", "§\"soon\"", "cgroup web: cpu.max.burst", "`soon` is no span of time");
    for text in ["20 ms 50 ms 3 ms", "", "fast", "-1"] {
        let says = if text.is_empty() { "" } else { "is no limit" };
        refused_with(limit, &format!("§\"{text}\""), "cgroup web: cpu.max", says);
    }
    refused_with("= 300", "= §0", "cgroup web: cpu.weight", "0 is out of range");
}

#[test]
fn a_burst_needs_a_limit() {
    let text = LIMITED.replace("\"cpu.max\" = \"20 ms 50 ms\"\n", "").replace("\"5000\"", "§\"5000\"");
    refused(&text, "cgroup web: cpu.max.burst", "a burst of 5 ms of a group without a limit");
}

#[test]
fn threads_run_where_there_are_processors() {
    let problem =
        refused_with("processor = 1", "processor = §2", "guest requests: processor", "threads on processor 2");
    assert_eq!(problem.allowed, ["0 to 1", "more processors in [cec]"]);
    refused_with("nice = -5", "nice = §20", "guest requests: nice", "out of range");
    refused_with("nice = -5", "nice = §0.5", "guest requests: nice", "a nice level of 0.5");
    refused_with("cgroup = \"web\"", "cgroup = §\"wep\"", "guest requests: cgroup", "no cgroup is called `wep`");
    let text = LIMITED.replacen("cgroup = \"web\"\n", "", 1).replace("nice = -5", "nice = §-5");
    assert!(
        problems(&text.replace('§', ""), &[]).iter().any(|problem| problem.what.contains("`nice` without `cgroup`"))
    );
}

#[test]
fn groups_of_threads_have_a_machine_of_their_own() {
    let partition = "\n§[[partition]]\nname = \"P\"\nlogical_processors = 1\nmode = \"UP\"\n\n[[guest]]";
    refused_with("\n[[guest]]", partition, "partition P", "partitions beside cgroups");
    let sliced = "dispatcher = §\"slices\"\nslice = \"10 ms\"";
    refused_with("dispatcher = \"cfs\"", sliced, "cec.dispatcher", "a cgroup where threads do not compete");
    refused_with(
        "dispatcher = \"cfs\"",
        "dispatcher = \"cfs\"\nrun_time = §\"9 ms\"",
        "cec.run_time",
        "`run_time` with dispatcher",
    );
    let alone = LIMITED
        .replace("[cec]\nprocessors = 2\ndispatcher = \"cfs\"\n", "")
        .replace("[[cgroup]]\nname = \"web\"", "§[[cgroup]]\nname = \"web\"");
    assert!(
        problems(&alone.replace('§', ""), &[]).iter().any(|problem| problem.what.contains("a cgroup without a [cec]"))
    );
}

#[test]
fn a_dispatcher_of_threads_has_groups() {
    let text = "name = \"X\"\nassume = \"x\"\n[cec]\nprocessors = 1\ndispatcher = \"cfs\"\n[[guest]]\nname = \"G\"\ncount = 1\nprogram = [ { compute = \"1 ms\" } ]\n";
    assert!(problems(text, &[]).iter().any(|problem| problem.what.contains("no cgroups")), "{:?}", problems(text, &[]));
}

/// ENQ and spin locks are of other operating systems: a thread holds a resource.
#[test]
fn threads_neither_enqueue_nor_spin() {
    let named =
        "[serialization]\nexits = \"none\"\n\n[[enqueue]]\nname = \"DATA\"\nqname = \"Q\"\nrname = \"R\"\n\n[measure]";
    let text = LIMITED.replace("[measure]", named);
    for step in ["{ enq = §\"DATA\", do = [ { compute = \"1 ms\" } ] }", "{ enq = §\"DATA\", ret = \"use\" }"] {
        let marked = text.replacen("{ compute = \"1 ms\" }", step, 1);
        let key = "guest requests: program[1].enq";
        let problem = refused(&marked, key, "a guest that runs in no partition of its own system");
        assert_eq!(problem.allowed, ["hold = ..."], "a machine of threads has no partitions");
    }
    let step = "{ lock = §\"L\", steps = [ { compute = \"1 ms\" } ] }";
    let marked = LIMITED.replacen("{ compute = \"1 ms\" }", step, 1);
    let found = problems(&marked.replace('§', ""), &[]);
    let told = found.iter().find(|problem| problem.what.contains("a guest that runs in no virtual machine"));
    let told = told.unwrap_or_else(|| panic!("{}", units::listing(&found)));
    assert_eq!(told.key, "guest requests: program[1].lock");
    assert_eq!(told.allowed.last().map(String::as_str), Some("hold = ..."));
}

#[test]
fn threads_hold_resources() {
    let text = LIMITED.replace("[measure]", "[[resource]]\nname = \"DATA\"\ncount = 1\n\n[measure]");
    let step = "{ hold = \"DATA\", steps = [ { compute = \"1 ms\" } ] }";
    assert_eq!(read(&text.replacen("{ compute = \"1 ms\" }", step, 1)).plan().resources.len(), 1);
}

/// All that is wrong is said at once.
#[test]
fn several_problems_are_several() {
    let text = LIMITED.replace("20 ms 50 ms", "0.5 ms 2 s").replace("processor = 1", "processor = 7");
    assert!(problems(&text, &[]).len() >= 3, "{:?}", problems(&text, &[]));
}
