//! How a path group chooses a channel, which part of an I/O holds that channel, how a channel serves I/Os, and their names.

/// How a path group chooses the channel of an I/O.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// In turn, whatever waits there.
    #[default]
    Rotating,
    /// The next in turn that is free; where none is, the first that becomes free.
    FirstFree,
}

impl Selection {
    /// Every rule with its name in a scenario, the default first.
    pub const NAMES: [&str; 2] = ["rotating", "first-free"];

    /// The rule of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "rotating" => Some(Self::Rotating),
            "first-free" => Some(Self::FirstFree),
            _ => None,
        }
    }
}

/// The part of an I/O that holds a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// Its serial part alone, after the rest of its connect time; waits are connect time.
    #[default]
    Transfer,
    /// Its whole connection; waits are pend time, or disconnect time where it had disconnected.
    Connection,
}

impl Holds {
    /// Every kind with its name in a scenario, the default first.
    pub const NAMES: [&str; 2] = ["transfer", "connection"];

    /// The kind of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "transfer" => Some(Self::Transfer),
            "connection" => Some(Self::Connection),
            _ => None,
        }
    }
}

/// How a channel serves the I/Os that it carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// The frames of all of them are interleaved: each progresses evenly.
    #[default]
    Shared,
    /// One at a time, in the order of asking.
    Fifo,
}

impl Discipline {
    /// Every discipline with its name in a scenario, the default first.
    pub const NAMES: [&str; 2] = ["shared", "fifo"];

    /// The discipline of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "shared" => Some(Self::Shared),
            "fifo" => Some(Self::Fifo),
            _ => None,
        }
    }
}
