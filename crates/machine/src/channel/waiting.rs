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
    base: Neighbours,
    pool: Neighbours,
}

/// The queue of a volume's base, or the order of a pool.
#[derive(Clone, Copy)]
enum Queue {
    Base,
    Pool,
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
        let alone = Neighbours { ahead: place, behind: place };
        Place { io: Io::to(Volume(0)), base: alone, pool: alone }
    }

    #[inline(always)]
    fn neighbours(&mut self, queue: Queue) -> &mut Neighbours {
        match queue {
            Queue::Base => &mut self.base,
            Queue::Pool => &mut self.pool,
        }
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
        link(places, Queue::Base, place, io.volume.0);
        if let Some(pool) = ordered_by {
            link(places, Queue::Pool, place, self.volumes + pool.0);
        }
    }

    #[cold]
    fn grow(&mut self, place: u32) {
        self.places.extend((self.places.len() as u32..=place).map(Place::alone));
    }

    /// The requester that has waited longest at a volume leaves.
    #[inline(always)]
    pub(super) fn take(&mut self, volume: Volume) -> Option<(Requester, Io)> {
        let first = self.places[volume.index()].base.behind;
        (first != volume.0).then(|| self.leave(first))
    }

    /// The requester that has waited longest in a pool leaves.  It has waited longest at its volume too.
    #[inline(always)]
    pub(super) fn take_oldest(&mut self, pool: Pool) -> Option<(Requester, Io)> {
        let end = self.volumes + pool.0;
        let first = self.places[end as usize].pool.behind;
        (first != end).then(|| self.leave(first))
    }

    /// How many wait in the order of a pool, which is kept only where its policy asks for it.
    pub fn in_order_of(&self, pool: Pool) -> u32 {
        let end = self.volumes + pool.0;
        let places = std::iter::successors(Some(end), |place| Some(self.places[*place as usize].pool.behind));
        places.skip(1).take_while(|place| *place != end).count() as u32
    }

    /// The requester at a place leaves its queues; in no order of a pool it is alone.
    #[inline(always)]
    fn leave(&mut self, place: u32) -> (Requester, Io) {
        let places = &mut self.places[..];
        let Place { io, base, pool } = places[place as usize];
        unlink(places, Queue::Base, base);
        unlink(places, Queue::Pool, pool);
        places[place as usize].pool = Neighbours { ahead: place, behind: place };
        (Requester(place - self.ends), io)
    }
}

/// A place becomes the last of a queue.
#[inline(always)]
fn link(places: &mut [Place], queue: Queue, place: u32, end: u32) {
    let last = std::mem::replace(&mut places[end as usize].neighbours(queue).ahead, place);
    places[last as usize].neighbours(queue).behind = place;
    *places[place as usize].neighbours(queue) = Neighbours { ahead: last, behind: end };
}

/// The place between these leaves a queue.  A base may take a requester out of the middle of the pool's order.
#[inline(always)]
fn unlink(places: &mut [Place], queue: Queue, Neighbours { ahead, behind }: Neighbours) {
    places[ahead as usize].neighbours(queue).behind = behind;
    places[behind as usize].neighbours(queue).ahead = ahead;
}
