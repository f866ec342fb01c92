//! Do resources, front ends and spawned guests agree, and is the resulting plan the one that was written?

use crate::sample::{QUEUES, problems, queues_with, read, read_set, refused};
use kernel::distribution::Distribution;
use machine::plan::{
    Access, Arrival, Choice, FrontEndPlan, IoPlan, Record, ResourcePlan, SampleTaken, SamplerPlan, Step, Target, Way,
};
use units::{Percent, Problem, Span};

#[track_caller]
fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&queues_with(old, new), key, says)
}

fn warnings(text: &str) -> Vec<String> {
    read(text).warnings().iter().map(|warning| warning.what.clone()).collect()
}

fn compute(ms: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_ms(ms)))
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(QUEUES);
    let plan = scenario.plan();
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
    let resource =
        |name: &str, count, members| ResourcePlan { name: name.into(), count, members, ..Default::default() };
    assert_eq!(plan.resources, [resource("PROGRAM", 1, 100), resource("REGION", 60, 1)]);
    assert_eq!(
        plan.front_ends,
        [FrontEndPlan { name: "4705".into(), volume: 0, messages: 1.5, first_messages: None, ..Default::default() }]
    );
    let [ims, tso] = plan.partitions.as_slice() else { panic!("two partitions") };
    assert_eq!((ims.ssch, ims.reload), (Some(Distribution::Constant(Span::from_us(50))), Span::from_us(300)));
    assert_eq!((tso.ssch, tso.reload), (None, Span::ZERO));
    let takes = Distribution::Constant(Span::from_us(100));
    let taken = SampleTaken::ByTask { priority: 200, takes };
    let (half, tenth) = (Span::from_ms(500), Span::from_ms(100));
    assert_eq!(ims.sampler, Some(SamplerPlan { cycle: half, jitter: tenth, taken }));
    let taken = SampleTaken::AtTheTimer;
    assert_eq!(tso.sampler, Some(SamplerPlan { cycle: Span::SECOND, jitter: Span::ZERO, taken }));
    let arrivals: Vec<bool> = plan.guests.iter().map(|guest| guest.arrival == Arrival::Spawned).collect();
    assert_eq!(arrivals, [false, true, false]);
}

#[test]
fn steps_are_planned_as_they_were_written() {
    let io = IoPlan { choice: Choice::Fixed(Target::Volume(1)), bytes: 4_096, reads: Percent::new(100.0) };
    let chosen = vec![(3.0, vec![Step::Spawn { guest: 1 }]), (1.0, vec![compute(1), Step::Spawn { guest: 1 }])];
    let inside = vec![Step::RepeatMean { mean: 2.5, steps: vec![compute(1), Step::Io(io)] }, Step::Choose(chosen)];
    let expected = [
        Step::Think(Distribution::Exponential { mean: Span::SECOND * 16 }),
        Step::Message { front_end: 0, way: Way::In },
        Step::Hold { resource: 0, steps: vec![Step::Hold { resource: 1, steps: inside }] },
        Step::Message { front_end: 0, way: Way::Out },
    ];
    assert_eq!(read(QUEUES).plan().guests[0].program, expected);
}

#[test]
fn counts_have_their_bounds() {
    refused_with("count = 60", "count = §0", "resource REGION: count", "1 to 1000000");
    refused_with("count = 60", "count = §1000001", "resource REGION: count", "1 to 1000000");
    refused_with("members = 100", "members = §0", "resource PROGRAM: members", "1 to 100000");
    refused_with("messages = 1.5", "messages = §0.9", "front_end 4705: messages", "1 to 1000");
    refused_with("messages = 1.5", "messages = §1001", "front_end 4705: messages", "1 to 1000");
    let key = "guest TERMINALS: program[3].steps[1].steps[1].repeat_mean";
    refused_with("repeat_mean = 2.5", "repeat_mean = §0", key, "0.001 to 1000000");
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose[1].weight";
    refused_with("weight = 3", "weight = §0", key, "out of range");
    refused_with("weight = 3", "weight = §\"3\"", key, "without quotes");
}

