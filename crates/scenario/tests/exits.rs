//! Exits of an installation's own: planned as they are written, and refused where points, names or times do not agree.

use crate::sample::{problems, read};
use machine::plan::{Answer, Change, ChangePlan, ExitChange, ExitPlan, Point, Scope};
use scenario::{File, Scenario, named_files};
use units::Span;

const EXITS: &str = r#"name = "Exits"
assume = "made up"

[serialization]
exits = "batch"

[[serialization.exit]]
name = "LOCAL"
point = "ISGNQXITFAST"
names = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)"
rename = "OTHER"
scope = "system"
volume = ["SHR"]
skip_lists = "yes"
own = "2 us"

[[serialization.exit]]
name = "BUSY"
point = "ISGNQXITBATCH"
code = 8
drop_reserve = "yes"
abend = 1848
fail = "no"
installed = "no"

[cec]
processors = 1

[[partition]]
name = "SYSA"
logical_processors = 1
mode = "UP"

[[volume]]
name = "SHR"
device = "0A00"
type = "3390-3"
partition = "SYSA"
service = { pend = "0 ms", disconnect = "0 ms", connect = "1 ms" }

[[enqueue]]
name = "MASTER"
qname = "SYSDSN"
rname = "PROD.MASTER"

[[enqueue]]
name = "OTHER"
qname = "Q"
rname = "R"

[[guest]]
name = "A"
count = 1
partition = "SYSA"
program = [
    { enq = "MASTER", do = [ { compute = "1 ms" } ] },
    { enq = "OTHER", do = [ { io = { volume = "SHR" } } ] },
]

[[change]]
at = "100 ms"
add_exit = "BUSY"

[[change]]
at = "200 ms"
delete_exit = "BUSY"

[measure]
interval = "1 s"
warm_up = "0 s"
"#;

fn with(old: &str, new: &str) -> String {
    assert!(EXITS.contains(old), "{old}");
    EXITS.replacen(old, new, 1)
}

/// Checks that what was replaced has one problem, somewhere in the file, with this key and this in what it says.
#[track_caller]
fn refused(old: &str, new: &str, key: &str, says: &str) {
    let found = problems(&with(old, new), &[]);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert_eq!(problem.key, key, "{problem}");
    assert!(problem.to_string().contains(says) && problem.line.is_some(), "{problem}\ndoes not say\n{says}");
}

#[test]
fn what_was_written_is_planned() {
    let scenario = read(EXITS);
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
    let plan = scenario.plan();
    let own = plan.serialization.as_ref().expect("there is a service");
    let [local, busy] = own.exits.as_slice() else { panic!("two exits") };
    assert_eq!(local.names.as_ref().map(Vec::len), Some(1));
    let answer = Answer { scope: Some(Scope::System), skip_lists: true, ..Answer::default() };
    let expected = ExitPlan {
        name: "LOCAL".into(),
        point: Point::Fast,
        names: local.names.clone(),
        answer,
        rename: Some(1),
        volume: Some(vec![0]),
        own: Span::from_us(2),
        stops: false,
        installed: true,
    };
    assert_eq!(*local, expected);
    let answer = Answer { code: Some(8), drop_reserve: true, abend: Some(1848), ..Answer::default() };
    assert_eq!((&busy.answer, busy.point, busy.installed, &busy.volume), (&answer, Point::Batch, false, &None));
    let change = |ms, change| ChangePlan { at: Span::from_ms(ms), change: Change::Exit(change) };
    assert_eq!(plan.changes, [change(100, ExitChange::Add(1)), change(200, ExitChange::Delete(1))]);
}

#[test]
fn what_is_resolved_reads_back() {
    let resolved = read(EXITS).resolved_toml().to_string();
    assert_eq!(read(&resolved).plan(), read(EXITS).plan());
    assert_eq!(read(&resolved).resolved_toml(), resolved);
}

