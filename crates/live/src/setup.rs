//! A measurement and its results: threads, their waits, and instants in nanoseconds since the start.

use std::path::PathBuf;
use std::time::Duration;
use units::Problem;

/// The longest measurement, which bounds what a mistake can cost.
pub const LONGEST: Duration = Duration::from_secs(600);

/// Threads of one measurement, all on one processor.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The processor that all of them are pinned to, as the system counts them.
    pub processor: usize,
    /// How long waits are begun.
    pub length: Duration,
    /// Whether a thread burns whatever processor time the others leave.
    pub burner: bool,
    /// The waiters.
    pub waiters: Vec<Waiter>,
    /// Names the random streams that starts are drawn from.
    pub seed: u64,
}

/// A thread that starts, waits, and notes when it saw that its wait was over, again and again.
#[derive(Clone, Debug)]
pub struct Waiter {
    /// The object of its waits.
    pub wait: Wait,
    /// When it starts.
    pub start: Start,
}

/// The object of a wait.
#[derive(Clone, Debug)]
pub enum Wait {
    /// A timer of this length.
    Timer(Duration),
    /// A read past the page cache of this many bytes at a random place of a file.
    Read {
        /// The file, longer than one read.
        path: PathBuf,
        /// A multiple of [`Wait::BLOCK`].
        bytes: usize,
    },
}

impl Wait {
    /// Length and place of a direct read are multiples of this.
    pub const BLOCK: usize = 4096;
}

/// When a waiter starts to wait.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// At an instant drawn uniformly over this length from now.  It is drawn again whenever the thread was not running
    /// at that instant, so that starts are uniform over the time in which it runs.
    Uniform(Duration),
    /// After the thread has seen the end of the last wait, and this much processor time of its own.
    Locked(Duration),
}

/// One wait, in nanoseconds since the start of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// When the thread began to work before it started.
    pub began: u64,
    /// When it started to wait.
    pub started: u64,
    /// When the wait was over; that of a read is known only when it is seen.
    pub due: Option<u64>,
    /// When the thread saw that.
    pub seen: u64,
}

/// The results of one waiter.
#[derive(Clone, Debug, Default)]
pub struct Waited {
    /// Its waits, in their order.
    pub waits: Vec<Seen>,
    /// Starts that were drawn and found it not carried.
    pub missed: u64,
}

/// A stretch in which the burner did not run, in nanoseconds since the start of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The last instant at which it ran before.
    pub from: u64,
    /// The first at which it ran again.
    pub to: u64,
}

/// The results of one measurement.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Of each waiter, in the order of the setup.
    pub waiters: Vec<Waited>,
    /// Of the burner, those of at least [`Gap::LEAST_NS`].
    pub gaps: Vec<Gap>,
}

impl Gap {
    /// Shorter ones are other threads' moments, not the loss of a slice.
    pub const LEAST_NS: u64 = 300_000;
    /// How many are kept at most.
    pub const MOST: usize = 1 << 18;
}

impl Setup {
    /// Everything that is wrong with it.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.length.is_zero() || self.length > LONGEST {
            let what = format!("a measurement of {:?}", self.length);
            problems.push(Problem::new(what).key("seconds").allowed(["more than 0 s, at most 600 s"]));
        }
        if self.waiters.is_empty() {
            problems.push(Problem::new("nobody waits").key("waiters").because("then nothing is measured"));
        }
        for waiter in &self.waiters {
            problems.extend(waiter.problem());
        }
        problems
    }
}

impl Waiter {
    fn problem(&self) -> Option<Problem> {
        match (&self.wait, self.start) {
            (Wait::Timer(length), Start::Locked(work)) if length.is_zero() && work.is_zero() => {
                Some(Problem::new("a waiter neither waits nor works").key("waits"))
            }
            (Wait::Read { bytes, .. }, _) if *bytes == 0 || bytes % Wait::BLOCK != 0 => {
                let allowed = [format!("a multiple of {}", Wait::BLOCK)];
                Some(Problem::new(format!("a direct read of {bytes} bytes")).key("disk").allowed(allowed))
            }
            (Wait::Timer(_) | Wait::Read { .. }, Start::Uniform(_) | Start::Locked(_)) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let read = Wait::Read { path: PathBuf::from("scratch"), bytes: 100 };
        let idle = Waiter { wait: Wait::Timer(Duration::ZERO), start: Start::Locked(Duration::ZERO) };
        let waiters = vec![Waiter { wait: read, start: Start::Uniform(Duration::ZERO) }, idle];
        let setup = Setup { processor: 0, length: Duration::ZERO, burner: true, waiters, seed: 1 };
        let keys: Vec<String> = setup.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["seconds", "disk", "waits"]);
        assert_eq!(Setup { waiters: Vec::new(), ..setup }.problems().len(), 2);
    }
}
