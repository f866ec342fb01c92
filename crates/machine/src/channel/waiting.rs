//! The queues at the bases: first in, first out, threaded through the requesters, each of which waits in one place at a
//! time.

use crate::ids::{Pool, Requester, Volume};
use crate::io::Io;

/// The neighbours of a link in a queue, which is a ring: behind the last link and ahead of the first is its end.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    ahead: u32,
    behind: u32,
}

/// A queue, by the link that is its end: that of a volume's base, or the order of a pool.  Both are served alike, because
/// no branch predictor learns which of them an exposure that becomes free serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue(u32);

/// The places of all requesters.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Two links of each place: in the queue at a base, and in the order of a pool where that matters.
    links: Vec<Neighbours>,
    /// The I/O of each place.
    ios: Vec<Io>,
    volumes: u32,
    /// Places that are ends of queues: those of volumes, then those of pools.  Places of requesters follow.
    ends: u32,
}

/// The link of a place in the queue at a base.
const fn at_base(place: u32) -> u32 {
    2 * place
}

/// Its link in the order of a pool.
const fn in_pool(place: u32) -> u32 {
    2 * place + 1
}

impl Waiting {
    /// Empty queues of this many volumes and pools.
    pub(super) fn new(volumes: usize, pools: usize) -> Self {
        let ends = (volumes + pools) as u32;
        let mut waiting = Waiting { links: Vec::new(), ios: Vec::new(), volumes: volumes as u32, ends };
        waiting.grow(ends);
        waiting
    }

    /// The queue at the base of a volume.
    #[inline(always)]
    pub(super) const fn at(volume: Volume) -> Queue {
        Queue(at_base(volume.0))
    }

    /// The order of a pool.
    #[inline(always)]
    pub(super) const fn of(&self, pool: Pool) -> Queue {
        Queue(in_pool(self.volumes + pool.0))
    }

    /// A requester joins the queue at the base of a volume, and the order of a pool where that matters.
    #[inline(always)]
    pub(super) fn join(&mut self, requester: Requester, io: Io, ordered_by: Option<Pool>) {
        let place = self.ends + requester.0;
        if self.ios.len() <= place as usize {
            self.grow(place + 1);
        }
        self.ios[place as usize] = io;
        let Queue(base) = Self::at(io.volume);
        link(&mut self.links, at_base(place), base);
        if let Some(pool) = ordered_by {
            let Queue(order) = self.of(pool);
            link(&mut self.links, in_pool(place), order);
        }
    }

    /// There are this many places from now on; new ones are in no queue.
    #[cold]
    fn grow(&mut self, places: u32) {
        self.ios.resize(places as usize, Io::to(Volume(0)));
        let links = self.links.len() as u32..2 * places;
        self.links.extend(links.map(|link| Neighbours { ahead: link, behind: link }));
    }

    /// The requester that has waited longest in a queue leaves.  The first in a pool is also the first at its volume.
    #[inline(always)]
    pub(super) fn take(&mut self, Queue(end): Queue) -> Option<(Requester, Io)> {
        let first = self.links[end as usize].behind;
        (first != end).then(|| self.leave(first / 2))
    }

    /// How many wait in the order of a pool, which is kept only where its policy asks for it.
    pub fn in_order_of(&self, pool: Pool) -> u32 {
        let Queue(end) = self.of(pool);
        let links = std::iter::successors(Some(end), |link| Some(self.links[*link as usize].behind));
        links.skip(1).take_while(|link| *link != end).count() as u32
    }

    /// The requester at a place leaves its queues; in no order of a pool it is alone.
    #[inline(always)]
    fn leave(&mut self, place: u32) -> (Requester, Io) {
        unlink(&mut self.links, at_base(place));
        let order = in_pool(place);
        unlink(&mut self.links, order);
        self.links[order as usize] = Neighbours { ahead: order, behind: order };
        (Requester(place - self.ends), self.ios[place as usize])
    }
}

/// A link becomes the last of the queue with this end.
#[inline(always)]
fn link(links: &mut [Neighbours], link: u32, end: u32) {
    let last = std::mem::replace(&mut links[end as usize].ahead, link);
    links[last as usize].behind = link;
    links[link as usize] = Neighbours { ahead: last, behind: end };
}

/// A link leaves its queue.  A base may take a requester out of the middle of the pool's order.
#[inline(always)]
fn unlink(links: &mut [Neighbours], link: u32) {
    let Neighbours { ahead, behind } = links[link as usize];
    links[ahead as usize].behind = behind;
    links[behind as usize].ahead = ahead;
}
