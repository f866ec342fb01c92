//! Spin locks, operating systems that spin, networks and exchanges: planned as they are written, and refused where they clash.

use crate::sample::{self, SPIN, problems, read, read_set, refused, spin_refused, spin_with};
use kernel::distribution::Distribution;
use machine::plan::{LockOrder, LoopTarget, PauseLoopPlan, SpinLockPlan, SpinPlan, Step, Yields};
use scenario::Role;
use units::Span;

fn compute(us: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_us(us)))
}

fn spins(text: &str, set: &[&str]) -> Vec<SpinPlan> {
    read_set(text, set).plan().virtual_machines.iter().map(|kind| kind.spin).collect()
}

#[test]
fn locks_and_costs_are_planned_as_they_are_written() {
    let scenario = read(SPIN);
    let lock = |name: &str, machines, count, order| SpinLockPlan {
        name: name.into(),
        machines,
        count,
        order,
        ..Default::default()
    };
    let expected = [
        lock("DCACHE", 0, 1, LockOrder::Unordered),
        lock("INODE", 0, 4, LockOrder::Ticket),
        lock("SOCKET", 1, 1, LockOrder::Queued),
    ];
    assert_eq!(scenario.plan().spin_locks, expected);
    let program = scenario.plan().partitions[0].control_program.clone().expect("it has one");
    let costs = program.costs;
    let us = |ns: u64| Span::from_seconds(ns as f64 * 1e-9);
    assert_eq!([costs.fast_x44, costs.x44, costs.x9c, costs.sense], [us(1_000), us(2_000), us(3_000), us(500)]);
    assert_eq!((program.soft_wait, program.spin), (Span::from_ms(100), SpinPlan::default()));
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
}

#[test]
fn a_control_program_spins_for_its_own_lock_as_stated() {
    let set = ["partition.ZVM.control_program.lock.yields=x9c", "partition.ZVM.control_program.lock.spin_retry=7"];
    let spin = read_set(SPIN, &set).plan().partitions[0].control_program.as_ref().expect("it has one").spin;
    assert_eq!(spin, SpinPlan { retry: 7, yields: Yields::X9C, ..SpinPlan::default() });
}

/// 1,000 bytes take 10 us of a second in which 100,000,000 go, and 500,000 take 5 ms.
#[test]
fn exchanges_take_latency_and_bytes_over_rate_each_way() {
    let plan = read(SPIN).plan().clone();
    let lan = Step::Exchange { guest: 1, request: Span::from_us(110), reply: Span::from_us(5_100) };
    assert_eq!(plan.guests[0].program[0], lan);
    let near = Step::Exchange { guest: 2, request: Span::from_us(5), reply: Span::from_us(5) };
    assert_eq!(plan.guests[1].program[2], near);
    let inner = Step::Lock { lock: 1, steps: vec![compute(3)] };
    assert_eq!(plan.guests[0].program[1], Step::Lock { lock: 0, steps: vec![compute(5), inner] });
    let without = read(&spin_with(", network = \"NEAR\"", ""));
    let nothing = Step::Exchange { guest: 2, request: Span::ZERO, reply: Span::ZERO };
    assert_eq!(without.plan().guests[1].program[2], nothing);
}

#[test]
fn an_operating_system_says_how_it_spins() {
    let one_try = Span::from_units(41);
    let sles10 = SpinPlan { retry: 1_000, one_try, yields: Yields::X9C };
    let usual = SpinPlan { yields: Yields::X44, ..SpinPlan::default() };
    assert_eq!(spins(SPIN, &[]), [sles10, usual]);
    for (name, retry, yields) in [
        ("SLES 9 SP2", 0, Yields::X44),
        ("SLES 9", 1_000, Yields::X44),
        ("SLES 10", 1_000, Yields::X9C),
        ("z/OS 1.7", 1_000, Yields::SenseRunning),
        ("Linux 3.12", 32_768, Yields::Halt),
    ] {
        let turns = "spin_lock.DCACHE.order=ticket";
        let found = spins(SPIN, &[&format!("virtual_machine.CLIENT.guest_type={name}"), turns]);
        assert_eq!(found[0], SpinPlan { retry, one_try, yields }, "{name}");
    }
    let set = ["virtual_machine.CLIENT.guest_type=z/OS 1.7", "cec.machine=z990"];
    assert_eq!(spins(SPIN, &set)[0].yields, Yields::X9C, "a z990 has no DIAGNOSE to read the running state");
    let own = ["virtual_machine.CLIENT.yields=never", "virtual_machine.*.spin_retry=3"];
    assert_eq!(spins(SPIN, &own)[0], SpinPlan { retry: 3, one_try, yields: Yields::Never }, "each can be said apart");
}

