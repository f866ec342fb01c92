//! Do control programs, topologies and virtual machines make the plan that was written, and is what cannot be refused?

use crate::sample::{self, ZVM, problems, read, read_set, refused, zvm_with};
use machine::plan::{
    CacheLevel, Change, ControlProgramPlan, ControllerPlan, CostsPlan, DispatcherPlan, ExcessUse, Footprint, Handover,
    LockMode, LockPlan, Method, PauseLoopPlan, Polarization, Processors, RunsInPlan, SharedBy, SpinPlan, Srm, SrmPlan,
    Stealing, Step, Topology, Unparking, VirtualMachinePlan, VmShare, WeightPlan,
};
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
        ..Default::default()
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
            ..Default::default()
        },
        homes: machine::plan::Homes::InTurn,
        order: machine::plan::VectorOrder::Share,
        horizontal: Stealing::Global,
        vertical: Stealing::Near,
        barriers: [1, 2, 4],
        slice_jitter: Percent::new(25.0),
        lock: LockPlan {
            mode: LockMode::Shared,
            hold: span("0.7 us"),
            per_waiter: span("0.4 us"),
            ..LockPlan::default()
        },
        costs: CostsPlan {
            wake: span("1 us"),
            dispatch: span("1 us"),
            wait: span("1 us"),
            simulate: span("2.5 us"),
            look: span("0.3 us"),
            entry: span("3 us"),
            park: span("50 us"),
            fast_x44: span("1 us"),
            x44: span("2 us"),
            x9c: span("2 us"),
            sense: span("0.2 us"),
            kick: Span::ZERO,
            ..Default::default()
        },
        controller: ControllerPlan {
            every: Span::from_ms(2_000),
            history: 10,
            percentile: Percent::new(90.0),
            margin: 0.0,
            tv_threshold: 1.5,
            start: None,
            ..Default::default()
        },
        spin: SpinPlan::default(),
        soft_wait: Span::from_ms(300),
        pause_loop: PauseLoopPlan::default(),
        ..Default::default()
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
        spin: SpinPlan::default(),
        ..Default::default()
    };
    let promised = VirtualMachinePlan {
        name: "PROMISED".into(),
        partition: 0,
        count: 2,
        virtual_processors: 1,
        share: VmShare::Absolute(Percent::new(10.0)),
        limit: Some(Percent::new(20.0)),
        footprint: None,
        spin: SpinPlan::default(),
        ..Default::default()
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
    assert_eq!(
        z10,
        Some(Topology { name: "z10".into(), cores_per_chip: 4, chips_per_book: 5, cores_per_book: Some(16), levels })
    );
    let text = shipped();
    let zec12 = read_set(&text, &["cec.machine=zEC12"]).plan().topology.clone().expect("it is shipped");
    let levels = [
        level("L2", SharedBy::Core, 2, 1.3),
        level("L3", SharedBy::Chip, 48, 2.5),
        level("L4", SharedBy::Book, 384, 4.0),
    ];
    assert_eq!((zec12.cores_per_chip, zec12.chips_per_book, zec12.levels.as_slice()), (6, 6, &levels[..]));
    assert_eq!(zec12.cores_per_book, Some(25), "101 in four books");
}

/// The control program on a shipped machine as it is.
fn shipped() -> String {
    zvm_with("[[topology.cache]]\nname = \"L2\"\nbeyond = 3.5\n", "")
}

/// Resolved values of one machine go when another is set, and changed values stay.
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
    assert!(row("topology.cache.L2.size").why.contains("z10 Enterprise Class Technical Guide"));
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

