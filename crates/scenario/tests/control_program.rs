//! Do control programs, topologies and virtual machines make the plan that was written, and is what cannot be refused?
//!
//! It leaves out what they do, which conformance tests and theory test.

mod sample;

use machine::plan::{
    CacheLevel, Change, ControlProgramPlan, ControllerPlan, CostsPlan, ExcessUse, Footprint, LockMode, LockPlan,
    Method, Polarization, Processors, RunsInPlan, SharedBy, Srm, SrmPlan, Stealing, Step, Topology, Unparking,
    VirtualMachinePlan, VmShare, WeightPlan,
};
use sample::{ZVM, problems, read, read_set, refused, zvm_with};
use scenario::Role;
use units::{Percent, Problem, Span};

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&zvm_with(old, new), key, says)
}

fn span(text: &str) -> Span {
    text.parse().expect("a span")
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(ZVM);
    let partition = &scenario.plan().partitions[0];
    let program = partition.control_program.as_ref().expect("it has one");
    let srm = SrmPlan {
        polarization: Polarization::Horizontal,
        method: Method::Reshuffle,
        cpupad: 3.0,
        excess_use: ExcessUse::Medium,
        unparking: Unparking::Large,
        slice: Span::from_ms(5),
    };
    assert_eq!((program.srm, program.lock.mode), (srm, LockMode::Exclusive));
    assert_eq!(partition.processors, Processors::Weighted(WeightPlan::new(300)));
    assert!(scenario.plan().partitions[1].control_program.is_none());
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
}

#[test]
fn what_is_not_written_has_its_default() {
    let text = zvm_with(
        "control_program = { polarization = \"horizontal\", cpupad = \"300 %\", lock.mode = \"exclusive\" }",
        "control_program = {}",
    );
    let plan = ControlProgramPlan {
        srm: SrmPlan {
            polarization: Polarization::Vertical,
            method: Method::Reshuffle,
            cpupad: 1.0,
            excess_use: ExcessUse::Medium,
            unparking: Unparking::Large,
            slice: Span::from_ms(5),
        },
        horizontal: Stealing::Global,
        vertical: Stealing::Near,
        barriers: [1, 2, 4],
        slice_jitter: Percent::new(25.0),
        lock: LockPlan { mode: LockMode::Shared, hold: span("0.7 us"), per_waiter: span("0.4 us") },
        costs: CostsPlan {
            wake: span("1 us"),
            dispatch: span("1 us"),
            wait: span("1 us"),
            simulate: span("2.5 us"),
            look: span("0.3 us"),
            entry: span("3 us"),
            park: span("50 us"),
        },
        controller: ControllerPlan {
            every: Span::from_ms(2_000),
            history: 10,
            percentile: Percent::new(90.0),
            margin: 0.0,
            tv_threshold: 1.5,
        },
    };
    let scenario = read(&text);
    assert_eq!(scenario.plan().partitions[0].control_program, Some(plan));
    // A weighted partition lies on its logical processors as its control program has it.
    let weight = WeightPlan { polarization: Polarization::Vertical, ..WeightPlan::new(300) };
    assert_eq!(scenario.plan().partitions[0].processors, Processors::Weighted(weight));
}

#[test]
fn virtual_machines_are_planned_as_they_are_written() {
    let plan = read(ZVM).plan().clone();
    let light = VirtualMachinePlan {
        name: "LIGHT".into(),
        partition: 0,
        count: 8,
        virtual_processors: 3,
        share: VmShare::Relative(100),
        limit: None,
        footprint: Some(Footprint { kib: 2_048, touched_in: Span::from_ms(1) }),
    };
    let promised = VirtualMachinePlan {
        name: "PROMISED".into(),
        partition: 0,
        count: 2,
        virtual_processors: 1,
        share: VmShare::Absolute(Percent::new(10.0)),
        limit: Some(Percent::new(20.0)),
        footprint: None,
    };
    assert_eq!(plan.virtual_machines, [light, promised]);
    let runs_in: Vec<_> = plan.guests.iter().map(|guest| guest.runs_in).collect();
    let machines = |machines| Some(RunsInPlan::VirtualMachine { machines });
    assert_eq!(runs_in, [machines(0), machines(1), Some(RunsInPlan::Partition { partition: 1, priority: 0 })]);
    assert_eq!(plan.guests[0].program[1], Step::Pace(Percent::new(27.0)));
}

