//! The queues at the bases: first in, first out, threaded through the requesters, each of which waits in one place at a
//! time.

use crate::ids::{Pool, Requester, Volume};
use crate::io::Io;

/// The neighbours of a place in a queue, which is a ring: behind the last place and ahead of the first is its end.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    ahead: u32,
    behind: u32,
}

/// The place of a requester: at the base, and in the pool where that order matters.
#[derive(Clone, Copy, Debug)]
struct Place {
    io: Io,
    rings: [Neighbours; 2],
}

/// The ring of a place in the queue at a base.
const AT_BASE: usize = 0;
/// Its ring in the order of a pool.
const IN_POOL: usize = 1;

/// A queue: that of a volume's base, or the order of a pool.  Both are served alike, because no branch predictor learns
/// which of them an exposure that becomes free serves.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    end: u32,
    ring: u32,
}

/// The places of all requesters.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Ends of the queues of volumes, then those of pools, then requesters.
    places: Vec<Place>,
    volumes: u32,
    /// How many ends there are.
    ends: u32,
}

impl Place {
    /// A place in no queue, or the end of an empty one.
    const fn alone(place: u32) -> Place {
        Place { io: Io::to(Volume(0)), rings: [Neighbours { ahead: place, behind: place }; 2] }
    }
}

impl Waiting {
    /// Empty queues of this many volumes and pools.
    pub(super) fn new(volumes: usize, pools: usize) -> Self {
        let ends = (volumes + pools) as u32;
        Waiting { places: (0..ends).map(Place::alone).collect(), volumes: volumes as u32, ends }
    }

    /// A requester joins the queue at the base of a volume, and the order of a pool where that matters.
    #[inline(always)]
    pub(super) fn join(&mut self, requester: Requester, io: Io, ordered_by: Option<Pool>) {
        let place = self.ends + requester.0;
        if self.places.len() <= place as usize {
            self.grow(place);
        }
        let places = &mut self.places[..];
        places[place as usize].io = io;
        link::<AT_BASE>(places, place, io.volume.0);
        if let Some(pool) = ordered_by {
            link::<IN_POOL>(places, place, self.volumes + pool.0);
        }
    }

    #[cold]
    fn grow(&mut self, place: u32) {
        self.places.extend((self.places.len() as u32..=place).map(Place::alone));
    }

    /// The queue at the base of a volume.
    #[inline(always)]
    pub(super) const fn at(volume: Volume) -> Queue {
        Queue { end: volume.0, ring: AT_BASE as u32 }
    }

    /// The order of a pool.
    #[inline(always)]
    pub(super) const fn of(&self, pool: Pool) -> Queue {
        Queue { end: self.volumes + pool.0, ring: IN_POOL as u32 }
    }

    /// The requester that has waited longest in a queue leaves.  The first in a pool is also the first at its volume.
    #[inline(always)]
    pub(super) fn take(&mut self, Queue { end, ring }: Queue) -> Option<(Requester, Io)> {
        let first = self.places[end as usize].rings[ring as usize % 2].behind;
        (first != end).then(|| self.leave(first))
    }

    /// How many wait in the order of a pool, which is kept only where its policy asks for it.
    pub fn in_order_of(&self, pool: Pool) -> u32 {
        let end = self.volumes + pool.0;
        let places = std::iter::successors(Some(end), |place| Some(self.places[*place as usize].rings[IN_POOL].behind));
        places.skip(1).take_while(|place| *place != end).count() as u32
    }

    /// The requester at a place leaves its queues; in no order of a pool it is alone.
    #[inline(always)]
    fn leave(&mut self, place: u32) -> (Requester, Io) {
        let places = &mut self.places[..];
        let Place { io, rings } = places[place as usize];
        unlink::<AT_BASE>(places, rings[AT_BASE]);
        unlink::<IN_POOL>(places, rings[IN_POOL]);
        places[place as usize].rings[IN_POOL] = Neighbours { ahead: place, behind: place };
        (Requester(place - self.ends), io)
    }
}

/// A place becomes the last of the queue with this end.
#[inline(always)]
fn link<const RING: usize>(places: &mut [Place], place: u32, end: u32) {
    let last = std::mem::replace(&mut places[end as usize].rings[RING].ahead, place);
    places[last as usize].rings[RING].behind = place;
    places[place as usize].rings[RING] = Neighbours { ahead: last, behind: end };
}

/// The place between these leaves a queue.  A base may take a requester out of the middle of the pool's order.
#[inline(always)]
fn unlink<const RING: usize>(places: &mut [Place], Neighbours { ahead, behind }: Neighbours) {
    places[ahead as usize].rings[RING].behind = behind;
    places[behind as usize].rings[RING].ahead = ahead;
}
