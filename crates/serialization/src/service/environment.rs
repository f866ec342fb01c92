//! From where a request may be made: the door it comes through, whose memory it is in, whether locks are held.

use crate::request::Linkage;

/// Whose memory the caller is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Memory {
    /// Its home address space is the primary and the secondary too: PASN = HASN = SASN.
    Home,
    /// Another one is: cross-memory mode.
    Cross,
}

/// The locks that the caller holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locks {
    /// No locks.
    None,
    /// Some lock of the system.
    Held,
}

/// The authority of the caller; limits are counted apart for the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Authority {
    /// Problem state, a key from 8 on, no APF authorization.
    Unauthorized,
    /// Supervisor state, a key from 0 to 7, or APF authorization.
    Authorized,
}

/// How and from where a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Caller {
    /// Through which door.
    pub linkage: Linkage,
    /// In whose memory.
    pub memory: Memory,
    /// With what held.
    pub locks: Locks,
    /// Allowed what.
    pub authority: Authority,
}

impl Caller {
    /// An unauthorized program in its own address space that uses the supervisor call.
    pub const PROBLEM_PROGRAM: Caller =
        Caller { linkage: Linkage::Svc, memory: Memory::Home, locks: Locks::None, authority: Authority::Unauthorized };

    /// Whether the door may be used from where the caller is: the supervisor call from home alone, the program call
    /// from any address space, neither with a lock held.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, DEQ and ENQ, Environment: Cross memory mode,
    /// Locks. Cross-memory callers are what the program call was made for (GRS/MIM Installation Exit Performance).
    #[inline]
    pub const fn may_call(self) -> bool {
        match (self.locks, self.linkage, self.memory) {
            (Locks::Held, Linkage::Svc | Linkage::Pc, Memory::Home | Memory::Cross) => false,
            (Locks::None, Linkage::Svc, Memory::Cross) => false,
            (Locks::None, Linkage::Svc, Memory::Home) => true,
            (Locks::None, Linkage::Pc, Memory::Home | Memory::Cross) => true,
        }
    }
}