#[test]
fn explain_says_what_an_operating_system_gives_and_why() {
    let scenario = read(SPIN);
    let row = |key: &str| scenario.explain().iter().find(|row| row.key == key).expect("it is listed").clone();
    let retry = row("virtual_machine.CLIENT.spin_retry");
    assert_eq!((retry.value.as_str(), retry.role), ("1000", Role::Default));
    assert!(retry.why.starts_with("SLES 10: as published (z/VM 5.3 Performance Report"), "{}", retry.why);
    assert_eq!(row("virtual_machine.CLIENT.yields").value, "x9c");
    assert_eq!(row("virtual_machine.SERVER.spin_try").role, Role::Assumed);
    assert_eq!(row("partition.ZVM.control_program.costs.x44").role, Role::Assumed);
}

/// A guest without a spin lock has no number of how it spins.
#[test]
fn machines_without_spin_locks_do_not_say_how_they_spin() {
    let scenario = read(sample::ZVM);
    let said = |row: &&scenario::Explained| row.key.starts_with("virtual_machine.") && row.key.contains("spin");
    assert_eq!(scenario.explain().iter().find(said), None);
    assert!(scenario.plan().virtual_machines.iter().all(|kind| kind.spin == SpinPlan::default()));
}

/// Resolved values of one operating system go when another is set, and changed values stay.
#[test]
fn another_operating_system_may_be_set_where_one_was_written_out() {
    let resolved = read(SPIN).resolved_toml().to_string();
    for set in ["virtual_machine.CLIENT.guest_type=SLES 9 SP2", "virtual_machine.CLIENT.guest_type=z/OS 1.7"] {
        assert_eq!(spins(&resolved, &[set]), spins(SPIN, &[set]), "{set}");
    }
    let on_z990 = ["virtual_machine.CLIENT.guest_type=z/OS 1.7", "cec.machine=z990"];
    let resolved_there = read_set(SPIN, &on_z990).resolved_toml().to_string();
    assert_eq!(spins(&resolved_there, &["cec.machine=z9"])[0].yields, Yields::SenseRunning);
    let (before, after) = resolved.split_once("name = \"CLIENT\"").expect("there are clients");
    let changed = format!("{before}name = \"CLIENT\"{}", after.replacen("spin_retry = 1000 ", "spin_retry = 50 ", 1));
    let sles9 = spins(&changed, &["virtual_machine.CLIENT.guest_type=SLES 9 SP2"])[0];
    assert_eq!((sles9.retry, sles9.yields), (50, Yields::X44));
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    for (old, new, key, says, nearest) in [
        (
            "lock = \"DCACHE\"",
            "lock = §\"DCAHCE\"",
            "guest CONNECTIONS: program[2].lock",
            "no spin lock is called",
            "DCACHE",
        ),
        (
            "network = \"LAN\"",
            "network = §\"LAM\"",
            "guest CONNECTIONS: program[1].network",
            "no network is called",
            "LAN",
        ),
        (
            "exchange = \"LOGS\"",
            "exchange = §\"LOG\"",
            "guest REQUESTS: program[3].exchange",
            "no guest is called",
            "LOGS",
        ),
        (
            "guest_type = \"SLES 10\"",
            "guest_type = §\"SLES10\"",
            "virtual_machine CLIENT: guest_type",
            "not one of the allowed words",
            "SLES 10",
        ),
        (
            "yields = \"x44\"",
            "yields = §\"x9d\"",
            "virtual_machine SERVER: yields",
            "not one of the allowed words",
            "x9c",
        ),
        (
            "order = \"ticket\"",
            "order = §\"tickets\"",
            "spin_lock INODE: order",
            "not one of the allowed words",
            "ticket",
        ),
        (
            "virtual_machine = \"CLIENT\"\ncount = 4",
            "virtual_machine = §\"CLIENTS\"\ncount = 4",
            "spin_lock INODE: virtual_machine",
            "no virtual machine is called",
            "CLIENT",
        ),
    ] {
        assert_eq!(spin_refused(old, new, key, says).nearest.as_deref(), Some(nearest), "{new}");
    }
}