#[test]
fn what_is_required_is_missed() {
    let text = queues_with("[[resource]]\nname = \"REGION\"\ncount = 60", "§[[resource]]\nname = \"REGION\"");
    refused(&text, "resource REGION: count", "`count` is missing");
    let text = queues_with("[[front_end]]", "§[[front_end]]").replace("messages = 1.5\n", "");
    refused(&text, "front_end 4705: messages", "`messages` is missing");
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose[1]";
    refused_with("{ weight = 3, steps", "§{ steps", &format!("{key}.weight"), "`weight` is missing");
    refused_with(
        "{ weight = 3, steps = [ { spawn = \"LOG\" } ] }",
        "§{ weight = 3 }",
        &format!("{key}.steps"),
        "missing",
    );
    let text = queues_with("{ hold = \"REGION\", steps = [", "{ repeat = 2, steps = [ §{ hold = \"REGION\" },");
    refused(&text, "guest TERMINALS: program[3].steps[1].steps[1].steps", "`steps` is missing");
}

#[test]
fn nothing_is_chosen_from_nothing() {
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose";
    let one = "[ { spawn = \"LOG\" } ]";
    let problem = refused_with(one, "§[]", &format!("{key}[1].steps"), "no steps");
    assert!(problem.why.contains("think"), "{problem}");
    let text =
        queues_with("[[resource]]", "[[guest]]\nname = \"X\"\ncount = 1\nprogram = [ { choose = §[] } ]\n[[resource]]");
    refused(&text, "guest X: program[1].choose", "no alternatives");
    refused_with(
        "{ weight = 3, steps = [ { spawn = \"LOG\" } ] }",
        "§3",
        &format!("{key}[1]"),
        "where a list of alternatives",
    );
}

#[test]
fn names_that_do_not_exist_are_named_with_the_nearest() {
    let key = "guest TERMINALS: program[2].message_in";
    let problem = refused_with("message_in = \"4705\"", "message_in = §\"4750\"", key, "no front end is called `4750`");
    assert_eq!(problem.nearest.as_deref(), Some("4705"));
    let key = "guest TERMINALS: program[3].hold";
    let problem = refused_with("hold = \"PROGRAM\"", "hold = §\"PROGAM\"", key, "no resource is called `PROGAM`");
    assert_eq!((problem.nearest.as_deref(), problem.allowed.len()), (Some("PROGRAM"), 2));
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose[1].steps[1].spawn";
    let problem = refused_with("spawn = \"LOG\"", "spawn = §\"LOGG\"", key, "no guest is called `LOGG`");
    assert_eq!(problem.nearest.as_deref(), Some("LOG"));
    refused_with("volume = \"LINE\"", "volume = §\"LINES\"", "front_end 4705: volume", "no volume is called `LINES`");
    refused_with("hold = \"PROGRAM\"", "§hodl = \"PROGRAM\"", "guest TERMINALS: program[3].hodl", "did you mean hold?");
}

/// A volume that carries messages does nothing else.
#[test]
fn a_volume_is_that_of_one_front_end() {
    let second = "[[front_end]]\nname = \"3705\"\nvolume = §\"LINE\"\nmessages = 2\n\n[[guest]]";
    refused_with("[[guest]]", second, "front_end 3705: volume", "volume `LINE` is that of front_end 4705");
    let minidisk = "[[minidisk]]\nname = \"M\"\nvolume = §\"LINE\"\n\n[[resource]]";
    refused_with("[[resource]]", minidisk, "minidisk M: volume", "volume `LINE` is that of front_end 4705");
    let key = "guest LOG: program[1].io.volume";
    refused_with("volume = \"DB\", bytes", "volume = §\"LINE\", bytes", key, "message_in or message_out");
    let key = "guest LOG: program[1].io.weighted";
    refused_with("volume = \"DB\", bytes", "weighted = { DB = 3, §LINE = 1 }, bytes", key, "is that of front_end");
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose[2].steps[1].io.volume";
    refused_with("{ compute = \"1 ms\" }, { spawn", "{ io = { volume = §\"LINE\" } }, { spawn", key, "is that of");
    let recorded = queues_with(
        "partition = \"TSO\"\narrivals = \"5/s\"\nprogram = [ { compute = \"1 ms\" }, { io = { volume = \"CC1\" } } ]",
        "partition = \"IMS\"\nreplay = \"io.csv\"",
    );
    let record = Record { at: Span::ZERO, target: Target::Volume(0), bytes: 0, access: Access::Read };
    let found = read(&recorded).supply("USERS", vec![record]).expect_err("it carries messages");
    assert_eq!(found[0].what, "record 1 goes to volume LINE, which is that of front end 4705");
}