#[test]
fn answers_are_those_that_a_point_allows() {
    let busy = "point = \"ISGNQXITBATCH\"\ncode = 8\ndrop_reserve = \"yes\"\nabend = 1848";
    for (point, answer, key, says) in [
        ("ISGNQXITFAST", "code = 8", "code", "ISGNQXITBATCH or ISGNQXITBATCHCND"),
        ("ISGNQXITPREBATCH", "scope = \"system\"", "scope", "ISGNQXITFAST or ISGNQXIT"),
        ("ISGNQXITBATCH", "rename = \"OTHER\"", "rename", "code, drop_reserve, abend"),
        ("ISGNQXITBATCHCND", "want = \"yes\"", "want", "ISGNQXITPREBATCH"),
        ("ISGNQXITQUEUED1", "abend = 1", "abend", "may want: nothing"),
        ("ISGNQXIT", "stops = \"yes\"", "stops", "ISGENDOFLQCB"),
        ("ISGENDOFLQCB", "skip_lists = \"yes\"", "skip_lists", "may want: stops"),
    ] {
        refused(busy, &format!("point = \"{point}\"\n{answer}"), &format!("exit BUSY: {key}"), says);
    }
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let wrong = "point = \"ISGNQXITQUEUED2\"\ncode = 8\nabend = 1\nrename = \"OTHR\"\nnames = \"RNLDEF\"";
    let busy = "point = \"ISGNQXITBATCH\"\ncode = 8\ndrop_reserve = \"yes\"\nabend = 1848";
    let found = problems(&with(busy, wrong), &[]);
    for key in ["code", "abend", "rename", "names"] {
        let key = format!("exit BUSY: {key}");
        assert!(found.iter().any(|problem| problem.key == key), "{key}\n{}", units::listing(&found));
    }
}

#[test]
fn points_and_names_are_known_ones() {
    refused("ISGNQXITFAST", "ISGNQXFAST", "exit LOCAL: point", "did you mean ISGNQXITFAST");
    refused("rename = \"OTHER\"", "rename = \"OTHR\"", "exit LOCAL: rename", "did you mean OTHER");
    refused("TYPE(GENERIC)", "TYPE(GENERAL)", "exit LOCAL: names", "line 1 of it");
    refused("add_exit = \"BUSY\"", "add_exit = \"BUZY\"", "change[1].add_exit", "did you mean BUSY");
    refused("volume = [\"SHR\"]", "volume = [\"SHQ\"]", "exit LOCAL: volume", "did you mean SHR");
}

#[test]
fn an_exit_has_the_name_of_a_module_and_has_it_alone() {
    refused("name = \"LOCAL\"", "name = \"LOCALEXIT\"", "exit LOCALEXIT: name", "1 to 8 characters");
    refused("name = \"LOCAL\"", "name = \"BUSY\"", "exit[2].name", "a second exit");
}

#[test]
fn a_name_that_exits_give_is_that_of_one_resource() {
    refused("rname = \"R\"", "rname = \"R\"\nmembers = 3", "exit LOCAL: rename", "there are 3");
}

#[test]
fn a_request_reserves_a_volume_or_none() {
    refused("volume = [\"SHR\"]", "volume = [\"SHR\"]\nno_volume = \"yes\"", "exit LOCAL: no_volume", "or none");
}

#[test]
fn what_is_not_there_is_added_and_what_is_there_is_deleted() {
    refused("delete_exit", "add_exit", "change[2].add_exit", "it is there");
    refused("installed = \"no\"", "", "change[1].add_exit", "installed = \"no\"");
    refused("add_exit", "delete_exit", "change[1].delete_exit", "it is not there");
}

#[test]
fn an_exit_that_is_never_called_is_a_warning() {
    let busy = "point = \"ISGNQXITBATCH\"";
    let told = |text: String| units::listing(read(&text).warnings());
    assert!(told(with(busy, "point = \"ISGNQXITBATCHCND\"")).contains("never called"));
    let fast = with("exits = \"batch\"", "exits = \"prebatch-pooled-1.4\"");
    assert_eq!(told(fast.replacen(busy, "point = \"ISGNQXITBATCHCND\"", 1)), "");
}

/// A scenario with this replacement is refused at this place with this problem.
#[test]
fn a_refusal_that_takes_no_time_would_repeat_for_ever() {
    let prices = "exits = \"batch\"\ncost = { enq = \"0 us\", deq = \"0 us\" }\n";
    refused("exits = \"batch\"\n", prices, "guest A: program", "takes no time at all");
}

fn wrong_with(old: &str, new: &str, text: &[u8]) -> Vec<units::Problem> {
    let files = [File { name: "LISTS.txt".into(), shown: "lists/LISTS.txt".into(), bytes: text.into() }];
    Scenario::read_with(with(old, new).as_bytes(), "sample.toml", &[], &files).err().unwrap_or_default()
}

const NAMES: &str = "names = \"RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)\"";
const FILED: &str = "names = { file = \"LISTS.txt\" }";
const LISTS: &[u8] = b"/* lists */\r\nRNLDEF RNL(INCL) TYPE(GENERIC)\tQNAME(SYSDSN)\r\n";

