//! The policies by which an alias is redispatched, and their names.

/// What becomes of an alias when its I/O ends and requests wait (not documented for z/VM: a knob).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redispatch {
    /// It goes back to the pool and waits for a new request that finds its base busy.
    #[default]
    None,
    /// It takes the oldest request that waits at the volume it just served.
    SameVolume,
    /// It takes the oldest request that waits at any volume of the pool.
    PoolFifo,
}

impl Redispatch {
    /// Every policy with its name in a scenario, the default first; whoever lists policies takes them from here.
    pub const NAMED: [(&str, Redispatch); 3] =
        [("none", Self::None), ("same-volume", Self::SameVolume), ("pool-fifo", Self::PoolFifo)];

    /// The names alone.
    pub const NAMES: [&str; Self::NAMED.len()] = {
        let mut names = [""; Self::NAMED.len()];
        let mut number = 0;
        while number < names.len() {
            names[number] = Self::NAMED[number].0;
            number += 1;
        }
        names
    };

    /// The policy of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, policy)| *policy)
    }

    /// Whether the order of all who wait in a pool must be kept.
    #[inline(always)]
    pub(crate) const fn looks_across_volumes(self) -> bool {
        match self {
            Self::None | Self::SameVolume => false,
            Self::PoolFifo => true,
        }
    }
}
