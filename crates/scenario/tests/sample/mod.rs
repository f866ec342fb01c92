//! A small scenario that is right, and checks that say what is wrong with one that is not and where.

// Each test file uses the part it needs.
#![allow(dead_code, unused_imports)]

mod spinning;

use scenario::Scenario;
pub use spinning::*;
use units::Problem;

/// One of everything.
pub const SAMPLE: &str = r#"name = "Sample"

[source]
document = "A document"

[[control_unit]]
name = "CU"

[[alias_pool]]
name = "POOL"
aliases = 2
first_alias = "0200"

[[volume]]
name = "A"
device = "0100"
control_unit = "CU"
alias_pool = "POOL"
service = { pend = "0.2 ms", connect = { exponential = "0.85 ms" } }

[[volume]]
name = "B"
device = "0101"
control_unit = "CU"
service = { connect = { erlang = "1 ms", stages = 4 } }

[[guest]]
name = "G"
count = 3
program = [ { think = "0.15 ms" }, { io = { volume = "A" } } ]

[[guest]]
name = "OPEN"
arrivals = "500/s"
program = [ { io = { weighted = { A = 3, B = 1 } } } ]

[measure]
interval = "1 min"
"#;

/// What the sample lacks: what changes, minidisks, and the I/O and the arrivals that came with them.
pub const MORE: &str = r#"
[[control_unit]]
name = "CU2"
sharing = "50 %"

[[volume]]
name = "PAV"
device = "0102"
control_unit = "CU2"
aliases = 2
first_alias = "0300"
service = { connect = { exponential = "0.8 ms", per_kib = "0.01 ms" } }

[[minidisk]]
name = "M1"
volume = "PAV"
cache = { read_hits = "60 %", time = "0.05 ms" }

[[minidisk]]
name = "M2"
volume = "A"

[[guest]]
name = "ZIPF"
arrivals = "100/s"
batch = 2
program = [ { io = { zipf = ["M1", "PAV", "M2"], exponent = 0.5, bytes = "8 KiB", reads = "75 %" } } ]

[[guest]]
name = "BURST"
arrivals = "10/s"
batch_mean = 2.5
program = [ { io = { minidisk = "M1" } }, { io = { zipf = ["A", "B"] } } ]

[[guest]]
name = "TAPE"
replay = "traces/io.csv"

[[change]]
at = "30 s"
aliases = { pool = "POOL", online = 1 }

[[change]]
at = "10 s"
paths = { control_unit = "CU2", online = 2 }

[[change]]
at = "20 s"
reserve = "PAV"

[[change]]
at = "20 s"
aliases = { volume = "PAV", online = 0 }

[[change]]
at = "25 s"
release = "PAV"
"#;

/// A machine with domains: two that share processors and one with its own.
pub const DOMAINS: &str = r#"name = "Domains"
assume = "a machine for tests"

[cec]
processors = 3
scheduling_parameter = 1
switch = "1 ms"

[[partition]]
name = "IMS"
logical_processors = 2
target = "50 %"
maximum = "60 %"
slih = { exponential = "0.2 ms" }
enabled = 2

[[partition]]
name = "TSO"
logical_processors = 1
target = "25 %"

[[partition]]
name = "OWN"
logical_processors = 1
mode = "UP"

[[volume]]
name = "C23"
device = "C23"
partition = "IMS"
service.connect = "18 ms"

[[volume]]
name = "CC1"
device = "CC1"
partition = "TSO"
service.connect = "18 ms"

[[volume]]
name = "FREE"
device = "100"
service.connect = "1 ms"

[[minidisk]]
name = "M"
volume = "C23"

[[guest]]
name = "USERS"
partition = "IMS"
priority = 7
count = 3
program = [ { compute = "1 ms" }, { io = { uniform = ["C23", "M"] } } ]

[[guest]]
name = "TERMINALS"
partition = "TSO"
arrivals = "5/s"
program = [ { compute = "1 ms" }, { io = { volume = "CC1" } } ]

[[guest]]
name = "ALONE"
partition = "OWN"
count = 1
program = [ { compute = "1 ms" } ]

[[guest]]
name = "OUTSIDE"
count = 1
program = [ { think = "1 ms" }, { io = { volume = "FREE" } } ]

[measure]
interval = "1 min"
"#;

/// A machine with everything that guests queue for, and with domains that measure themselves.
pub const QUEUES: &str = r#"name = "Queues"
assume = "a machine for tests"

