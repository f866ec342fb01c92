//! Classes of business and growth: what is simulated, what is explained, and what is refused.

use crate::sample::{problems, read, read_set};
use machine::plan::Arrival;
use scenario::Role;

/// Two classes, one of which grows, and a guest with growth of its own.
pub const CLASSES: &str = r#"name = "Classes"
assume = "an example"

[[volume]]
name = "A"
device = "0100"
service = { connect = "0.1 ms" }

[[class]]
name = "orders"
growth = "40 %"

[[class]]
name = "batch"

[[guest]]
name = "WEB"
class = "orders"
arrivals = "100/s"
program = [ { io = { volume = "A" } } ]

[[guest]]
name = "CLERKS"
class = "orders"
count = 5
growth = "0 %"
program = [ { think = "1 s" }, { io = { volume = "A" } } ]

[[guest]]
name = "JOBS"
class = "batch"
count = 3
growth = "50 %"
program = [ { think = "1 s" }, { io = { volume = "A" } } ]
"#;

/// Arrivals in a second, or how many there are.
fn demand(text: &str, set: &[&str]) -> Vec<f64> {
    let of = |arrival: &Arrival| match arrival {
        Arrival::Open { rate, .. } => rate.per_second(),
        Arrival::Closed { count } => f64::from(*count),
        Arrival::Spawned | Arrival::Replay { .. } => panic!("the sample has none"),
    };
    read_set(text, set).plan().guests.iter().map(|guest| of(&guest.arrival)).collect()
}

#[test]
fn guests_grow_as_their_class_or_by_themselves() {
    assert_eq!(demand(CLASSES, &[]), [140.0, 5.0, 5.0], "4.5 jobs are 5");
    assert_eq!(demand(CLASSES, &["class.orders.growth=10 %"]), [110.00000000000001, 5.0, 5.0]);
    assert_eq!(demand(CLASSES, &["guest.WEB.growth=100 %"]), [200.0, 5.0, 5.0]);
    assert_eq!(demand(CLASSES, &["guest.*.growth=0 %"]), [100.0, 5.0, 3.0]);
    assert_eq!(demand(CLASSES, &["guest.@orders.growth=20 %"]), [120.0, 6.0, 5.0]);
    assert_eq!(demand(CLASSES, &["guest.*.growth=-40%"]), [60.0, 3.0, 2.0], "a decline is growth, too");
    assert_eq!(demand(CLASSES, &["guest.*.growth=-99.9 %"])[1..], [1.0, 1.0], "one is always left");
}

/// No growth is the scenario as it was before there was the key.
#[test]
fn no_growth_changes_nothing() {
    let bare = |text: &str| -> String {
        let grown = |line: &&str| !line.starts_with("growth") && !line.starts_with("class");
        text.lines()
            .filter(grown)
            .collect::<Vec<_>>()
            .join("\n")
            .replace("[[class]]\nname = \"orders\"\n", "")
            .replace("[[class]]\nname = \"batch\"\n", "")
    };
    let zero = read_set(CLASSES, &["guest.*.growth=0 %"]);
    assert_eq!(read(&bare(CLASSES)).plan(), zero.plan());
}

#[test]
fn what_is_resolved_grows_with_its_class() {
    let scenario = read(CLASSES);
    let resolved = scenario.resolved_toml();
    assert!(resolved.contains("arrivals = \"100/s\"\ngrowth = \"40 %\"  # default: that of its class"), "{resolved}");
    assert_eq!(read(resolved).resolved_toml(), resolved);
    assert_eq!(read(resolved).plan(), scenario.plan());
    assert_eq!(demand(resolved, &["class.orders.growth=10 %"]), demand(CLASSES, &["class.orders.growth=10 %"]));
    let decline = read_set(CLASSES, &["class.orders.growth=-40 %"]);
    assert_eq!(read(decline.resolved_toml()).plan(), decline.plan());
}

#[test]
fn without_marks_it_is_equal_whoever_gave_a_value() {
    let [written, set] =
        ["40 %", "10 %"].map(|growth| read_set(&CLASSES.replacen("40 %", growth, 1), &["class.orders.growth=40 %"]));
    let plain = read(CLASSES);
    assert_ne!(plain.resolved_toml(), set.resolved_toml());
    assert_eq!(plain.unmarked_toml(), set.unmarked_toml());
    assert_eq!(plain.unmarked_toml(), written.unmarked_toml());
    assert_eq!(read(&plain.unmarked_toml()).plan(), plain.plan());
}

