//! Does a scenario say which part of the machine arrivals ask too much of, and by how much, and nothing of what can keep up?

use crate::sample::{queues_with, read};

const PARTITION: &str = "name = \"Overload\"\nassume = \"made up\"\n[measure]\ninterval = \"1 s\"\n";

/// The caveats on overloaded parts, each with its name.
#[track_caller]
fn overloads(text: &str) -> Vec<String> {
    let text = format!("{PARTITION}{text}");
    let warnings = read(&text).warnings().to_vec();
    assert!(warnings.iter().all(|warning| warning.what.starts_with("arrivals ask for")), "{warnings:?}");
    warnings.iter().map(|warning| format!("{}: {}", warning.key, warning.what)).collect()
}

/// There is no caveat at the first rate, and this one at the second.
#[track_caller]
fn says(text: &str, (enough, too_many): (&str, &str), expected: &str) {
    assert_eq!(overloads(&text.replace("RATE", enough)), [""; 0]);
    assert_eq!(overloads(&text.replace("RATE", too_many)), [expected]);
}

/// A name list that does not have the name.
const OTHERS: &str = "RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(OTHER)";

const SYSTEMS: &str = r#"
[serialization]
NAME_LISTS
[cec]
processors = 4
[[partition]]
name = "SYSA"
logical_processors = 2
mode = "UP"
[[partition]]
name = "SYSB"
logical_processors = 2
mode = "UP"
[[enqueue]]
name = "MASTER"
qname = "Q"
rname = "R"
scope = "SCOPE"
[[guest]]
name = "A"
partition = "SYSA"
arrivals = "RATE"
program = [ { enq = "MASTER", do = [ { think = "10 ms" } ] } ]
[[guest]]
name = "B"
partition = "SYSB"
arrivals = "RATE"
program = [ { enq = "MASTER", do = [ { think = "10 ms" } ] } ]
"#;

fn systems(scope: &str, name_lists: &str) -> String {
    SYSTEMS.replace("SCOPE", scope).replace("NAME_LISTS", &format!("name_lists = \"{name_lists}\""))
}

#[test]
fn an_exclusive_enq_has_one_holder_in_all_systems() {
    let expected = "enqueue MASTER: arrivals ask for 120 % of what it can do: 1.20 of 1 exclusive holder";
    says(&systems("systems", OTHERS), ("49/s", "60/s"), expected);
}

#[test]
fn a_name_of_a_system_has_one_holder_in_each() {
    let expected = "enqueue MASTER: arrivals ask for 130 % of what it can do: 1.30 of 1 exclusive holder";
    says(&systems("system", OTHERS), ("60/s", "130/s"), expected);
}

/// Excluded from global serialization, a name is that of each system.
#[test]
fn name_lists_decide_how_far_a_name_reaches() {
    let excluded = "RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(Q)";
    let expected = "enqueue MASTER: arrivals ask for 130 % of what it can do: 1.30 of 1 exclusive holder";
    says(&systems("systems", excluded), ("60/s", "130/s"), expected);
}

#[test]
fn shared_and_conditional_requests_do_not_count() {
    for asked in ["access = \"shared\"", "ret = \"use\""] {
        let text = systems("systems", OTHERS).replace("{ enq = \"MASTER\"", &format!("{{ enq = \"MASTER\", {asked}"));
        assert_eq!(overloads(&text.replace("RATE", "500/s")), [""; 0], "{asked}");
    }
}

/// 4 ms are held until the DEQ, whatever comes after it.
#[test]
fn what_is_kept_is_held_until_its_deq() {
    let kept = "{ enq = \"MASTER\" }, { think = \"4 ms\" }, { deq = \"MASTER\" }, { think = \"1 s\" }";
    let text = systems("systems", OTHERS).replace("{ enq = \"MASTER\", do = [ { think = \"10 ms\" } ] }", kept);
    let expected = "enqueue MASTER: arrivals ask for 104 % of what it can do: 1.04 of 1 exclusive holder";
    says(&text, ("120/s", "130/s"), expected);
}

#[test]
fn members_are_held_apart() {
    let text = systems("systems", OTHERS).replace("rname = \"R\"", "rname = \"R\"\nmembers = 10");
    let expected = "enqueue MASTER: arrivals ask for 110 % of what it can do: 11.00 of 10 exclusive holders";
    says(&text, ("490/s", "550/s"), expected);
}

#[test]
fn an_exit_that_may_change_a_request_leaves_it_uncounted() {
    let exit =
        "[[serialization.exit]]\nname = \"MINE\"\npoint = \"ISGNQXIT\"\nscope = \"system\"\nnames = NAMES\n[cec]";
    let text = systems("systems", OTHERS).replace("[cec]", exit).replace("RATE", "60/s");
    let of_it = text.replace("NAMES", "\"RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(Q)\"");
    assert_eq!(overloads(&of_it), [""; 0]);
    let of_another = text.replace("NAMES", "\"RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(OTHER)\"");
    assert_eq!(overloads(&of_another).len(), 1);
}

const SPINNING: &str = r#"
[cec]
processors = 4
[[partition]]
name = "ZVM"
logical_processors = 4
mode = "UP"
control_program = {}
[[virtual_machine]]
name = "CLIENT"
partition = "ZVM"
count = 2
virtual_processors = 4
[[spin_lock]]
name = "DCACHE"
virtual_machine = "CLIENT"
[[guest]]
name = "G"
virtual_machine = "CLIENT"
arrivals = "RATE"
program = [ { lock = "DCACHE", steps = [ { compute = "10 ms" } ] } ]
"#;