#[test]
fn only_virtual_machines_are_in_a_partition_with_a_control_program() {
    let says = "a guest in partition `ZVM`, which has a control program";
    let problem = refused_with(
        "partition = \"MVS\"\ncount = 1",
        "partition = §\"ZVM\"\ncount = 1",
        "guest BATCH: partition",
        says,
    );
    assert_eq!(problem.allowed, ["virtual_machine = \"LIGHT\"", "virtual_machine = \"PROMISED\""]);
    let says = "a volume of partition `ZVM`, which has a control program";
    refused_with("device = \"100\"", "device = \"100\"\npartition = §\"ZVM\"", "volume DISK: partition", says);
    let says = "I/O to `DISK` by a guest in a virtual machine";
    let text = zvm_with("device = \"100\"", "device = \"100\"\npartition = \"MVS\"");
    let text = text.replace("io = { volume = \"DISK\" }", "io = { volume = §\"DISK\" }");
    refused(&text, "guest READERS: program[2].io.volume", says);
}

#[test]
fn virtual_machines_are_where_a_control_program_is() {
    let (old, new) = ("partition = \"ZVM\"\ncount = 2", "partition = §\"MVS\"\ncount = 2");
    let says = "a virtual machine in partition `MVS`, which has no control program";
    let problem = refused_with(old, new, "virtual_machine PROMISED: partition", says);
    assert_eq!(problem.allowed, ["ZVM", "control_program = {} in partition MVS"]);
    let new = "partition = §\"ZWM\"\ncount = 2";
    let problem = refused_with(old, new, "virtual_machine PROMISED: partition", "no partition is called `ZWM`");
    assert_eq!(problem.nearest.as_deref(), Some("ZVM"));
    let (old, new) = ("virtual_machine = \"LIGHT\"", "virtual_machine = §\"LIHGT\"");
    let problem = refused_with(old, new, "guest TASKS: virtual_machine", "no virtual machine is called `LIHGT`");
    assert_eq!(problem.nearest.as_deref(), Some("LIGHT"));
    let new = "virtual_machine = \"LIGHT\"\n§partition = \"MVS\"";
    refused_with(old, new, "guest TASKS: partition", "both `virtual_machine` and `partition`");
}

#[test]
fn a_share_is_relative_or_absolute_and_can_be_kept() {
    let (old, key) = ("absolute_share = \"10 %\"", "virtual_machine PROMISED: absolute_share");
    let text = zvm_with("limit = \"20 %\"", "limit = \"60 %\"");
    refused_with(old, "share = 10\n§absolute_share = \"10 %\"", key, "both `share` and `absolute_share`");
    let problem = refused(&text.replace(old, "absolute_share = §\"50.5 %\""), key, "of 101 % in all");
    assert_eq!(problem.allowed[0], "up to 50 %");
    refused_with(old, "absolute_share = §\"0.01 %\"", key, "so little");
    let key = "virtual_machine PROMISED: limit";
    let problem =
        refused_with("limit = \"20 %\"", "limit = §\"9 %\"", key, "a limit of 9 % below an absolute share of 10 %");
    assert_eq!(problem.allowed, ["10 % to 100 %", "no limit"]);
    for share in ["0", "10001"] {
        let new = format!("share = §{share}");
        refused_with(
            "footprint = \"2 MiB\"",
            &format!("{new}\nfootprint = \"2 MiB\""),
            "virtual_machine LIGHT: share",
            "out of range",
        );
    }
}

#[test]
fn a_footprint_is_touched_in_some_time() {
    let says = "`footprint` without `touched_in`";
    refused_with(
        "footprint = \"2 MiB\"\ntouched_in = \"1 ms\"",
        "§footprint = \"2 MiB\"",
        "virtual_machine LIGHT: footprint",
        says,
    );
    let says = "`touched_in` without `footprint`";
    refused_with(
        "footprint = \"2 MiB\"\ntouched_in = \"1 ms\"",
        "§touched_in = \"1 ms\"",
        "virtual_machine LIGHT: touched_in",
        says,
    );
}

