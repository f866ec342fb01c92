//! One cache: how much all have in it, and how what each has shrinks when others load more.

/// A cache that several share.
///
/// Displacing takes the same share from all others, so it is one factor for the cache instead of a walk over them.
/// When the product of the factors gets small an epoch ends; what is two epochs old has shrunk to nothing.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    capacity: f64,
    occupancy: f64,
    /// The remaining part of one KiB since this epoch began.
    decay: f64,
    /// The remaining part of one KiB of the epoch before at its end.
    before: f64,
    epoch: u64,
}

/// The contents that an owner had in a cache when it last loaded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stamp {
    /// In KiB of the beginning of the epoch.
    amount: f64,
    epoch: u64,
}

/// The remaining part at the end of an epoch; one part in 10^18 of a cache is far below a byte.
const EPOCH_ENDS: f64 = 1e-18;

impl Cache {
    /// An empty cache of this many KiB.
    pub fn new(capacity: f64) -> Self {
        Cache { capacity, occupancy: 0.0, decay: 1.0, before: 1.0, epoch: 0 }
    }

    /// How much it holds, in KiB.
    pub fn capacity(&self) -> f64 {
        self.capacity
    }

    /// How much all have in it, in KiB.
    pub fn occupancy(&self) -> f64 {
        self.occupancy
    }

    /// How much the owner of a stamp still has in it, in KiB.
    #[inline]
    pub fn resident(&self, stamp: Stamp) -> f64 {
        match self.epoch - stamp.epoch {
            0 => stamp.amount * self.decay,
            1 => stamp.amount * self.before * self.decay,
            _ => 0.0,
        }
    }

    /// Sets the contents of the owner of a stamp, which are no smaller than before.
    #[inline]
    pub fn load(&mut self, stamp: &mut Stamp, has: f64) {
        assert!(has <= self.capacity, "no owner has more in a cache than it holds");
        let others = (self.occupancy - self.resident(*stamp)).max(0.0);
        let room = self.capacity - has;
        if others > room {
            self.shrink(room / others);
            self.occupancy = self.capacity;
        } else {
            self.occupancy = others + has;
        }
        *stamp = Stamp { amount: has / self.decay, epoch: self.epoch };
    }

    /// The owner of a stamp has nothing in it from now on, and no use for the stamp.
    pub fn give_up(&mut self, stamp: Stamp) {
        self.occupancy = (self.occupancy - self.resident(stamp)).max(0.0);
    }

    /// The stamp of an owner without contents.
    #[inline]
    pub fn nothing(&self) -> Stamp {
        Stamp { amount: 0.0, epoch: self.epoch }
    }

    /// Scales the contents of all owners by this factor.
    fn shrink(&mut self, factor: f64) {
        self.decay *= factor;
        if self.decay < EPOCH_ENDS {
            self.before = self.decay;
            self.decay = 1.0;
            self.epoch += 1;
        }
    }
}
