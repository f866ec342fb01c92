//! The queues at the bases: first in, first out, threaded through the requesters, who wait in one place at a time.

use super::alias_pool::AliasPool;
use super::queue::Queue;
use super::volume::{Aliases, VolumeState};
use crate::ids::{Pool, Requester, Volume};
use crate::io::Io;

/// Where a requester stands: neighbours at the base, and among all who wait in the pool where that order matters.
#[derive(Clone, Copy, Debug)]
struct Place {
    io: Io,
    behind: Option<Requester>,
    pool_ahead: Option<Requester>,
    pool_behind: Option<Requester>,
}

const NOWHERE: Place = Place { io: Io::to(Volume(0)), behind: None, pool_ahead: None, pool_behind: None };

/// The places of all requesters.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    places: Vec<Place>,
}

impl Waiting {
    /// A requester joins the queue at the base of a volume.
    #[inline(always)]
    pub(super) fn join(&mut self, requester: Requester, io: Io, volumes: &mut [VolumeState], pools: &mut [AliasPool]) {
        if self.places.len() <= requester.index() {
            self.places.resize(requester.index() + 1, NOWHERE);
        }
        let volume = io.volume;
        let queue = &mut volumes[volume.index()].queue;
        self.places[requester.index()] = Place { io, ..NOWHERE };
        match queue.last {
            Some(last) => self.places[last.index()].behind = Some(requester),
            None => queue.first = Some(requester),
        }
        queue.last = Some(requester);
        queue.len += 1;
        if let Some(pool) = ordered_pool(&volumes[volume.index()], pools) {
            self.join_pool(requester, &mut pools[pool.index()].queue);
        }
    }

    /// Who has waited longest at a volume leaves its queue.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        volume: Volume,
        volumes: &mut [VolumeState],
        pools: &mut [AliasPool],
    ) -> Option<(Requester, Io)> {
        let queue = &mut volumes[volume.index()].queue;
        let requester = queue.first?;
        let Place { io, behind, .. } = self.places[requester.index()];
        queue.first = behind;
        if queue.first.is_none() {
            queue.last = None;
        }
        queue.len -= 1;
        if let Some(pool) = ordered_pool(&volumes[volume.index()], pools) {
            self.leave_pool(requester, &mut pools[pool.index()].queue);
        }
        Some((requester, io))
    }

    /// The volume at which the requester waits who has waited longest in a pool.
    #[inline(always)]
    pub(super) fn oldest(&self, pool: &AliasPool) -> Option<Volume> {
        pool.queue.first.map(|requester| self.places[requester.index()].io.volume)
    }

    #[inline(always)]
    fn join_pool(&mut self, requester: Requester, queue: &mut Queue) {
        self.places[requester.index()].pool_ahead = queue.last;
        match queue.last {
            Some(last) => self.places[last.index()].pool_behind = Some(requester),
            None => queue.first = Some(requester),
        }
        queue.last = Some(requester);
        queue.len += 1;
    }

    /// A base may take somebody out of the middle of the pool's order, so that order is linked both ways.
    #[inline(always)]
    fn leave_pool(&mut self, requester: Requester, queue: &mut Queue) {
        let Place { pool_ahead, pool_behind, .. } = self.places[requester.index()];
        match pool_ahead {
            Some(ahead) => self.places[ahead.index()].pool_behind = pool_behind,
            None => queue.first = pool_behind,
        }
        match pool_behind {
            Some(behind) => self.places[behind.index()].pool_ahead = pool_ahead,
            None => queue.last = pool_ahead,
        }
        queue.len -= 1;
    }
}

/// The pool of a volume when the pool needs the order of all who wait in it.
#[inline]
fn ordered_pool(volume: &VolumeState, pools: &[AliasPool]) -> Option<Pool> {
    match volume.aliases {
        Aliases::Pool(pool) if pools[pool.index()].redispatch.looks_across_volumes() => Some(pool),
        Aliases::Pool(_) | Aliases::Bound { .. } | Aliases::None => None,
    }
}