#[test]
fn numbers_stay_within_their_bounds() {
    for (old, new, key, says) in [
        ("spin_try = \"10 ns\"", "spin_try = §\"0 ns\"", "virtual_machine CLIENT: spin_try", "too short"),
        ("yields = \"x44\"", "spin_retry = §1000001", "virtual_machine SERVER: spin_retry", "0 to 1000000"),
        ("rate = \"100 MB\"", "rate = §\"0 MB\"", "network LAN: rate", "1 kB to 1048576 MiB"),
        ("rate = \"100 MB\"", "rate = §\"100/s\"", "network LAN: rate", "B, KiB, MiB, kB, MB"),
        ("latency = \"5 us\"", "latency = §\"11 s\"", "network NEAR: latency", "up to 10 s"),
        ("reply = \"0.5 MB\"", "reply = §\"1025 MiB\"", "guest CONNECTIONS: program[1].reply", "0 B to 1024 MiB"),
        ("soft_wait = \"0.1 s\"", "soft_wait = §\"2 min\"", "partition ZVM: control_program.soft_wait", "up to 1 min"),
        ("count = 4", "count = §0", "spin_lock INODE: count", "1 to 100000"),
        ("count = 4", "count = §60000", "spin_lock INODE: count", "too many spin locks"),
    ] {
        spin_refused(old, new, key, says);
    }
}

#[test]
fn a_halted_guest_needs_a_lock_with_turns() {
    let says = "a lock without turns in virtual machines `CLIENT`, which halt";
    let halting = SPIN.replace("guest_type = \"SLES 10\"", "yields = \"halt\"");
    let halting =
        halting.replace("virtual_machine = \"CLIENT\"\n\n", "virtual_machine = \"CLIENT\"\norder = §\"unordered\"\n\n");
    let problem = refused(&halting, "spin_lock DCACHE: order", says);
    assert_eq!(problem.allowed, ["order = \"ticket\"", "order = \"queued\"", "other `yields`"]);
}

/// The price of a kick is written only where a virtual machine halts.
#[test]
fn a_kick_has_a_price_where_a_machine_halts() {
    let cost = |text: &str, set: &[&str]| {
        let scenario = read_set(text, set);
        let row = scenario.explain().iter().find(|row| row.key.ends_with("costs.kick")).cloned();
        let plan = scenario.plan().partitions[0].control_program.as_ref().expect("it has one").costs.kick;
        (row.map(|row| (row.value, row.role)), plan, scenario.resolved_toml().to_string())
    };
    assert_eq!(cost(SPIN, &[]).0, None);
    let halts = ["virtual_machine.CLIENT.guest_type=Linux 3.12", "spin_lock.DCACHE.order=ticket"];
    let (row, kick, resolved) = cost(SPIN, &halts);
    assert_eq!((row, kick), (Some(("2 us".into(), Role::Assumed)), Span::from_us(2)));
    assert_eq!(cost(&resolved, &["virtual_machine.CLIENT.guest_type=SLES 10"]).0, None, "it goes when none halts");
    let own = [halts[0], halts[1], "partition.ZVM.control_program.costs.kick=5 us"];
    assert_eq!(cost(SPIN, &own).1, Span::from_us(5));
}

/// The sample with clients that leave their loops to the processor, under a control program with this addition.
fn looping(program: &str) -> String {
    let text = SPIN.replace("guest_type = \"SLES 10\"", "yields = §\"pause-loop\"").replace("10 ns", "20 ns");
    text.replace("soft_wait = \"0.1 s\"", &format!("soft_wait = \"0.1 s\"{program}"))
}