#[test]
fn a_spin_lock_has_one_holder_in_each_virtual_machine() {
    let expected = "spin_lock DCACHE: arrivals ask for 130 % of what it can do: 2.60 of 2 holders";
    says(SPINNING, ("199/s", "260/s"), expected);
}

const WEIGHTS: &str = r#"
[cec]
processors = 4
dispatcher = "prsm"
[[partition]]
name = "PROD"
logical_processors = 4
weight = 300
[[partition]]
name = "TEST"
logical_processors = 2
weight = 100
LIMITED
[[guest]]
name = "P"
partition = "PROD"
arrivals = "100/s"
program = [ { compute = "10 ms" } ]
[[guest]]
name = "T"
partition = "TEST"
arrivals = "RATE"
program = [ { compute = "10 ms" } ]
"#;

/// A quarter of four processors.
#[test]
fn a_capped_partition_gets_its_share_at_most() {
    let expected = "partition TEST: arrivals ask for 130 % of what it can do: 1.30 of 1 processor";
    says(&WEIGHTS.replace("LIMITED", "capped = \"yes\""), ("99/s", "130/s"), expected);
}

#[test]
fn a_partition_gets_its_absolute_cap_at_most() {
    let expected = "partition TEST: arrivals ask for 120 % of what it can do: 0.60 of 0.50 processors";
    says(&WEIGHTS.replace("LIMITED", "cap = 0.5"), ("49/s", "60/s"), expected);
}

/// While others leave theirs, one without a cap gets more than its share.
#[test]
fn a_share_that_is_no_cap_is_no_limit() {
    assert_eq!(overloads(&WEIGHTS.replace("LIMITED", "").replace("RATE", "130/s")), [""; 0]);
}

#[test]
fn a_share_that_changes_is_no_limit() {
    let change = "[[change]]\nat = \"0.5 s\"\npartition = { name = \"TEST\", weight = 200 }\n[[guest]]\nname = \"P\"";
    let text = WEIGHTS.replace("LIMITED", "capped = \"yes\"").replace("[[guest]]\nname = \"P\"", change);
    assert_eq!(overloads(&text.replace("RATE", "130/s")), [""; 0]);
}

/// 2.5 and 1.7 of 4 processors.
#[test]
fn partitions_together_have_the_shared_processors() {
    let text = WEIGHTS.replace("LIMITED", "").replace("\"100/s\"", "\"250/s\"");
    says(&text, ("149/s", "170/s"), "cec: arrivals ask for 105 % of what it can do: 4.20 of 4 processors");
}

const THREADS: &str = r#"
[cec]
processors = 2
dispatcher = "cfs"
[[cgroup]]
name = "web"
LIMITED
[[guest]]
name = "requests"
cgroup = "web"
PINNED
arrivals = "RATE"
program = [ { compute = "10 ms" } ]
"#;

#[test]
fn a_group_of_threads_gets_its_limit_at_most() {
    let text = THREADS.replace("LIMITED", "\"cpu.max\" = \"50 ms 100 ms\"").replace("PINNED", "");
    says(&text, ("49/s", "65/s"), "cgroup web: arrivals ask for 130 % of what it can do: 0.65 of 0.50 processors");
}

/// Two threads that run at once do 2 / 1.5 of the work of one.  In a group with half a processor they may run in turn.
#[test]
fn threads_that_share_data_do_less() {
    let shares = |text: &str| text.replace("LIMITED", "shared_data = \"50 %\"\nLIMITED").replace("PINNED", "");
    let text = shares(THREADS).replace("LIMITED", "");
    says(&text, ("133/s", "140/s"), "cgroup web: arrivals ask for 105 % of what it can do: 1.40 of 1.33 processors");
    let text = shares(THREADS).replace("LIMITED", "\"cpu.max\" = \"50 ms 100 ms\"");
    says(&text, ("49/s", "65/s"), "cgroup web: arrivals ask for 130 % of what it can do: 0.65 of 0.50 processors");
}

#[test]
fn threads_that_stay_on_a_processor_have_that_one() {
    let text = THREADS.replace("LIMITED", "").replace("PINNED", "processor = 1");
    says(&text, ("99/s", "130/s"), "cec: processor 1: arrivals ask for 130 % of what it can do: 1.30 of 1 processor");
}

/// However many they are and however long they hold, as many are there as before.
#[test]
fn closed_loads_are_never_too_much() {
    for text in [systems("systems", OTHERS), SPINNING.into(), WEIGHTS.replace("LIMITED", "cap = 0.5")] {
        let closed = text.replace("arrivals = \"RATE\"", "count = 500").replace("arrivals = \"100/s\"", "count = 500");
        assert_eq!(overloads(&closed), [""; 0]);
    }
}

#[test]
fn units_that_are_held_are_counted() {
    let held = "program = [ { hold = \"REGION\", steps = [ { think = \"1 s\" } ] }, { io";
    let text = queues_with("program = [ { compute = \"1 ms\" }, { io", held).replace("\"5/s\"", "\"26/s\"");
    let warning = read(&text.replace("count = 60", "count = 20")).warnings()[0].clone();
    let expected = ("resource REGION", "arrivals ask for 130 % of what it can do: 26.00 of 20 units");
    assert_eq!((warning.key.as_str(), warning.what.as_str()), expected);
}
