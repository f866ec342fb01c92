//! Resources by name: planned as they are written, and refused where names, places, volumes or programs do not agree.

use crate::sample::{problems, read, read_set};
use machine::plan::{ComplexPlan, EnqueueAccess, EnqueuePlan, Linkage, Ret, Ring, Scope, Step, Structure};
use units::{Problem, Span};

const ENQ: &str = r#"name = "Enq"
assume = "made up"

[serialization]
exits = "prebatch-pooled-1.4"
systems = "ring"
residency = "2 ms"
linkage = "system"
name_lists = """
RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(SYSDSN)
"""
cost = { enq = "5 us" }

[cec]
processors = 3

[[partition]]
name = "SYSA"
logical_processors = 1
mode = "UP"

[[partition]]
name = "SYSB"
logical_processors = 1
mode = "UP"

[[volume]]
name = "SHR.A"
device = "0A00"
type = "3390-3"
partition = "SYSA"
service = { pend = "0 ms", disconnect = "0 ms", connect = "1 ms" }

[[volume]]
name = "SHR.B"
device = "0B00"
type = "3390-3"
partition = "SYSB"
service = { pend = "0 ms", disconnect = "0 ms", connect = "1 ms" }

[[enqueue]]
name = "MASTER"
qname = "SYSDSN"
rname = "PROD.MASTER"

[[enqueue]]
name = "MANY"
qname = "Q"
rname = "R"
scope = "step"
members = 3

[[enqueue]]
name = "VTOC"
qname = "SYSVTOC"
rname = "SHR001"
scope = "systems"
reserve = ["SHR.A", "SHR.B"]

[[guest]]
name = "A"
count = 1
partition = "SYSA"
program = [
    { enq = "MANY" }, # kept
    { enq = "MASTER", access = "shared", ret = "use", linkage = "svc", do = [ { compute = "1 ms" } ] },
    { deq = "MANY" },
    { io = { volume = "SHR.A" } },
]

[[guest]]
name = "B"
count = 1
partition = "SYSB"
program = [ { enq = "VTOC", do = [ { io = { volume = "SHR.B" } } ] }, { think = "1 ms" }, ]

[measure]
interval = "1 s"
warm_up = "0 s"
replications = 2
"#;

fn with(old: &str, new: &str) -> String {
    assert!(ENQ.contains(old), "{old}");
    ENQ.replacen(old, new, 1)
}

/// Checks that a text has one problem, somewhere in it, with this key and this in what it says.
#[track_caller]
fn refused(text: &str, key: &str, says: &str) -> Problem {
    let found = problems(text, &[]);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert_eq!(problem.key, key, "{problem}");
    assert!(problem.to_string().contains(says) && problem.line.is_some(), "{problem}\ndoes not say\n{says}");
    problem.clone()
}

#[test]
fn a_ring_may_be_accelerated() {
    let accelerated = |systems: u32| {
        let text = with(
            "residency = \"2 ms\"",
            &format!("residency = \"2 ms\"\ntransmission = \"1 ms\"\naccelsys = {systems}"),
        );
        read(&text.replace('§', ""))
    };
    let scenario = accelerated(2);
    let own = scenario.plan().serialization.as_ref().expect("there is a service").complex;
    let ring = Ring { residency: Span::from_ms(2), transmission: Span::from_ms(1), acceleration: Some(2) };
    assert_eq!((own, scenario.warnings().len()), (ComplexPlan::Ring(ring), 0));
    let listed = units::listing(accelerated(9).warnings());
    assert!(listed.contains("a ring of 2 is not accelerated by accelsys = 9"), "{listed}");
    let star = read_set(ENQ, &["serialization.accelsys=2", "serialization.systems=star"]);
    assert!(units::listing(star.warnings()).contains("ring acceleration without a ring"));
}

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&with(old, new), key, says)
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(ENQ);
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
    let plan = scenario.plan();
    let own = plan.serialization.as_ref().expect("there is a service");
    assert_eq!(own.structure, Structure::PrebatchPooled14);
    assert_eq!(own.complex, ComplexPlan::Ring(Ring { residency: Span::from_ms(2), ..Ring::default() }));
    assert_eq!((own.costs.enq, own.name_lists.len(), &own.managed), (Span::from_us(5), 1, &None));
    let [master, many, vtoc] = plan.enqueues.as_slice() else { panic!("three resources") };
    let named = |name: &str, qname: &str, rname: &str| EnqueuePlan {
        name: name.into(),
        qname: qname.into(),
        rname: rname.into(),
        scope: Scope::System,
        members: 1,
        reserve: Vec::new(),
    };
    assert_eq!(*master, named("MASTER", "SYSDSN", "PROD.MASTER"));
    assert_eq!(*many, EnqueuePlan { scope: Scope::Step, members: 3, ..named("MANY", "Q", "R") });
    let reserved = named("VTOC", "SYSVTOC", "SHR001");
    assert_eq!(*vtoc, EnqueuePlan { scope: Scope::Systems, reserve: vec![0, 1], ..reserved });
    let [Step::Enq(kept), Step::Enq(around), Step::Deq { enqueue: 1 }, _] = plan.guests[0].program.as_slice() else {
        panic!("{:?}", plan.guests[0].program)
    };
    assert_eq!((kept.steps.is_none(), kept.linkage, kept.ret), (true, Linkage::Pc, Ret::None));
    assert_eq!((around.access, around.linkage, around.ret), (EnqueueAccess::Shared, Linkage::Svc, Ret::Use));
}