#[test]
fn loops_are_intercepted_as_the_control_program_says() {
    let of = |program: &str| {
        let scenario = read(&looping(program).replace('§', ""));
        assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
        let plan = scenario.plan().clone();
        assert_eq!(plan.virtual_machines[0].spin.yields, Yields::PauseLoop);
        plan.partitions[0].control_program.clone().expect("it has one").pause_loop
    };
    let ns = |ns: f64| Span::from_seconds(ns * 1e-9);
    let usual = of(", pause_loop = {}");
    let (us, most) = (Span::from_us, Span::from_ms(1_430));
    let target = LoopTarget::Preempted;
    assert_eq!(
        usual,
        PauseLoopPlan { gap: ns(43.0), window: ns(1365.0), grow: 2, shrink: 0, most, exit: us(1), target }
    );
    let own = of(
        ", pause_loop = { window = \"10 us\", gap = \"1 us\", grow = 3, shrink = 2, most = \"1 ms\", exit = \"2 us\", \
                   target = \"next\" }",
    );
    let (gap, window, most, exit, target) = (us(1), us(10), us(1_000), us(2), LoopTarget::Next);
    assert_eq!(own, PauseLoopPlan { gap, window, grow: 3, shrink: 2, most, exit, target });
}

#[test]
fn loops_that_are_not_intercepted_or_have_no_window_are_refused() {
    let key = "virtual_machine CLIENT: yields";
    let problem = refused(&looping(""), key, "loops that the control program of `ZVM` does not intercept");
    assert_eq!(problem.allowed[0], "pause_loop = { } in its control_program");
    let text =
        looping(", pause_loop = { most = \"1 us\", window = §\"2 us\" }").replace("§\"pause-loop\"", "\"pause-loop\"");
    let key = "partition ZVM: control_program.pause_loop.window";
    refused(&text, key, "a first window that is longer than the longest one");
}

#[test]
fn a_loop_that_is_too_slow_is_warned_of() {
    let scenario = read(&looping(", pause_loop = { gap = \"10 ns\" }").replace('§', ""));
    let listed = units::listing(scenario.warnings());
    assert!(listed.contains("a loop that is too slow to be intercepted"), "{listed}");
}

#[test]
fn a_control_program_does_not_halt_for_its_own_lock() {
    let text = spin_with("control_program = { costs", "control_program = { lock = { yields = §\"halt\" }, costs");
    refused(&text, "partition ZVM: control_program.lock.yields", "not one of the allowed words");
}

#[test]
fn a_guest_that_takes_a_lock_runs_in_a_machine_that_has_it() {
    let key = "guest CONNECTIONS: program[2].steps[2].lock";
    let problem = spin_refused("lock = \"INODE\"", "lock = §\"SOCKET\"", key, "`SOCKET` is a lock of `SERVER`");
    assert_eq!(problem.allowed, ["DCACHE", "INODE"]);
    let outside = "[[guest]]\nname = \"JOB\"\ncount = 1\nprogram = [ { lock = §\"SOCKET\", steps = [ { compute = \"1 ms\" } ] } ]\n";
    let problem = refused(&format!("{SPIN}{outside}"), "guest JOB: program[1].lock", "runs in no virtual machine");
    assert_eq!(problem.allowed[0], "virtual_machine = \"SERVER\" in the guest");
}

/// An instruction of its is simulated in the place of its own, so it keeps its virtual processor.
#[test]
fn a_lock_holder_may_be_intercepted() {
    let text = spin_with("steps = [ { compute = \"4 us\" } ]", "steps = [ { intercept = \"2.5 us\" } ]");
    let expected = Step::Lock { lock: 2, steps: vec![Step::Intercept(Span::from_units(10_240))] };
    assert_eq!(read(&text).plan().guests[1].program[1], expected);
}

#[test]
fn a_lock_holder_keeps_its_processor() {
    for (step, key) in [
        ("{ think = §\"1 us\" }", "think"),
        ("{ pace = §\"5 %\" }", "pace"),
        ("{ spawn = §\"LOGS\" }", "spawn"),
        ("{ exchange = §\"LOGS\" }", "exchange"),
        ("{ hold = §\"SLOT\", steps = [ { compute = \"1 us\" } ] }", "hold"),
    ] {
        let says = format!("a step with `{key}` inside a lock");
        let inside = format!("steps = [ {step}, {{ compute = \"4 us\" }} ]");
        let key = format!("guest REQUESTS: program[2].steps[1].{key}");
        spin_refused("steps = [ { compute = \"4 us\" } ]", &inside, &key, &says);
    }
    let chosen =
        "steps = [ { choose = [ { weight = 1, steps = [ { repeat = 2, steps = [ { think = §\"1 us\" } ] } ] } ] } ]";
    let key = "guest REQUESTS: program[2].steps[1].choose[1].steps[1].steps[1].think";
    spin_refused("steps = [ { compute = \"4 us\" } ]", chosen, key, "a step with `think` inside a lock");
    let text = spin_with(
        "latency = \"5 us\"",
        "latency = \"5 us\"\n\n[[volume]]\nname = \"D\"\ndevice = \"100\"\nservice.connect = \"1 ms\"",
    );
    let text = text.replace("steps = [ { compute = \"4 us\" } ]", "steps = [ { io = §{ volume = \"D\" } } ]");
    refused(&text, "guest REQUESTS: program[2].steps[1].io", "a step with `io` inside a lock");
}