#[test]
fn a_guest_that_paces_itself_is_charged() {
    for (pace, says) in [("0.05 %", "a pace of 0.05 %"), ("99.95 %", "more than 99.9 %")] {
        refused_with("pace = \"27 %\"", &format!("pace = §\"{pace}\""), "guest TASKS: program[2].pace", says);
    }
    let text = zvm_with(
        "partition = \"MVS\"\ncount = 1\nprogram = [ {",
        "partition = \"MVS\"\ncount = 1\nprogram = [ { pace = §\"5 %\" }, {",
    );
    refused(&text, "guest BATCH: program[1].pace", "a pace of a guest that runs in no virtual machine");
    refused_with(
        "program = [ { think = \"1 ms\" }, { pace",
        "program = §[ { pace",
        "guest TASKS: program",
        "takes no time at all",
    );
}

#[test]
fn an_intercepted_guest_has_a_control_program() {
    let text = zvm_with(
        "partition = \"MVS\"\ncount = 1\nprogram = [ {",
        "partition = \"MVS\"\ncount = 1\nprogram = [ { repeat = 2, steps = [ { intercept = §\"5 us\" } ] }, {",
    );
    let says = "an intercept of a guest that runs in no virtual machine";
    let problem = refused(&text, "guest BATCH: program[1].steps[1].intercept", says);
    assert_eq!(problem.allowed, ["virtual_machine = ... in the guest", "compute = ..."]);
    refused_with("pace = \"27 %\"", "intercept = §\"11 ms\"", "guest TASKS: program[2].intercept", "11 ms");
    let (old, new) = ("[ { think = \"1 ms\" }, { pace = \"27 %\" } ]", "§[ { intercept = \"0 us\" } ]");
    refused_with(old, new, "guest TASKS: program", "takes no time at all");
}

#[test]
fn there_are_100_000_virtual_processors_at_most() {
    let text = zvm_with("count = 8\n", "count = §40000\n")
        .replace("PROMISED", "OTHERS")
        .replace("count = 2\nabsolute_share = \"10 %\"\n", "count = 2\n");
    let problem = refused(&text, "virtual_machine LIGHT: count", "120002 virtual processors in all");
    assert_eq!(problem.allowed, ["up to 100,000 virtual processors in all"]);
    refused_with(
        "virtual_processors = 3",
        "virtual_processors = §65",
        "virtual_machine LIGHT: virtual_processors",
        "1 to 64",
    );
}

#[test]
fn levels_of_caches_go_from_the_inside_out() {
    let whole = |levels: &str| {
        let text = shipped().replace("machine = \"z10\"\n", "");
        text.replace(
            "[[partition]]\nname = \"ZVM\"",
            &format!("[topology]\ncores_per_chip = 4\nchips_per_book = 5\n{levels}\n[[partition]]\nname = \"ZVM\""),
        )
    };
    let level = |name: &str, shared_by: &str, beyond: &str| {
        format!("[[topology.cache]]\nname = \"{name}\"\nshared_by = {shared_by}\nsize = \"1 MiB\"\nbeyond = {beyond}\n")
    };
    let text = whole(&(level("L2", "\"chip\"", "1.5") + &level("L3", "§\"core\"", "2")));
    let problem = refused(&text, "cache_level L3: shared_by", "a cache of a core outside one of a chip");
    assert_eq!(problem.allowed, ["book", "another order"]);
    let text = whole(&(level("L2", "\"core\"", "3") + &level("L3", "\"chip\"", "§2")));
    refused(&text, "cache_level L3: beyond", "work 2 times slower beyond a cache where it is 3 inside it");
    let text = whole(&(level("L2", "\"core\"", "1.5") + &level("L2", "\"chip\"", "2").replace("name = ", "name = §")));
    refused(&text, "cache_level L2: name", "a second cache called `L2`");
    refused(&whole(&level("L2", "\"core\"", "§0.9")), "cache_level L2: beyond", "out of range");
    let text = shipped()
        .replace("machine = \"z10\"\n", "")
        .replace("[[partition]]\nname = \"ZVM\"", "§[topology]\ncores_per_chip = 4\n[[partition]]\nname = \"ZVM\"");
    refused(&text, "topology.chips_per_book", "`chips_per_book` is missing");
}