[cec]
processors = 2
scheduling_parameter = 1

[[partition]]
name = "IMS"
logical_processors = 2
target = "50 %"
ssch = "0.05 ms"
reload = "0.3 ms"
rmf = { cycle = "500 ms", priority = 200 }

[[partition]]
name = "TSO"
logical_processors = 2
target = "50 %"
rmf = { jitter = "0 ms" }

[[volume]]
name = "LINE"
device = "70"
partition = "IMS"
service.connect = { exponential = "10 ms" }

[[volume]]
name = "DB"
device = "C23"
partition = "IMS"
service.connect = "18 ms"

[[volume]]
name = "CC1"
device = "CC1"
partition = "TSO"
service.connect = "18 ms"

[[resource]]
name = "PROGRAM"
count = 1
members = 100

[[resource]]
name = "REGION"
count = 60

[[front_end]]
name = "4705"
volume = "LINE"
messages = 1.5

[[guest]]
name = "TERMINALS"
partition = "IMS"
count = 50
program = [
  { think = { exponential = "16 s" } },
  { message_in = "4705" },
  { hold = "PROGRAM", steps = [ { hold = "REGION", steps = [
    { repeat_mean = 2.5, steps = [ { compute = "1 ms" }, { io = { volume = "DB" } } ] },
    { choose = [
      { weight = 3, steps = [ { spawn = "LOG" } ] },
      { weight = 1, steps = [ { compute = "1 ms" }, { spawn = "LOG" } ] },
    ] },
  ] } ] },
  { message_out = "4705" },
]

[[guest]]
name = "LOG"
partition = "IMS"
priority = 9
arrives = "spawned"
program = [ { io = { volume = "DB", bytes = "2 KiB", reads = "0 %" } } ]

[[guest]]
name = "USERS"
partition = "TSO"
arrivals = "5/s"
program = [ { compute = "1 ms" }, { io = { volume = "CC1" } } ]
"#;

/// Partitions by weight: one with a cap, a vertical one that comes later, one with processors of its own.
pub const LPARS: &str = r#"name = "Partitions"
assume = "a machine for tests"

[cec]
processors = 5
dispatcher = "prsm"
run_time = "20 ms"
wait_completion = "yes"
preemption = "always"
switch = "0.1 ms"

[[partition]]
name = "PROD"
logical_processors = 4
weight = 600

[[partition]]
name = "TEST"
logical_processors = 2
weight = 300
capped = "yes"
cap = 0.75

[[partition]]
name = "LATER"
logical_processors = 3
weight = 100
polarization = "vertical"
active = "no"

[[partition]]
name = "OWN"
logical_processors = 1
mode = "UP"

[[guest]]
name = "WORK"
partition = "PROD"
count = 3
program = [ { compute = "1 ms" }, { think = "1 ms" } ]

[[guest]]
name = "TESTS"
partition = "TEST"
count = 1
program = [ { compute = "1 ms" } ]

[[guest]]
name = "JOBS"
partition = "LATER"
count = 1
program = [ { compute = "1 ms" } ]

[[guest]]
name = "ALONE"
partition = "OWN"
count = 1
program = [ { compute = "1 ms" } ]

[[volume]]
name = "DISK"
device = "100"
service.connect = "1 ms"

[[guest]]
name = "OUTSIDE"
count = 1
program = [ { think = "1 ms" }, { io = { volume = "DISK" } } ]

[[change]]
at = "10 s"
add = "LATER"

[[change]]
at = "20 s"
partition = { name = "PROD", weight = 200 }

[[change]]
at = "30 s"
delete = "TEST"

[measure]
interval = "1 min"
"#;

/// The partitions by weight with one thing in place of another.
pub fn lpars_with(old: &str, new: &str) -> String {
    assert_eq!(LPARS.matches(old).count(), 1, "`{old}` occurs once in the partitions");
    LPARS.replace(old, new)
}

/// The queues with one piece of their text replaced; the piece must be there.
pub fn queues_with(old: &str, new: &str) -> String {
    assert!(QUEUES.contains(old), "the queues have no `{old}`");
    QUEUES.replacen(old, new, 1)
}

/// The domains with one piece of their text replaced; the piece must be there.
pub fn domains_with(old: &str, new: &str) -> String {
    assert!(DOMAINS.contains(old), "the domains have no `{old}`");
    DOMAINS.replacen(old, new, 1)
}