#[test]
fn what_is_resolved_reads_back() {
    let resolved = read(ENQ).resolved_toml().to_string();
    assert_eq!(read(&resolved).plan(), read(ENQ).plan());
    assert_eq!(read(&resolved).resolved_toml(), resolved);
}

#[test]
fn the_language_knows_every_structure_and_the_prices_of_the_service() {
    let costs = |set: &[&str]| read_set(ENQ, set).plan().serialization.as_ref().expect("there is one").costs;
    for structure in Structure::ALL {
        let set = format!("serialization.exits={}", structure.word());
        assert_eq!(read_set(ENQ, &[&set]).plan().serialization.as_ref().expect("there is one").structure, structure);
    }
    let price = machine::plan::Costs::default().enq;
    assert_eq!(costs(&["serialization.cost.enq=9.5 us"]), machine::plan::Costs { enq: price, ..Default::default() });
}

#[test]
fn names_are_names() {
    refused_with("qname = \"Q\"", "qname = \"TOO-LONG-A-NAME\"", "enqueue MANY: qname", "15 characters");
    let long = format!("rname = \"{}\"", "R".repeat(254));
    refused_with("rname = \"R\"", &long, "enqueue MANY: rname", "254 characters");
    refused_with("rname = \"R\"", "rname = \"\"", "enqueue MANY: rname", "");
    let known = "qname = \"SYSDSN\"\nrname = \"PROD.MASTER\"\n#";
    refused_with(
        "qname = \"Q\"\nrname = \"R\"\nscope = \"step\"\nmembers = 3",
        known,
        "enqueue MANY: rname",
        "a second time",
    );
}

#[test]
fn a_guest_that_enqueues_runs_in_a_partition() {
    let found = problems(&with("partition = \"SYSA\"\nprogram", "program"), &[]);
    let keys: Vec<&str> = found.iter().map(|problem| problem.key.as_str()).collect();
    assert!(keys.contains(&"guest A: program[1].enq") && keys.contains(&"guest A: program[3].deq"), "{keys:?}");
    let told = |problem: &&Problem| problem.what.contains("in no partition of its own system");
    assert_eq!(found.iter().filter(told).count(), 3, "{}", units::listing(&found));
}

#[test]
fn what_may_be_held_is_not_asked_for_again() {
    let inner = "do = [ { enq = \"MASTER\", do = [ { compute = \"1 ms\" } ] } ] }";
    refused_with("do = [ { compute = \"1 ms\" } ] }", inner, "guest A: program[2].do[1].enq", "inside an enq of it");
    let twice = "{ enq = \"MANY\" }, { enq = \"MANY\" }, #";
    refused_with("{ enq = \"MANY\" }, #", twice, "guest A: program[2].enq", "kept already");
    let have = "{ repeat = 2, steps = [ { enq = \"MANY\", ret = \"have\" } ] }, #";
    assert_eq!(read(&with("{ enq = \"MANY\" }, #", have)).plan().guests[0].program.len(), 4);
}

#[test]
fn a_test_and_a_change_are_planned() {
    let steps =
        "{ enq = \"VTOC\", ret = \"test\", do = [ { compute = \"1 ms\" } ] }, { enq = \"MASTER\", ret = \"chng\" }";
    let inner = format!("do = [ {steps} ] }}");
    let scenario = read(&with("do = [ { compute = \"1 ms\" } ] }", &inner));
    let Step::Enq(around) = &scenario.plan().guests[0].program[1] else { panic!("it is an enq") };
    let [Step::Enq(test), Step::Enq(change)] = around.steps.as_deref().expect("it has steps") else {
        panic!("{:?}", around.steps)
    };
    assert_eq!((test.ret, test.enqueue, test.steps.as_ref().map(Vec::len)), (Ret::Test, 2, Some(1)));
    assert_eq!((change.ret, change.access, &change.steps), (Ret::Change, EnqueueAccess::Exclusive, &None));
}