#[test]
fn messages_go_through_the_front_ends_of_a_partition() {
    let text = queues_with("program = [ { compute = \"1 ms\" }, { io", "program = [ { message_out = §\"4705\" }, { io");
    let problem =
        refused(&text, "guest USERS: program[1].message_out", "a message through `4705` by a guest in partition `TSO`");
    assert_eq!(problem.allowed, ["partition = \"TSO\" in volume LINE"]);
}

#[test]
fn a_group_that_arrives_in_one_way_does_not_arrive_in_another() {
    refused_with(
        "arrives = \"spawned\"",
        "arrives = \"spawned\"\n§count = 2",
        "guest LOG: count",
        "both `arrives` and `count`",
    );
    let problem = refused_with("\"spawned\"", "§\"spawend\"", "guest LOG: arrives", "not one of the allowed words");
    assert_eq!(problem.nearest.as_deref(), Some("spawned"));
}

#[test]
fn only_a_group_that_arrives_spawned_is_spawned() {
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose[1].steps[1].spawn";
    let problem = refused_with("spawn = \"LOG\"", "spawn = §\"USERS\"", key, "a spawn of guest USERS");
    assert_eq!(problem.allowed, ["LOG", "arrives = \"spawned\" in guest USERS"]);
}

#[test]
fn no_group_spawns_itself() {
    let log = "program = [ { io = { volume = \"DB\", bytes";
    let spawning = |name: &str| format!("program = [ {{ spawn = {name} }}, {{ io = {{ volume = \"DB\", bytes");
    let text = queues_with(log, &spawning("§\"LOG\""));
    refused(&text, "guest LOG: program[1].spawn", "`LOG`, `LOG`");
    let text = queues_with(log, &spawning("\"OTHER\""))
        + "[[guest]]\nname = \"OTHER\"\narrives = \"spawned\"\nprogram = [ { think = \"1 ms\" }, { repeat = 2, steps = [ { spawn = §\"LOG\" } ] } ]\n";
    let problem = refused(&text, "guest OTHER: program[2].steps[1].spawn", "`LOG` spawns itself");
    assert!(problem.why.contains("`LOG`, `OTHER`, `LOG`"), "{problem}");
}

#[test]
fn holds_nest_three_deep() {
    let more: String = (0..2).map(|n| format!("[[resource]]\nname = \"R{n}\"\ncount = 1\n")).collect();
    let nested = |inner: &str| {
        let old = "{ choose = [";
        queues_with(old, &format!("{{ hold = \"R0\", steps = [ {inner} ] }},\n    {old}")).replacen(
            "[[resource]]",
            &format!("{more}[[resource]]"),
            1,
        )
    };
    read(&nested("{ compute = \"1 ms\" }"));
    let text = nested("{ repeat = 2, steps = [ { hold = §\"R1\", steps = [ { compute = \"1 ms\" } ] } ] }");
    let key = "guest TERMINALS: program[3].steps[1].steps[2].steps[1].steps[1].hold";
    refused(&text, key, "a hold inside three others");
}

/// Sixty guests that each hold a unit and wait for a second one would wait for ever.
#[test]
fn a_resource_is_not_held_inside_itself() {
    let hold = "{ choose = [ { weight = 1, steps = [ { hold = §\"REGION\", steps = [ { compute = \"1 ms\" } ] } ] } ] },\n    { choose = [";
    let key = "guest TERMINALS: program[3].steps[1].steps[2].choose[1].steps[1].hold";
    let problem = refused_with("{ choose = [", hold, key, "a hold of `REGION` inside a hold of `REGION`");
    assert!(problem.why.contains("for ever"), "{problem}");
}

#[test]
fn resources_are_held_in_one_order() {
    let users = "program = [ { compute = \"1 ms\" }, { io";
    let held = |outer: &str, inner: &str| {
        let steps = "[ { compute = \"1 ms\" } ]";
        queues_with(
            users,
            &format!(
                "program = [ {{ hold = \"{outer}\", steps = [ {{ hold = §\"{inner}\", steps = {steps} }} ] }}, {{ io"
            ),
        )
    };
    read(&held("PROGRAM", "REGION").replace('§', ""));
    let problem = refused(&held("REGION", "PROGRAM"), "guest USERS: program[1].steps[1].hold", "the other way round");
    assert!(problem.why.contains("`PROGRAM`, `REGION`, `PROGRAM`"), "{problem}");
    assert_eq!(problem.allowed, ["the same order in all programs"]);
}