/// The sample and what it lacks.
pub fn dynamic() -> String {
    format!("{SAMPLE}{MORE}")
}

/// The dynamic sample with one piece of its text replaced; the piece must be there.
pub fn dynamic_with(old: &str, new: &str) -> String {
    let text = dynamic();
    assert!(text.contains(old), "the dynamic sample has no `{old}`");
    text.replacen(old, new, 1)
}

/// The sample with one piece of its text replaced; the piece must be there.
pub fn with(old: &str, new: &str) -> String {
    assert!(SAMPLE.contains(old), "the sample has no `{old}`");
    SAMPLE.replacen(old, new, 1)
}

/// The scenario of a text, which must be right.
pub fn read(text: &str) -> Scenario {
    read_set(text, &[])
}

/// The scenario of a text with overrides; both must be right.
pub fn read_set(text: &str, set: &[&str]) -> Scenario {
    let set: Vec<String> = set.iter().map(|text| text.to_string()).collect();
    Scenario::read(text.as_bytes(), "sample.toml", &set).unwrap_or_else(|problems| {
        panic!("{}\nin\n{text}", units::listing(&problems));
    })
}

/// The problems of a text with overrides; there must be some.
pub fn problems(text: &str, set: &[&str]) -> Vec<Problem> {
    let set: Vec<String> = set.iter().map(|text| text.to_string()).collect();
    Scenario::read(text.as_bytes(), "sample.toml", &set).expect_err("something is wrong with it")
}

/// Checks that a text has one problem, at the place marked `§`, with this key and this in what it says.
#[track_caller]
pub fn refused(marked: &str, key: &str, says: &str) -> Problem {
    let offset = marked.find('§').expect("the place is marked");
    let before = &marked[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let found = problems(&marked.replacen('§', "", 1), &[]);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    let place = (problem.file.as_str(), problem.line, problem.column);
    assert_eq!(place, ("sample.toml", Some(line), Some(column)), "{problem}");
    assert_eq!(problem.key, key, "{problem}");
    assert!(problem.to_string().contains(says), "{problem}\ndoes not say\n{says}");
    problem.clone()
}

/// Checks that the sample with one piece replaced is refused, as [`refused`] does.
#[track_caller]
pub fn refused_with(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&with(old, new), key, says)
}

/// A machine with a control program, virtual machines of several kinds, and another partition beside it.
pub const ZVM: &str = r#"name = "z/VM"
assume = "a machine for tests"

[cec]
processors = 12
dispatcher = "prsm"
machine = "z10"

[[topology.cache]]
name = "L2"
beyond = 3.5

[[partition]]
name = "ZVM"
logical_processors = 8
weight = 300
control_program = { polarization = "horizontal", cpupad = "300 %", lock.mode = "exclusive" }

[[partition]]
name = "MVS"
logical_processors = 2
mode = "UP"

[[virtual_machine]]
name = "LIGHT"
partition = "ZVM"
count = 8
virtual_processors = 3
footprint = "2 MiB"
touched_in = "1 ms"

[[virtual_machine]]
name = "PROMISED"
partition = "ZVM"
count = 2
absolute_share = "10 %"
limit = "20 %"

[[volume]]
name = "DISK"
device = "100"
service.connect = "1 ms"

[[guest]]
name = "TASKS"
virtual_machine = "LIGHT"
count = 24
program = [ { think = "1 ms" }, { pace = "27 %" } ]

[[guest]]
name = "READERS"
virtual_machine = "PROMISED"
arrivals = "10/s"
program = [ { compute = "1 ms" }, { io = { volume = "DISK" } } ]

[[guest]]
name = "BATCH"
partition = "MVS"
count = 1
program = [ { compute = "1 ms" } ]

[[change]]
at = "30 s"
srm = { partition = "ZVM", polarization = "vertical", cpupad = "50 %", slice = "10 ms" }

[[change]]
at = "10 s"
srm = { partition = "ZVM", method = "none", excessuse = "high", unparking = "small" }

[measure]
interval = "1 min"
"#;

/// The control program with one piece of its text replaced; the piece must be there.
pub fn zvm_with(old: &str, new: &str) -> String {
    assert_eq!(ZVM.matches(old).count(), 1, "`{old}` occurs once with the control program");
    ZVM.replace(old, new)
}