#[test]
fn only_what_is_shared_is_changed() {
    let inner = |step: &str| format!("do = [ {{ {step}, ret = \"chng\" }} ] }}");
    let old = "do = [ { compute = \"1 ms\" } ] }";
    refused_with(old, &inner("enq = \"VTOC\""), "guest A: program[2].do[1].enq", "does not hold there");
    refused_with(old, &inner("enq = \"MANY\""), "guest A: program[2].do[1].enq", "exclusive already");
    let way_back = inner("enq = \"MASTER\", access = \"shared\"");
    refused_with(old, &way_back, "guest A: program[2].do[1].access", "no way back");
}

#[test]
fn what_is_held_is_not_asked_about() {
    let inner = "do = [ { enq = \"MASTER\", ret = \"test\" } ] }";
    refused_with("do = [ { compute = \"1 ms\" } ] }", inner, "guest A: program[2].do[1].enq", "inside an enq of it");
}

#[test]
fn only_what_is_kept_is_dequeued_by_itself() {
    refused_with("{ deq = \"MANY\" }", "{ deq = \"MASTER\" }", "guest A: program[3].deq", "does not keep");
    let problem =
        refused_with("{ deq = \"MANY\" }", "{ deq = \"MANNY\" }", "guest A: program[3].deq", "no enqueue is called");
    assert_eq!(problem.nearest.as_deref(), Some("MANY"));
}

#[test]
fn a_reserve_is_of_one_volume_as_systems_see_it() {
    refused_with("[\"SHR.A\", \"SHR.B\"]", "[\"SHR.A\", \"SHR.C\"]", "enqueue VTOC: reserve", "SHR.C");
    let nowhere = problems(&with("partition = \"SYSA\"\nservice", "service"), &[]);
    assert!(nowhere.iter().any(|problem| problem.key == "enqueue VTOC: reserve"), "{}", units::listing(&nowhere));
    refused_with("scope = \"systems\"", "scope = \"system\"", "enqueue VTOC: reserve", "not for all systems");
    let change = "[measure]";
    let reserved = "[[change]]\nat = \"10 ms\"\nreserve = \"SHR.A\"\n[measure]";
    refused_with(change, reserved, "enqueue VTOC: reserve", "by a change as well");
}

#[test]
fn name_lists_are_read_line_by_line() {
    let problem = refused_with("TYPE(GENERIC)", "TYPE(GENERAL)", "serialization.name_lists", "line 1");
    assert!(problem.line.is_some(), "{problem}");
}

const FREE: &str = "cost = { enq = \"0 us\", deq = \"0 us\" }";
const ONLY_UNDER: &str =
    "count = 1\npartition = \"SYSB\"\nprogram = [ { enq = \"VTOC\", do = [ { think = \"1 ms\" } ] } ]\n#";

/// A request that is not granted skips its steps: a guest that starts over would do so at the same instant, one that
/// arrives once is gone.
#[test]
fn time_under_a_name_that_costs_nothing_is_enough_for_a_guest_that_arrives_once() {
    let old = "count = 1\npartition = \"SYSB\"\n";
    let closed = with("cost = { enq = \"5 us\" }", FREE).replacen(old, ONLY_UNDER, 1);
    refused(&closed, "guest B: program", "for ever");
    let open = closed.replacen("count = 1\npartition = \"SYSB\"", "arrivals = \"20/s\"\npartition = \"SYSB\"", 1);
    assert_eq!(read(&open).plan().guests[1].program.len(), 1);
    let nothing = open.replacen("think = \"1 ms\"", "think = \"0 ms\"", 1);
    refused(&nothing, "guest B: program", "as it arrives");
}

#[test]
fn a_service_is_there_for_every_guest_that_enqueues() {
    let from = ENQ.find("[serialization]").expect("it is there");
    let to = ENQ.find("[cec]").expect("it is there");
    let without = format!("{}{}", &ENQ[..from], &ENQ[to..]);
    refused(&without, "enqueue MASTER", "no service");
}

#[test]
fn a_name_without_requests_is_a_warning() {
    let scenario = read(&with("[[guest]]", "[[enqueue]]\nname = \"IDLE\"\nqname = \"Q\"\nrname = \"IDLE\"\n[[guest]]"));
    assert!(units::listing(scenario.warnings()).contains("IDLE"), "{}", units::listing(scenario.warnings()));
}