/// PROGRAM, REGION, THIRD, PROGRAM: no two programs are in opposite order, and all three wait for each other.
#[test]
fn a_longer_circle_of_resources_is_found_too() {
    let pair = |outer: &str, inner: &str| {
        format!("{{ hold = \"{outer}\", steps = [ {{ hold = {inner}, steps = [ {{ compute = \"1 ms\" }} ] }} ] }}")
    };
    let program = format!("program = [ {}, {}, {{ io", pair("REGION", "\"THIRD\""), pair("THIRD", "§\"PROGRAM\""));
    let text = queues_with("program = [ { compute = \"1 ms\" }, { io", &program).replacen(
        "[[resource]]",
        "[[resource]]\nname = \"THIRD\"\ncount = 9\n\n[[resource]]",
        1,
    );
    let found = problems(&text.replace('§', ""), &[]);
    assert_eq!(found.len(), 1, "{}", units::listing(&found));
    assert!(found[0].why.contains("`THIRD`, `PROGRAM`, `REGION`, `THIRD`"), "{}", found[0]);
}

#[test]
fn a_program_takes_time_whatever_is_chosen() {
    let user = "program = [ { compute = \"1 ms\" }, { io = { volume = \"CC1\" } } ]";
    for nothing in [
        "[ { spawn = \"LOG\" } ]",
        "[ { repeat_mean = 0.9, steps = [ { io = { volume = \"CC1\" } } ] } ]",
        "[ { hold = \"REGION\", steps = [ { think = \"0 ms\" } ] } ]",
        "[ { choose = [ { weight = 1, steps = [ { think = \"9 s\" } ] }, { weight = 1, steps = [ { spawn = \"LOG\" } ] } ] } ]",
    ] {
        let key = "guest USERS: program";
        refused_with(user, &format!("program = §{nothing}"), key, "no time at all");
    }
    let fine = "[ { choose = [ { weight = 1, steps = [ { think = \"9 s\" } ] }, { weight = 1, steps = [ { io = { volume = \"CC1\" } } ] } ] } ]";
    read(&queues_with(user, &format!("program = {fine}")));
}

#[test]
fn repeats_by_mean_nest_like_others() {
    let mut program = String::from("{ compute = \"1 ms\" }");
    for repeat in ["§repeat_mean = 1.5", "repeat = 2", "repeat_mean = 2", "repeat = 3"] {
        program = format!("{{ {repeat}, steps = [ {program} ] }}").replace("{ §", "{ ");
    }
    let text = queues_with("program = [ { compute = \"1 ms\" }, { io", &format!("program = [ {program}, {{ io"));
    let found = problems(&text, &[]);
    assert_eq!(found[0].what, "a repeat inside three others");
    assert_eq!(found[0].key, "guest USERS: program[1].steps[1].steps[1].steps[1].repeat_mean");
}

#[test]
fn an_unused_part_is_a_doubt() {
    let text = QUEUES
        .replace("{ message_in = \"4705\" },", "{ think = \"1 ms\" },")
        .replace("{ message_out = \"4705\" },", "")
        .replace("{ hold = \"REGION\", steps", "{ repeat = 1, steps")
        .replace("{ spawn = \"LOG\" }", "{ think = \"1 ms\" }");
    let expected = [
        "resource REGION is not used: no program holds it",
        "front_end 4705 is not used: no program has a message carried through it",
        "guest LOG is not used: no program spawns or calls it",
    ];
    assert_eq!(warnings(&text), expected);
}

#[test]
fn too_many_that_are_alike_do_not_fit() {
    let text = queues_with("count = 60", "count = 60\nmembers = §100000");
    refused(&text, "resource REGION: members", "up to 100000 in all");
}

/// 20 a second hold a region for 1 s: twenty of them are held at any time.
#[test]
fn more_holds_than_there_are_units_are_a_doubt() {
    let user = "program = [ { compute = \"1 ms\" }, { io";
    let held = "program = [ { hold = \"REGION\", steps = [ { think = \"1 s\" } ] }, { io";
    let text = queues_with(user, held).replace("arrivals = \"5/s\"", "arrivals = \"20/s\"");
    assert_eq!(warnings(&text), [""; 0]);
    let text = text.replace("count = 60", "count = 20");
    assert_eq!(warnings(&text), ["arrivals ask for 100 % of what it can do: 20.00 of 20 units"]);
}

