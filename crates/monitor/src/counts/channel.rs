//! The counts of a channel path, in whole numbers.

use kernel::statistics::{Tally, TimeAverage};
use machine::signal::Carrying;
use units::Tod;

/// Of a channel path: by direction (reads, writes), and in either.
#[derive(Clone, Debug, Default)]
pub struct ChannelCounts {
    /// The I/Os that it carries, per direction.
    carried: [u32; 2],
    /// Whether it carries an I/O, per direction.
    pub carries: [TimeAverage; 2],
    /// Whether it carries an I/O in either direction.
    pub busy: TimeAverage,
    /// How long it carried each I/O, per direction; alone, where it carried others beside it.
    pub times: [Tally; 2],
    /// How much longer each I/O took since it asked for it.
    pub waits: Tally,
    /// Bytes that it carried, per direction.
    pub bytes: [u64; 2],
}

impl ChannelCounts {
    #[inline]
    pub fn signal(&mut self, now: Tod, what: Carrying) {
        match what {
            Carrying::Begun { access } => {
                if self.carried == [0; 2] {
                    self.busy.change(now, 1);
                }
                let carried = &mut self.carried[access.index()];
                if *carried == 0 {
                    self.carries[access.index()].change(now, 1);
                }
                *carried += 1;
            }
            Carrying::Ended { transfer, took, waited } => {
                let direction = transfer.access().index();
                self.times[direction].add(took);
                self.waits.add(waited);
                self.bytes[direction] += u64::from(transfer.bytes());
                self.carried[direction] -= 1;
                if self.carried[direction] == 0 {
                    self.carries[direction].change(now, -1);
                }
                if self.carried == [0; 2] {
                    self.busy.change(now, -1);
                }
            }
        }
    }

    pub fn reset(&mut self, now: Tod) {
        self.carries.iter_mut().for_each(|carries| carries.reset(now));
        self.busy.reset(now);
        self.times = Default::default();
        self.waits = Tally::default();
        self.bytes = [0; 2];
    }
}