#[test]
fn a_shipped_machine_is_what_it_is() {
    let says = "`z8` is not one of the allowed words";
    let text = shipped().replace("\"z10\"", "§\"z8\"");
    assert_eq!(refused(&text, "cec.machine", says).nearest.as_deref(), Some("z9"));
    let problem = refused_with(
        "name = \"L2\"\nbeyond",
        "name = \"L2\"\nsize = §\"1 MiB\"\nbeyond",
        "cache_level L2: size",
        "another `size`",
    );
    assert_eq!(problem.allowed[0], "\"48 MiB\"");
    let problem = refused_with(
        "name = \"L2\"\nbeyond",
        "name = §\"L3\"\nbeyond",
        "cache_level L3: name",
        "z10 has no cache called `L3`",
    );
    assert_eq!(problem.allowed, ["L1.5", "L2"]);
}

/// The same with a key of the topology beside its machine.
fn laid_out(key: &str) -> String {
    zvm_with("[[topology.cache]]\nname = \"L2\"\nbeyond = 3.5\n", &format!("[topology]\n{key}\n"))
}

/// Each number of a machine has its own source; a book has the processors of the machine's largest model.
#[test]
fn a_shipped_machine_gives_the_source_of_each_number() {
    let scenario = read_set(&shipped(), &["cec.machine=z13"]);
    let row = |key: &str| scenario.explain().iter().find(|row| row.key == key).expect("it is listed").clone();
    assert!(row("topology.cores_per_book").why.contains("141 processors"), "{}", row("topology.cores_per_book").why);
    assert!(row("topology.cache.L3.nest").why.contains("How to Use RNI"));
    assert_eq!(
        (row("topology.cache.L3.nest").value.as_str(), row("topology.cache.L3.nest").role),
        ("1.6", Role::Default)
    );
    assert_eq!(row("topology.cache.L3.beyond").value, "2.5", "without a cost of nest intensity");
    let z10 = read(ZVM);
    let assumed = z10.explain().iter().find(|row| row.key == "topology.cores_per_book").expect("it is listed").role;
    assert_eq!(assumed, Role::Assumed, "four books are not in the source");
}

#[test]
fn beyond_is_worked_out_from_nest_weights_and_their_cost() {
    let plain = laid_out("nest_cost = 0.5");
    let z13 = read_set(&plain, &["cec.machine=z13"]);
    let beyond = |scenario: &scenario::Scenario| {
        let topology = scenario.plan().topology.clone().expect("it has one");
        topology.levels.iter().map(|level| level.beyond).collect::<Vec<_>>()
    };
    assert_eq!(beyond(&z13), [1.2, 1.8, 2.75]);
    let again = read(z13.resolved_toml());
    assert_eq!(again.plan(), z13.plan());
    let dearer = read_set(z13.resolved_toml(), &["topology.nest_cost=1"]);
    assert_eq!(beyond(&dearer), [1.4, 2.6, 4.5], "what was worked out is worked out again");
    let written = read_set(&plain, &["cec.machine=z13", "topology.cache.L4.beyond=5"]);
    assert_eq!(beyond(&written), [1.2, 1.8, 5.0]);
    let found = problems(&plain, &[]);
    assert!(
        found[0].what.contains("a cost of nest intensity for a cache without a weight"),
        "{}",
        units::listing(&found)
    );
}

#[test]
fn a_book_has_no_more_processors_than_cores() {
    let text = laid_out("cores_per_book = §21");
    let problem = refused(&text, "topology.cores_per_book", "21 processors in a book of 5 chips with 4 cores each");
    assert_eq!(problem.allowed, ["1 to 20"]);
    let fewer = text.replace("§21", "12");
    assert_eq!(read(&fewer).plan().topology.as_ref().and_then(|topology| topology.cores_per_book), Some(12));
}