/// Each setting is a change of its own, in the order of time.
#[test]
fn set_srm_sets_one_thing_after_the_other() {
    let changes: Vec<_> = read(ZVM).plan().changes.iter().map(|plan| (plan.at, plan.change)).collect();
    let at = |seconds: u64, srm| (Span::from_ms(seconds * 1_000), Change::Srm { partition: 0, srm });
    let expected = [
        at(10, Srm::Method(Method::None)),
        at(10, Srm::ExcessUse(ExcessUse::High)),
        at(10, Srm::Unparking(Unparking::Small)),
        at(30, Srm::Polarization(Polarization::Vertical)),
        at(30, Srm::CpuPad(0.5)),
        at(30, Srm::Slice(Span::from_ms(10))),
    ];
    assert_eq!(changes, expected);
}

fn level(name: &str, shared_by: SharedBy, mib: u64, beyond: f64) -> CacheLevel {
    CacheLevel { name: name.into(), shared_by, kib: mib * 1_024, beyond }
}

#[test]
fn a_shipped_machine_has_its_published_caches() {
    let z10 = read(ZVM).plan().topology.clone();
    let levels = vec![level("L1.5", SharedBy::Core, 3, 1.3), level("L2", SharedBy::Book, 48, 3.5)];
    assert_eq!(z10, Some(Topology { name: "z10".into(), cores_per_chip: 4, chips_per_book: 5, levels }));
    let text = shipped();
    let zec12 = read_set(&text, &["cec.machine=zEC12"]).plan().topology.clone().expect("it is shipped");
    let levels = [
        level("L2", SharedBy::Core, 2, 1.3),
        level("L3", SharedBy::Chip, 48, 2.5),
        level("L4", SharedBy::Book, 384, 4.0),
    ];
    assert_eq!((zec12.cores_per_chip, zec12.chips_per_book, zec12.levels.as_slice()), (6, 6, &levels[..]));
}

/// The control program on a shipped machine as it is.
fn shipped() -> String {
    zvm_with("[[topology.cache]]\nname = \"L2\"\nbeyond = 3.5\n", "")
}

/// What was written out of one machine goes when another is set, and what was changed stays.
#[test]
fn another_machine_may_be_set_where_one_was_written_out() {
    let resolved = read(&shipped()).resolved_toml().to_string();
    let set = ["cec.machine=z196", "topology.cache.L4.beyond=5"];
    assert_eq!(read_set(&resolved, &set).plan(), read_set(&shipped(), &set).plan());
    let changed = resolved.replace("cores_per_chip = 4 ", "cores_per_chip = 5 ");
    let found = problems(&changed, &[]);
    assert!(found[0].what.contains("another `cores_per_chip` than that of z10"), "{}", units::listing(&found));
}

#[test]
fn every_number_of_a_topology_says_what_it_rests_on() {
    let scenario = read(ZVM);
    let row = |key: &str| scenario.explain().iter().find(|row| row.key == key).expect("it is listed").clone();
    assert_eq!(row("topology.cache.L2.size").value, "48 MiB");
    assert!(row("topology.cache.L2.size").why.contains("z10 EC Technical Guide"));
    assert_eq!(row("topology.cache.L2.beyond").role, Role::Assumed);
    assert_eq!(row("topology.cache.\"L1.5\".beyond").role, Role::Assumed, "nobody wrote it");
    assert_eq!(row("partition.ZVM.control_program.lock.hold").role, Role::Assumed);
}

#[test]
fn a_partition_has_a_control_program_or_an_operating_system() {
    for (key, value) in
        [("slih", "\"1 ms\""), ("enabled", "1"), ("reload", "\"1 ms\""), ("polarization", "\"vertical\"")]
    {
        let new = format!("weight = 300\n{key} = §{value}");
        let says = format!("`{key}` beside `control_program`");
        refused_with("weight = 300", &new, &format!("partition ZVM: {key}"), &says);
    }
}