#[test]
fn locks_nest_two_deep_and_in_one_order() {
    let (inner, key) =
        ("{ lock = \"INODE\", steps = [ { compute = \"3 us\" } ] }", "guest CONNECTIONS: program[2].steps[2]");
    let twice = "{ lock = §\"DCACHE\", steps = [ { compute = \"3 us\" } ] }";
    spin_refused(inner, twice, &format!("{key}.lock"), "a lock of `DCACHE` inside a lock of `DCACHE`");
    let text = spin_with(
        "order = \"queued\"",
        "order = \"queued\"\n\n[[spin_lock]]\nname = \"THIRD\"\nvirtual_machine = \"CLIENT\"",
    );
    let deep = "{ lock = \"INODE\", steps = [ { lock = §\"THIRD\", steps = [ { compute = \"3 us\" } ] } ] }";
    let text = text.replace(inner, deep);
    refused(&text, &format!("{key}.steps[1].lock"), "a lock inside two others");
    let back = "{ compute = { exponential = \"200 us\" } },\n  { lock = \"INODE\", steps = [ { lock = §\"DCACHE\", steps = [ { compute = \"1 us\" } ] } ] },";
    let says = "a lock of `DCACHE` inside one of `INODE`, and elsewhere the other way round";
    spin_refused(
        "{ compute = { exponential = \"200 us\" } },",
        back,
        "guest CONNECTIONS: program[4].steps[1].lock",
        says,
    );
}

#[test]
fn both_ends_of_an_exchange_run_in_virtual_machines() {
    let logs = "name = \"LOGS\"\nvirtual_machine = \"SERVER\"\n";
    let text = spin_with(logs, "name = \"LOGS\"\n").replace("exchange = \"LOGS\"", "exchange = §\"LOGS\"");
    let key = "guest REQUESTS: program[3].exchange";
    let problem = refused(&text, key, "an exchange with `LOGS`, which runs in no virtual machine");
    assert_eq!(problem.allowed[0], "virtual_machine = ... in guest LOGS");
    let outside = "[[guest]]\nname = \"JOB\"\ncount = 1\nprogram = [ { exchange = §\"LOGS\" } ]\n";
    let says = "an exchange of a guest that runs in no virtual machine";
    refused(&format!("{SPIN}{outside}"), "guest JOB: program[1].exchange", says);
}

#[test]
fn a_callee_arrives_spawned_and_does_not_call_its_callers() {
    let says = "an exchange with guest CONNECTIONS";
    let key = "guest REQUESTS: program[3].exchange";
    let problem = spin_refused("exchange = \"LOGS\"", "exchange = §\"CONNECTIONS\"", key, says);
    assert_eq!(problem.allowed, ["REQUESTS", "LOGS", "arrives = \"spawned\" in guest CONNECTIONS"]);
    let says = "called by each other: `REQUESTS`, `LOGS`, `REQUESTS`";
    let answer = "program = [ { compute = \"20 us\" }, { exchange = §\"REQUESTS\" } ]";
    spin_refused("program = [ { compute = \"20 us\" } ]", answer, "guest LOGS: program[2].exchange", says);
}