/// 1.5 messages on each I/O of 10 ms are 150 a second.
#[test]
fn more_messages_than_a_front_end_carries_are_a_doubt() {
    let messages = |rate: u32| queues_with("count = 50", &format!("arrivals = \"{rate}/s\""));
    let of_front_end = |rate| read(&messages(rate)).warnings().iter().any(|doubt| doubt.key == "front_end 4705");
    assert_eq!((of_front_end(74), of_front_end(75)), (false, true));
}

/// Guests that spawn two of the next kind each, thirty kinds one after the other: counted once a kind, not once a way.
#[test]
fn the_load_of_spawned_requesters_is_counted() {
    let mut text = queues_with(
        "{ compute = \"1 ms\" }, { io = { volume = \"CC1\" } }",
        "{ spawn = \"G0\" }, { think = \"1 ms\" }",
    );
    for kind in 0..30 {
        let next = if kind == 29 {
            "{ io = { volume = \"CC1\" } }".into()
        } else {
            format!("{{ spawn = \"G{}\" }}", kind + 1)
        };
        text += &format!(
            "[[guest]]\nname = \"G{kind}\"\npartition = \"TSO\"\narrives = \"spawned\"\nprogram = [ {{ think = \"1 ms\" }}, {next}, {next} ]\n"
        );
    }
    let expected = format!("{:.2} of 1 exposure", 5.0 * 2_f64.powi(30) * 0.018);
    assert!(warnings(&text).iter().any(|what| what.ends_with(&expected)), "{:?}", warnings(&text));
}

#[test]
fn overrides_reach_into_alternatives_and_holds() {
    let set = ["guest.TERMINALS.program.3.steps.1.steps.2.choose.1.weight=7", "guest.TERMINALS.program.3.hold=REGION"];
    let text = queues_with("{ hold = \"REGION\", steps", "{ repeat = 1, steps");
    let scenario = read_set(&text, &set);
    let Step::Hold { resource: 1, steps } = &scenario.plan().guests[0].program[2] else { panic!("a hold") };
    let Step::Repeat { steps, .. } = &steps[0] else { panic!("a repeat") };
    assert!(matches!(&steps[1], Step::Choose(chosen) if chosen[0].0 == 7.0));
    let scenario = read_set(QUEUES, &["guest.TERMINALS.program.3.steps.1.steps.1.repeat=4"]);
    let text = scenario.resolved_toml();
    assert!(text.contains("repeat = 4") && !text.contains("repeat_mean"), "{text}");
    let found = problems(QUEUES, &["guest.TERMINALS.program.3.steps.1.steps.2.choose.3.weight=7"]);
    assert!(found[0].what.contains("no alternative `3`"), "{}", found[0]);
}

#[test]
fn an_io_may_go_to_what_the_member_has_that_is_held() {
    let text = queues_with("{ io = { volume = \"DB\" } }", "{ io = { own = { DB = 2 }, of = \"PROGRAM\" } }");
    let own = Choice::Own { resource: 0, weights: vec![(Target::Volume(1), 2.0)] };
    let found = format!("{:?}", read(&text).plan().guests[0].program);
    assert!(found.contains(&format!("{own:?}")), "{found}");
}

#[test]
fn what_a_member_has_is_used_inside_a_hold_of_it() {
    let key = "guest TERMINALS: program[3].steps[1].steps[1].steps[2].io.of";
    let io = "{ io = { volume = \"DB\" } }";
    refused_with(io, "{ io = { own = { DB = 1 }, of = §\"PROGAM\" } }", key, "no resource is called `PROGAM`");
    let outside = "{ io = { own = { DB = 1 }, of = §\"REGION\" } }, { hold = \"PROGRAM\"";
    let problem =
        refused_with("{ hold = \"PROGRAM\"", outside, "guest TERMINALS: program[3].io.of", "outside a hold of it");
    assert_eq!(problem.allowed, ["inside { hold = \"REGION\", steps = [...] }"]);
    let key = "guest TERMINALS: program[3].steps[1].steps[1].steps[2].io.of";
    refused_with(io, "{ io = §{ own = { DB = 1 } } }", key, "`of` is missing");
}

#[test]
fn the_first_io_of_a_slice_may_take_another_number_along() {
    let text = queues_with("messages = 1.5", "messages = 1.5\nfirst_messages = 2");
    assert_eq!(read(&text).plan().front_ends[0].first_messages, Some(2.0));
    let first = "messages = 1.5\nfirst_messages = §0.5";
    refused_with("messages = 1.5", first, "front_end 4705: first_messages", "1 to 1000");
}