#[test]
fn no_more_processors_start_than_there_are() {
    let new = "control_program = { controller.start = §9, polarization";
    let problem = refused_with(
        "control_program = { polarization",
        new,
        "partition ZVM: control_program.controller.start",
        "logical processors unparked at the start",
    );
    assert!(problem.allowed[0].starts_with("1 to "));
}

#[test]
fn set_srm_is_for_a_control_program_and_sets_something() {
    let (old, new) = ("srm = { partition = \"ZVM\", method", "srm = { partition = §\"MVS\", method");
    refused_with(old, new, "change[2].srm.partition", "SET SRM in partition `MVS`, which has no control program");
    let text = zvm_with(
        "srm = { partition = \"ZVM\", method = \"none\", excessuse = \"high\", unparking = \"small\" }",
        "srm = §{ partition = \"ZVM\" }",
    );
    refused(&text, "change[2].srm", "nothing is set");
    for (old, key) in
        [("cpupad = \"50 %\"", "change[1].srm.cpupad"), ("cpupad = \"300 %\"", "partition ZVM: control_program.cpupad")]
    {
        let problem = refused_with(old, "cpupad = §\"6401 %\"", key, "more than 6400 %");
        assert_eq!(problem.allowed, ["0 % to 6400 %"]);
    }
    let text = zvm_with("weight = 300", "weight = 300\ncapped = \"yes\"")
        .replace("polarization = \"vertical\"", "polarization = §\"vertical\"");
    refused(&text, "change[1].srm.polarization", "a capped partition with vertical polarization");
    let text = zvm_with("weight = 300", "weight = 300\ncapped = §\"yes\"")
        .replace("{ polarization = \"horizontal\",", "{")
        .replace("polarization = \"vertical\", ", "");
    refused(&text, "partition ZVM: capped", "a capped partition with vertical polarization");
}

#[test]
fn barriers_are_three_and_rise() {
    let (old, key) = ("lock.mode = \"exclusive\"", "partition ZVM: control_program.barriers");
    refused_with(old, "barriers = §[1, 2]", key, "2 numbers where 3 are needed");
    refused_with(old, "barriers = [§0, 2, 4]", key, "0 is out of range");
    refused_with(old, "barriers = §[1, 4, 2]", key, "a barrier of 2 where one nearer is 4");
    refused_with(old, "barriers = §3", key, "where a list of whole numbers is needed");
}

/// The constant of the lock is known of 8 to 32 processors.
#[test]
fn more_processors_than_were_measured_are_a_doubt() {
    let doubts = |logical: u32, lock: &str| {
        let text = ZVM.replace("processors = 12", "processors = 80");
        let text = text.replace("logical_processors = 8", &format!("logical_processors = {logical}"));
        units::listing(read(&text.replace("lock.mode = \"exclusive\"", lock)).warnings())
    };
    assert!(doubts(33, "lock.mode = \"shared\"").contains("33 processors under one scheduler lock"));
    assert_eq!(doubts(32, "lock.mode = \"shared\""), "");
    assert_eq!(doubts(64, "lock.per_waiter = \"0.1 us\""), "", "a number of the user's own");
    assert_eq!(doubts(64, "lock.hold = \"0 us\""), "", "there is no lock");
}

#[test]
fn the_lock_goes_to_the_first_or_to_the_first_dispatched() {
    let handover = |lock: &str| {
        let text = zvm_with("lock.mode = \"exclusive\"", lock);
        read(&text).plan().partitions[0].control_program.as_ref().expect("it has one").lock.handover
    };
    assert_eq!(handover("lock.mode = \"shared\""), Handover::DispatchedFirst);
    assert_eq!(handover("lock.handover = \"fifo\""), Handover::Fifo);
    let problem = refused_with(
        "lock.mode = \"exclusive\"",
        "lock.handover = §\"dispatched\"",
        "partition ZVM: control_program.lock.handover",
        "dispatched",
    );
    assert_eq!(problem.nearest.as_deref(), Some("dispatched-first"));
}