/// All units may be held by callers; then no requester can answer them.
#[test]
fn no_call_goes_to_a_group_that_waits_for_a_resource_of_the_caller() {
    let (old, key) = (
        "{ exchange = \"REQUESTS\", network = \"LAN\", request = \"1 kB\", reply = \"0.5 MB\" }",
        "guest REQUESTS: program[1].hold",
    );
    let held = "{ hold = \"SLOT\", steps = [ { exchange = \"REQUESTS\" } ] }";
    let text = spin_with(old, held)
        .replace("{ hold = \"SLOT\", steps = [ { compute", "{ hold = §\"SLOT\", steps = [ { compute");
    let found = problems(&text.replace('§', ""), &[]);
    assert_eq!(found[0].what, "an exchange with a guest that may wait for its caller", "{}", units::listing(&found));
    assert_eq!((found.len(), found[0].key.as_str()), (1, key));
    assert!(found[0].why.contains("`SLOT`, `REQUESTS`, `SLOT`"), "{}", found[0]);
    let without = spin_with(old, held).replace("{ hold = \"SLOT\", steps = [ { compute = \"0.1 ms\" } ] },", "");
    assert_eq!(read(&without).plan().guests.len(), 3, "a callee that needs nothing of its caller may be called");
}

#[test]
fn keys_of_an_exchange_stand_beside_it() {
    for key in ["network", "request", "reply"] {
        let value = if key == "network" { "\"LAN\"" } else { "\"1 B\"" };
        let step = format!("{{ §{key} = {value}, compute = \"20 us\" }}");
        let says = format!("`{key}` without `exchange`");
        spin_refused("{ compute = \"20 us\" }", &step, &format!("guest LOGS: program[1].{key}"), &says);
    }
    let says = "both `exchange` and `compute`";
    let both = "{ exchange = \"LOGS\", network = \"NEAR\", §compute = \"1 us\" }";
    spin_refused("{ exchange = \"LOGS\", network = \"NEAR\" }", both, "guest REQUESTS: program[3].compute", says);
}

#[test]
fn whatever_is_wrong_is_said_at_once() {
    let text = spin_with("lock = \"INODE\"", "lock = \"SOCKET\"")
        .replace("network = \"NEAR\"", "network = \"FAR\"")
        .replace("guest_type = \"SLES 10\"", "guest_type = \"VMS\"")
        .replace("steps = [ { compute = \"4 us\" } ]", "steps = [ { think = \"4 us\" } ]");
    let found = problems(&text, &[]);
    assert_eq!(found.len(), 4, "{}", units::listing(&found));
}

#[test]
fn an_unused_part_is_a_doubt() {
    let doubts = |text: &str| -> Vec<String> { read(text).warnings().iter().map(|doubt| doubt.what.clone()).collect() };
    let text = spin_with("{ lock = \"SOCKET\", steps = [ { compute = \"4 us\" } ] },", "");
    assert_eq!(doubts(&text), ["spin_lock SOCKET is not used: no program takes it"]);
    let text = spin_with(", network = \"NEAR\"", "");
    assert_eq!(doubts(&text), ["network NEAR is not used: no exchange goes over it"]);
    let text = spin_with("network = \"LAN\", ", "")
        .replace("exchange = \"LOGS\", network = \"NEAR\"", "exchange = \"LOGS\", network = \"LAN\"");
    assert_eq!(doubts(&text), ["network NEAR is not used: no exchange goes over it", "bytes that take no time"]);
    let text = sample::ZVM.replace("footprint = \"2 MiB\"", "guest_type = \"SLES 10\"\nfootprint = \"2 MiB\"");
    assert_eq!(doubts(&text), ["`guest_type` of virtual machines without spin locks"]);
    let text = spin_with("yields = \"x44\"", "yields = \"sense-running\"").replace("\"z9\"", "\"z990\"");
    assert_eq!(doubts(&text), ["sensing on a machine without SIGP Sense Running Status"]);
}

/// Answers are computed in the answering machines: 30,000 requests of .1 ms take more than two virtual processors each.
#[test]
fn what_arrivals_have_others_do_is_offered_to_those() {
    let doubt = |rate: &str| {
        let text = spin_with(
            "name = \"CONNECTIONS\"\nvirtual_machine = \"CLIENT\"\ncount = 12",
            &format!("name = \"CONNECTIONS\"\nvirtual_machine = \"CLIENT\"\narrivals = \"{rate}\""),
        );
        let scenario = read(&text);
        scenario.warnings().iter().map(|doubt| (doubt.key.clone(), doubt.what.clone())).collect::<Vec<_>>()
    };
    assert_eq!(doubt("1000/s"), []);
    let found = doubt("33000/s");
    let servers = found.iter().find(|(key, _)| key == "virtual_machine SERVER").expect("they compute 124 us for each");
    assert!(servers.1.contains("102 % of what it can do: 4.09 of 4 processors"), "{}", servers.1);
}