#[test]
fn what_grows_is_explained_with_both_numbers() {
    let scenario = read(CLASSES);
    let why = |key: &str| {
        let row = scenario.explain().iter().find(|row| row.key == key).unwrap_or_else(|| panic!("no {key}"));
        (row.value.clone(), row.role, row.why.clone())
    };
    let of_class = "140/s in place of 100/s; that of its class; without one there is no growth".to_string();
    assert_eq!(why("guest.WEB.growth"), ("40 %".into(), Role::Default, of_class));
    assert_eq!(why("guest.JOBS.growth").2, "5 in place of 3; an example");
    assert_eq!(why("class.orders.growth").0, "40 %");
}

#[test]
fn demand_times_a_factor_comes_on_top() {
    let twice = read(CLASSES).grown(2.0).unwrap();
    let Arrival::Open { rate, .. } = &twice.plan().guests[0].arrival else { panic!("it is open") };
    assert_eq!(rate.per_second(), 280.0);
}

fn refused(text: &str, set: &[&str], key: &str, what: &str) {
    let found = problems(text, set);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert!(problem.key == key && problem.what.contains(what), "{problem}");
}

#[test]
fn growth_that_cannot_be_is_refused() {
    let with = |from: &str, to: &str| CLASSES.replacen(from, to, 1);
    refused(&with("growth = \"40 %\"", "growth = \"-100 %\""), &[], "class orders: growth", "leaves nothing");
    refused(CLASSES, &["guest.WEB.arrivals=0.000001/s", "guest.WEB.growth=-1 %"], "guest WEB: growth", "is never");
    refused(&with("growth = \"40 %\"", "growth = 0.4"), &[], "class orders: growth", "the bare number 0.4");
    refused(&with("growth = \"40 %\"", "growth = \"20000 %\""), &[], "class orders: growth", "more than 10000 %");
    refused(&with("growth = \"40 %\"", "grwth = \"40 %\""), &[], "class orders: grwth", "unknown key `grwth`");
    refused(&with("class = \"orders\"", "class = \"order\""), &[], "guest WEB: class", "no class is called `order`");
    refused(&with("assume", "growth = \"40 %\"\nassume"), &[], "growth", "unknown key `growth`");
    refused(
        &with("arrivals = \"100/s\"", "arrivals = \"900000/s\""),
        &[],
        "guest WEB: growth",
        "1260000/s with growth",
    );
    refused(
        &with("count = 3", "count = 99000"),
        &[],
        "guest JOBS: count",
        "148505 guests in all".trim_start_matches("148505 "),
    );
    refused(CLASSES, &["guest.@order.growth=1 %"], "guest.@order.growth", "no guest is of class `order`");
    let spawned = with("arrivals = \"100/s\"", "arrives = \"spawned\"\ngrowth = \"1 %\"");
    let found = problems(&spawned, &[]);
    assert!(
        found.iter().any(|problem| problem.what == "`growth` without `count` or `arrivals`"),
        "{}",
        units::listing(&found)
    );
}

#[test]
fn a_class_without_guests_is_a_doubt() {
    let text = format!("{CLASSES}\n[[class]]\nname = \"idle\"\n");
    let scenario = read(&text);
    assert!(scenario.warnings().iter().any(|doubt| doubt.what.starts_with("class idle is not used")));
}

/// Virtual machines of a class grow in number, guests in them by their own growth.
#[test]
fn virtual_machines_grow_too() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/zvm.toml")).unwrap();
    let classed = text.replace(
        "[[virtual_machine]]\nname = \"CMS\"",
        "[[class]]\nname = \"users\"\ngrowth = \"20 %\"\n\n[[virtual_machine]]\nname = \"CMS\"\nclass = \"users\"",
    );
    let plan = read(&classed);
    assert_eq!(plan.plan().virtual_machines.iter().map(|kind| kind.count).collect::<Vec<_>>(), [4, 60]);
}
