//! How many RESERVEs of each system have a volume: with the first it is reserved, with the last it is released.

use super::effect::{Effect, Outbox};
use super::index::{Index, spread};
use super::slots::Slots;
use crate::request::Reserve;

/// A volume as one system sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    pub(super) system: u16,
    pub(super) volume: u32,
    pub(super) reserves: u32,
}

/// All volumes that were ever reserved from somewhere.
#[derive(Clone, Debug)]
pub(super) struct Volumes {
    index: Index,
    pub(super) counts: Slots<Count>,
}

impl Volumes {
    pub(super) fn new() -> Self {
        Volumes { index: Index::new(), counts: Slots::new() }
    }

    /// Counts a RESERVE that has what it asked for. Source: RESERVE in the Authorized Assembler Services Reference, and
    /// MVS System Codes, 738: the system keeps a count of reserves.
    pub(super) fn reserve(&mut self, system: u16, reserve: Reserve, outbox: &mut Outbox) {
        let slot = self.find(system, reserve.volume).unwrap_or_else(|| {
            let slot = self.counts.take();
            self.index.insert(hash(system, reserve.volume), slot);
            self.counts[slot] = Count { system, volume: reserve.volume, reserves: 0 };
            slot
        });
        self.counts[slot].reserves += 1;
        if self.counts[slot].reserves == 1 {
            outbox.push(Effect::ReserveVolume { system, volume: reserve.volume });
        }
    }

    /// Counts one that had it and has it no more.
    pub(super) fn release(&mut self, system: u16, reserve: Reserve, outbox: &mut Outbox) {
        let slot = self.find(system, reserve.volume).expect("what is released was reserved");
        self.counts[slot].reserves -= 1;
        if self.counts[slot].reserves == 0 {
            self.index.remove(slot);
            self.counts.give(slot);
            outbox.push(Effect::ReleaseVolume { system, volume: reserve.volume });
        }
    }

    /// How many RESERVEs of a system have a volume.
    pub(super) fn reserves(&self, system: u16, volume: u32) -> u32 {
        self.find(system, volume).map_or(0, |slot| self.counts[slot].reserves)
    }

    fn find(&self, system: u16, volume: u32) -> Option<u32> {
        self.index.find(hash(system, volume), |slot| {
            let count = &self.counts[slot];
            count.system == system && count.volume == volume
        })
    }
}

fn hash(system: u16, volume: u32) -> u64 {
    spread(u64::from(system) << 32 | u64::from(volume))
}
