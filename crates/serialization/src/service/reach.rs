//! The reach of a name: one address space, one system, or all systems.

use crate::request::{Requester, Scope};

/// A scope made definite by its requester; two requests are for the same resource when their names and reaches are the
/// same.
///
/// Source: MVS Programming: Assembler Services Guide, ENQ, the scope of a resource name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// The tasks of this address space.
    Space {
        /// The system.
        system: u16,
        /// The address space, within its system.
        space: u16,
    },
    /// The tasks of this system.
    System {
        /// The system.
        system: u16,
    },
    /// All systems.
    Systems,
}

impl Reach {
    /// How far a request of this scope reaches.
    #[inline]
    pub const fn of(scope: Scope, by: Requester) -> Self {
        match scope {
            Scope::Step => Reach::Space { system: by.system, space: by.space },
            Scope::System => Reach::System { system: by.system },
            Scope::Systems => Reach::Systems,
        }
    }

    /// The scope that was asked for.
    pub const fn scope(self) -> Scope {
        match self {
            Reach::Space { .. } => Scope::Step,
            Reach::System { .. } => Scope::System,
            Reach::Systems => Scope::Systems,
        }
    }

    /// A number that identifies it.
    #[inline]
    pub(super) const fn number(self) -> u64 {
        match self {
            Reach::Space { system, space } => 1 << 32 | (system as u64) << 16 | space as u64,
            Reach::System { system } => 2 << 32 | (system as u64) << 16,
            Reach::Systems => 3 << 32,
        }
    }
}
