//! Paging in a scenario: the I/O that it is, its growth, and what is refused.

use crate::classes::CLASSES;
use crate::sample::{problems, read, read_set};
use machine::plan::{Arrival, Choice, Step, Target};

/// A class of paging beside two classes of guests.
pub fn paging() -> String {
    CLASSES.to_string()
        + r#"
[[volume]]
name = "PAGE[0..2]"
device = "0200"
service = { connect = "0.1 ms" }

[[paging]]
name = "PAGING"
class = "orders"
volumes = ["PAGE*"]
reads = "600/s"
writes = "200/s"
pages_per_io = 8
"#
}

#[test]
fn paging_is_one_stream_of_ios_behind_the_guests() {
    let scenario = read(&paging().replace("class = \"orders\"\nvolumes", "volumes"));
    let own = scenario.plan().guests.last().unwrap();
    let Arrival::Open { rate, .. } = own.arrival else { panic!("it is open") };
    assert_eq!((own.name.as_str(), rate.per_second(), own.runs_in), ("PAGING", 100.0, None));
    let [Step::Io(io)] = own.program.as_slice() else { panic!("an I/O") };
    assert_eq!((io.bytes, io.reads.percent()), (32_768, 75.0));
    assert_eq!(io.choice, Choice::Uniform([1, 2, 3].map(Target::Volume).to_vec()));
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
}

#[test]
fn paging_grows_and_comes_back() {
    let rate = |set: &[&str]| match read_set(&paging(), set).plan().guests[3].arrival {
        Arrival::Open { rate, .. } => rate.per_second(),
        _ => panic!("it is open"),
    };
    assert_eq!(rate(&[]), 140.0);
    assert_eq!(rate(&["class.orders.growth=0 %"]), 100.0);
    assert_eq!(rate(&["paging.PAGING.growth=100 %", "paging.PAGING.pages_per_io=16"]), 100.0);
    let scenario = read(&paging());
    assert_eq!(read(scenario.resolved_toml()).plan(), scenario.plan());
    assert_eq!(read(scenario.resolved_toml()).resolved_toml(), scenario.resolved_toml());
    let row = scenario.explain().iter().find(|row| row.key == "paging.PAGING.growth").unwrap();
    assert!(row.why.starts_with("840/s in place of 600/s, 280/s in place of 200/s"), "{}", row.why);
    let twice = scenario.grown(2.0).unwrap();
    assert!(matches!(twice.plan().guests[3].arrival, Arrival::Open { rate, .. } if rate.per_second() == 280.0));
}

fn refused(from: &str, to: &str, key: &str, what: &str) {
    let found = problems(&paging().replacen(from, to, 1), &[]);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert!(problem.key == key && problem.what.contains(what), "{problem}");
}

/// A rate and a size are measured: none is usual.
#[test]
fn paging_without_a_measured_value_is_refused() {
    refused("pages_per_io = 8", "", "paging PAGING: pages_per_io", "`pages_per_io` is missing");
    refused("pages_per_io = 8", "pages_per_io = 0.5", "paging PAGING: pages_per_io", "0.5 is out of range");
    refused("reads = \"600/s\"\nwrites = \"200/s\"", "", "paging PAGING", "neither reads nor writes");
    refused("volumes = [\"PAGE*\"]", "", "paging PAGING: volumes", "`volumes` is missing");
    refused("volumes = [\"PAGE*\"]", "volumes = [\"PGE*\"]", "paging PAGING: volumes", "no volumes match `PGE*`");
    refused("name = \"PAGING\"", "name = \"JOBS\"", "paging JOBS: name", "paging called `JOBS` like a guest");
    refused("reads = \"600/s\"", "read = \"600/s\"", "paging PAGING: read", "unknown key `read`");
}

#[test]
fn paging_goes_to_volumes_of_its_partition() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/zvm.toml")).unwrap();
    let volume = "\n[[volume]]\nname = \"PAGE\"\ndevice = \"0200\"\nservice = { connect = \"1 ms\" }\n";
    let own = "\n[[paging]]\nname = \"PAGING\"\nvolumes = [\"PAGE\"]\nreads = \"8/s\"\npages_per_io = 8\n";
    read(&format!("{text}{volume}{own}"));
    let found = problems(&format!("{text}{volume}{own}partition = \"ZVM\"\n"), &[]);
    assert!(
        found.iter().any(|problem| problem.what.contains("which has a control program")),
        "{}",
        units::listing(&found)
    );
}
