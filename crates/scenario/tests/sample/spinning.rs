//! Clients and servers under a control program that spin for locks and exchange requests and replies.

use super::refused;
use units::Problem;

/// Two kinds of virtual machines, one with an operating system that ships, a lock of each and a second one of the clients.
pub const SPIN: &str = r#"name = "Spinning"
assume = "a machine for tests"

[cec]
processors = 4
machine = "z9"

[[partition]]
name = "ZVM"
logical_processors = 4
mode = "UP"
control_program = { costs = { x9c = "3 us", sense = "0.5 us" }, soft_wait = "0.1 s" }

[[virtual_machine]]
name = "CLIENT"
partition = "ZVM"
count = 2
virtual_processors = 4
guest_type = "SLES 10"
spin_try = "10 ns"

[[virtual_machine]]
name = "SERVER"
partition = "ZVM"
count = 3
virtual_processors = 2
yields = "x44"

[[spin_lock]]
name = "DCACHE"
virtual_machine = "CLIENT"

[[spin_lock]]
name = "INODE"
virtual_machine = "CLIENT"
count = 4
order = "ticket"

[[spin_lock]]
name = "SOCKET"
virtual_machine = "SERVER"
order = "queued"

[[network]]
name = "LAN"
latency = "100 us"
rate = "100 MB"

[[network]]
name = "NEAR"
latency = "5 us"

[[resource]]
name = "SLOT"
count = 3

[[guest]]
name = "CONNECTIONS"
virtual_machine = "CLIENT"
count = 12
program = [
  { exchange = "REQUESTS", network = "LAN", request = "1 kB", reply = "0.5 MB" },
  { lock = "DCACHE", steps = [ { compute = "5 us" }, { lock = "INODE", steps = [ { compute = "3 us" } ] } ] },
  { compute = { exponential = "200 us" } },
]

[[guest]]
name = "REQUESTS"
virtual_machine = "SERVER"
arrives = "spawned"
program = [
  { hold = "SLOT", steps = [ { compute = "0.1 ms" } ] },
  { lock = "SOCKET", steps = [ { compute = "4 us" } ] },
  { exchange = "LOGS", network = "NEAR" },
]

[[guest]]
name = "LOGS"
virtual_machine = "SERVER"
arrives = "spawned"
program = [ { compute = "20 us" } ]
"#;

/// The same with one piece of its text replaced; the piece must be there once.
pub fn spin_with(old: &str, new: &str) -> String {
    assert_eq!(SPIN.matches(old).count(), 1, "`{old}` occurs once in the sample that spins");
    SPIN.replace(old, new)
}

/// Checks that it is refused with one piece replaced, as [`refused`] does.
#[track_caller]
pub fn spin_refused(old: &str, new: &str, key: &str, says: &str) -> Problem {
    refused(&spin_with(old, new), key, says)
}
