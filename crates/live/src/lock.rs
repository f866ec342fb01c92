//! One lock, and the ways in which real threads wait for it: they spin, yield their processor, or sleep in the kernel.

use rustix::process::setpriority_process;
use rustix::thread::{Pid, futex, gettid};
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::yield_now;

/// How a thread waits for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// It tries an atomic exchange again and again.
    Spin,
    /// It draws a ticket, and looks until that is served.
    Ticket,
    /// It spins, and calls `sched_yield` after some tries.
    Yield,
    /// It draws a ticket, and calls `sched_yield` after some looks.
    TicketYield,
    /// It sleeps in the kernel until a release wakes it: a raw futex with three states, without a spin phase.
    Futex,
    /// As `Yield`; the holder has the highest priority while it holds (`setpriority`).
    Handover,
}

impl Method {
    /// All of them, as they are called.
    pub const NAMED: [(&'static str, Method); 6] = [
        ("spin", Method::Spin),
        ("ticket", Method::Ticket),
        ("yield", Method::Yield),
        ("ticket-yield", Method::TicketYield),
        ("futex", Method::Futex),
        ("handover", Method::Handover),
    ];
}

/// The nice level of a holder whose priority is lifted.
const LIFTED: i32 = -20;

/// A lock.
#[derive(Debug, Default)]
pub struct Lock {
    /// Free, held, or held while others may sleep; the next ticket, where there are tickets.
    word: AtomicU32,
    /// The ticket that is served.
    serving: AtomicU32,
}

const FREE: u32 = 0;
const HELD: u32 = 1;
const CONTENDED: u32 = 2;

impl Lock {
    /// Waits for the lock and has it; yields after this many tries, where the method does.
    pub fn take(&self, method: Method, tries: u32) {
        match method {
            Method::Spin => self.spin(u32::MAX),
            Method::Yield | Method::Handover => self.spin(tries),
            Method::Ticket => self.queue(u32::MAX),
            Method::TicketYield => self.queue(tries),
            Method::Futex => self.sleep(),
        }
    }

    /// Releases the lock.
    pub fn give(&self, method: Method) {
        match method {
            Method::Spin | Method::Yield | Method::Handover => self.word.store(FREE, Ordering::Release),
            Method::Ticket | Method::TicketYield => {
                self.serving.fetch_add(1, Ordering::Release);
            }
            Method::Futex => {
                if self.word.swap(FREE, Ordering::Release) == CONTENDED {
                    // A wake-up that is refused would leave a sleeper behind: the address is valid, so it is not.
                    let _ = futex::wake(&self.word, futex::Flags::PRIVATE, 1);
                }
            }
        }
    }

    /// One try; whether it has the lock now.
    pub fn tries(&self) -> bool {
        self.word.load(Ordering::Relaxed) == FREE
            && self.word.compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn spin(&self, tries: u32) {
        let mut left = tries;
        while !self.tries() {
            pause(&mut left, tries);
        }
    }

    fn queue(&self, tries: u32) {
        let own = self.word.fetch_add(1, Ordering::Relaxed);
        let mut left = tries;
        while self.serving.load(Ordering::Acquire) != own {
            pause(&mut left, tries);
        }
    }

    /// Drepper, Futexes Are Tricky, Mutex, Take 2: the word says whether a release has to wake.
    fn sleep(&self) {
        if self.word.compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            return;
        }
        while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
            // It returns at once where the word has changed, and is tried again in any case.
            let _ = futex::wait(&self.word, futex::Flags::PRIVATE, CONTENDED, None);
        }
    }
}

fn pause(left: &mut u32, tries: u32) {
    spin_loop();
    *left -= 1;
    if *left == 0 {
        if tries != u32::MAX {
            yield_now();
        }
        *left = tries;
    }
}

/// The priority of the calling thread, lifted or as it was.
#[derive(Clone, Copy, Debug)]
pub struct Priority {
    thread: Pid,
    usual: i32,
}

impl Priority {
    /// That of the calling thread.
    ///
    /// # Errors
    /// Where the system does not say.
    pub fn own() -> Result<Self, String> {
        let thread = gettid();
        let usual = rustix::process::getpriority_process(Some(thread)).map_err(|error| error.to_string())?;
        Ok(Priority { thread, usual })
    }

    /// Lifts it.
    ///
    /// # Errors
    /// Where the system refuses: it takes CAP_SYS_NICE, or RLIMIT_NICE.
    pub fn lift(self) -> Result<(), String> {
        setpriority_process(Some(self.thread), LIFTED).map_err(|error| error.to_string())
    }

    /// Puts it back.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn restore(self) -> Result<(), String> {
        setpriority_process(Some(self.thread), self.usual).map_err(|error| error.to_string())
    }
}