#[test]
fn a_text_may_stand_in_a_file_and_is_kept_in_what_is_resolved() {
    let files = [File { name: "LISTS.txt".into(), shown: "LISTS.txt".into(), bytes: LISTS.into() }];
    let filed = Scenario::read_with(with(NAMES, FILED).as_bytes(), "sample.toml", &[], &files).expect("no problems");
    assert_eq!(filed.plan(), read(EXITS).plan());
    let again = read(filed.resolved_toml());
    assert_eq!((again.plan(), again.checksum()), (filed.plan(), filed.checksum()));
    assert!(!filed.resolved_toml().contains("LISTS.txt"), "{}", filed.resolved_toml());
}

#[test]
fn the_files_of_a_scenario_are_known_before_they_are_read() {
    let text = with(NAMES, FILED).replacen("exits = \"batch\"", "exits = \"batch\"\nmanaged.file = \"M.txt\"", 1);
    let named = named_files(text.as_bytes(), "sample.toml", &["serialization.name_lists.file=N.txt".into()]);
    let found: Vec<(&str, &str)> =
        named.iter().map(|problem| (problem.file.as_str(), problem.place.key.as_str())).collect();
    let expected =
        [("M.txt", "serialization.managed"), ("N.txt", "serialization.name_lists"), ("LISTS.txt", "exit LOCAL: names")];
    assert_eq!(found, expected);
    assert_eq!((named[2].place.line, named_files(b"name = ", "sample.toml", &[])), (Some(11), vec![]));
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place_in_that_file() {
    let found = wrong_with(NAMES, FILED, b"/* lists */\nRNLDEF RNL(INCL) TYPE(GENERAL) QNAME(SYSDSN)\n");
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert_eq!(
        (problem.file.as_str(), problem.line, problem.key.as_str()),
        ("lists/LISTS.txt", Some(2), "exit LOCAL: names")
    );
    let found = wrong_with(NAMES, FILED, b"/* caf\xE9 */");
    assert!(
        units::listing(&found).starts_with("lists/LISTS.txt:1:7: exit LOCAL: names.file"),
        "{}",
        units::listing(&found)
    );
    let found = wrong_with(NAMES, FILED, b"  ");
    assert!(units::listing(&found).contains("lists/LISTS.txt") && units::listing(&found).contains("empty"));
}

#[test]
fn a_file_that_was_not_read_is_a_problem() {
    refused(NAMES, FILED, "exit LOCAL: names", "`LISTS.txt` has not been read");
    refused(NAMES, "names = { fil = \"LISTS.txt\" }", "exit LOCAL: names.fil", "did you mean file");
    refused(NAMES, "names = 3", "exit LOCAL: names", "LISTS.txt");
}

/// A second guest whose program asks in the other order.
fn orders(first: &str, second: &str) -> String {
    let inner = "{ enq = \"OTHER\", do = [ { io = { volume = \"SHR\" } } ] },";
    let text = with("do = [ { compute = \"1 ms\" } ] },", "").replacen(inner, "", 1);
    let text = text.replacen("{ enq = \"MASTER\", ", first, 1);
    let guest =
        format!("[[guest]]\nname = \"B\"\ncount = 1\npartition = \"SYSA\"\nprogram = [ {second} ]\n\n[measure]");
    read(&text.replacen("[measure]", &guest, 1)).warnings().iter().map(ToString::to_string).collect()
}

#[test]
fn orders_that_may_wait_for_each_other_for_ever_are_a_warning() {
    let nested = |outer: &str, inner: &str| {
        format!("{{ enq = {outer}, do = [ {{ enq = {inner}, do = [ {{ compute = \"1 ms\" }} ] }} ] }},")
    };
    let (master, other) = ("\"MASTER\"", "\"OTHER\"");
    let shared = |name: &str| format!("{name}, access = \"shared\"");
    let told = "is requested while";
    let here = nested(master, other);
    assert!(orders(&here, &nested(other, master)).contains(told));
    assert!(orders(&here, &nested(&shared(other), &shared(master))).contains(told), "shared against exclusive");
    assert!(orders(&here, &format!("{{ enq = {other} }}, {{ enq = {master} }}")).contains(told), "what is kept");
    let all_shared = nested(&shared(master), &shared(other));
    for (first, second, why) in [
        (&here, nested(master, other), "one order"),
        (&all_shared, nested(&shared(other), &shared(master)), "tasks that share do not wait"),
        (&here, nested(other, &format!("{master}, ret = \"use\"")), "a request that does not wait"),
        (&here, format!("{{ enq = {other} }}, {{ deq = {other} }}, {{ enq = {master} }}"), "what is released"),
    ] {
        assert!(!orders(first, &second).contains(told), "{why}");
    }
}