#[test]
fn an_unused_part_is_a_doubt() {
    let text = zvm_with("virtual_machine = \"PROMISED\"\n", "virtual_machine = \"LIGHT\"\n");
    assert!(read(&text).warnings()[0].what.contains("virtual_machine PROMISED is not used"));
    let text = shipped().replace("machine = \"z10\"\n", "");
    assert!(read(&text).warnings()[0].what.contains("a footprint where there are no caches"));
    let domains = sample::DOMAINS.replace("[cec]\n", "[cec]\nmachine = \"z10\"\n");
    let read = read(&domains);
    assert_eq!(read.warnings()[0].key, "cec.machine");
}

/// Where processors are the question there may be nothing to do I/O to.
#[test]
fn a_machine_with_partitions_needs_no_volumes() {
    let text = ZVM.replace("{ compute = \"1 ms\" }, { io = { volume = \"DISK\" } }", "{ compute = \"1 ms\" }");
    let text = text.replace("[[volume]]\nname = \"DISK\"\ndevice = \"100\"\nservice.connect = \"1 ms\"\n", "");
    assert!(read(&text).plan().volumes.is_empty());
    assert!(
        problems("name = \"x\"\n[[guest]]\nname = \"G\"\ncount = 1\nprogram = [ { think = \"1 s\" } ]\n", &[])[0]
            .what
            .contains("no volumes")
    );
}

#[test]
fn arrivals_that_virtual_machines_cannot_serve_are_a_doubt() {
    let doubt = |rate: &str| {
        let scenario = read(&zvm_with("arrivals = \"10/s\"", &format!("arrivals = \"{rate}\"")));
        scenario.warnings().iter().find(|doubt| doubt.key == "virtual_machine PROMISED").cloned()
    };
    assert_eq!(doubt("1900/s"), None, "two virtual processors take two thousand of 1 ms");
    let found = doubt("2100/s").expect("that is more");
    assert!(found.what.contains("105 % of what it can do: 2.10 of 2 processors"), "{found}");
}

/// Without shared processors no dispatcher has to be stated.
#[test]
fn dedicated_processors_need_no_dispatcher() {
    let text = zvm_with("dispatcher = \"prsm\"\n", "").replace("weight = 300", "mode = \"UP\"");
    let scenario = read(&text);
    assert!(matches!(scenario.plan().cec.as_ref().expect("it has one").dispatcher, DispatcherPlan::Prsm(_)));
    let row = scenario.explain().iter().find(|row| row.key == "cec.dispatcher").expect("it is listed").clone();
    assert_eq!((row.value.as_str(), row.role), ("prsm", Role::Default));
    assert_eq!(read(scenario.resolved_toml()).resolved_toml(), scenario.resolved_toml());
    let sliced = text.replace("processors = 12", "processors = 12\nslice = \"5 ms\"");
    assert!(matches!(read(&sliced).plan().cec.as_ref().expect("it has one").dispatcher, DispatcherPlan::Slices(_)));
}

#[test]
fn a_handover_on_dedicated_processors_is_a_doubt() {
    let doubts = |share: &str, lock: &str| {
        let text = ZVM.replace("lock.mode = \"exclusive\"", lock);
        units::listing(read(&text.replace("weight = 300", share)).warnings())
    };
    let handover = "lock.handover = \"dispatched-first\"";
    assert!(doubts("mode = \"UP\"", handover).contains("on dedicated processors changes nothing"));
    assert_eq!(doubts("mode = \"UP\"", "lock.handover = \"fifo\""), "");
    assert_eq!(doubts("weight = 300", handover), "");
}
