//! A price list, and the stretches of processor time that it gives for an account, some with the ENQ/DEQ lock held.

use super::account::{Account, Visits};
use super::point::Point;
use crate::name_list::word::{nearest, shown};
use units::{Problem, Span};

/// More stretches than the way of any request has.
pub const MOST_STRETCHES: usize = 24;

/// The purpose of a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// The front end of the supervisor call.
    FrontEnd,
    /// ENQ and DEQ themselves.
    Base,
    /// Exits that are called with the lock held.
    Fast,
    /// Exits that are called without it, and all that is done so that they can be.
    Slow,
    /// Obtaining and releasing storage for either.
    Storage,
    /// Messages of a manager to other systems.
    Message,
}

/// A stretch of processor time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The purpose.
    pub piece: Piece,
    /// Whether the lock is held.
    pub locked: bool,
    /// How long.
    pub span: Span,
}

/// Stretches one after the other. Neighbours that are locked are one hold of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretches {
    all: [Stretch; MOST_STRETCHES],
    count: usize,
}

/// What each thing in an account costs: a price list.
///
/// The cost of a request is its base, plus two products per exit point.  One is the calls times (building the parameter
/// list + storage + entering the exit).  The other is the slow calls times (saving status + bytes times copying + pages
/// times faults + recovery + dropping and taking the lock).
///
/// The defaults follow from the published elapsed times of 999,999 pairs of an ENQ and a DEQ, with the calls of the
/// five structures.  A second there is a microsecond a pair.  A pair is 19 base, 1 for five fast calls in a single
/// area, and 13 for five obtained from the pool.  The other costs of an unfiltered batch exit are 335.  No publication
/// divides them, so `state` has them as a whole. ASSUME: messages and the work of light and heavy exits. ASSUME: a change
/// of a hold takes as long as an ENQ, which searches for the same resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// An ENQ by itself, under the lock.
    pub enq: Span,
    /// An ENQ that changes a hold to exclusive, by itself, under the lock.
    pub chng: Span,
    /// A DEQ by itself, under the lock.
    pub deq: Span,
    /// A look by a front end of the supervisor call, without the lock.
    pub front_end: Span,
    /// Building a parameter list.
    pub list: Span,
    /// Entering and leaving an exit.
    pub entry: Span,
    /// Storage obtained and released.
    pub obtained: Span,
    /// Storage taken from a pool and given back.
    pub pooled: Span,
    /// Use of the single area.
    pub single: Span,
    /// Saving status for a slow call, under the lock.
    pub state: Span,
    /// Copying 1,024 bytes of it, under the lock.
    pub copy_per_kib: Span,
    /// Touching a page for the first time, under the lock.
    pub fault: Span,
    /// Setting up and taking down recovery for a slow call, without the lock.
    pub recovery: Span,
    /// Dropping the lock and taking it again, without the lock.
    pub relock: Span,
    /// The own time of a light exit.
    pub light: Span,
    /// The own time of a heavy exit.
    pub heavy: Span,
    /// A message of a manager, without the lock: its processor time.
    pub message: Span,
}

impl Default for Costs {
    fn default() -> Self {
        let tenths = |tenths: u64| Span::from_units((Span::from_us(tenths).units() + 5) / 10);
        Costs {
            enq: tenths(95),
            chng: tenths(95),
            deq: tenths(95),
            front_end: Span::ZERO,
            list: tenths(1),
            entry: tenths(1),
            obtained: Span::ZERO,
            pooled: tenths(26),
            single: Span::ZERO,
            // 335 a pair, less the lists and entries of three slow calls and the one of ISGENDOFLQCB.
            state: tenths(1114),
            copy_per_kib: Span::ZERO,
            fault: Span::ZERO,
            recovery: Span::ZERO,
            relock: Span::ZERO,
            light: tenths(10),
            heavy: tenths(1000),
            message: tenths(1000),
        }
    }
}

impl Stretches {
    /// None.
    pub const NONE: Stretches =
        Stretches { all: [Stretch { piece: Piece::Base, locked: false, span: Span::ZERO }; MOST_STRETCHES], count: 0 };

    /// The stretches in their order; none is empty.
    pub fn iter(&self) -> impl Iterator<Item = Stretch> + '_ {
        self.all[..self.count].iter().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The stretch of this number.
    pub fn get(&self, number: usize) -> Option<Stretch> {
        self.all[..self.count].get(number).copied()
    }

    /// All of them together.
    pub fn total(&self) -> Span {
        self.iter().map(|stretch| stretch.span).sum()
    }

    /// Those together that are for one thing.
    pub fn of(&self, piece: Piece) -> Span {
        self.iter().filter(|stretch| stretch.piece == piece).map(|stretch| stretch.span).sum()
    }

    /// Those together during which the lock is held.
    pub fn locked(&self) -> Span {
        self.iter().filter(|stretch| stretch.locked).map(|stretch| stretch.span).sum()
    }

    fn push(&mut self, piece: Piece, locked: bool, span: Span) {
        if span.is_zero() {
            return;
        }
        if let Some(last) = self.all[..self.count].last_mut()
            && (last.piece, last.locked) == (piece, locked)
        {
            last.span += span;
            return;
        }
        self.all[self.count] = Stretch { piece, locked, span };
        self.count += 1;
    }
}

impl Piece {
    /// All of them.
    pub const ALL: [Piece; 6] =
        [Piece::FrontEnd, Piece::Base, Piece::Fast, Piece::Slow, Piece::Storage, Piece::Message];

    /// A word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Piece::FrontEnd => "front end",
            Piece::Base => "base",
            Piece::Fast => "fast",
            Piece::Slow => "slow",
            Piece::Storage => "storage",
            Piece::Message => "message",
        }
    }
}

impl Costs {
    /// The keys of all prices.
    pub const KEYS: [&str; 17] = [
        "enq",
        "chng",
        "deq",
        "front_end",
        "list",
        "entry",
        "obtained",
        "pooled",
        "single",
        "state",
        "copy_per_kib",
        "fault",
        "recovery",
        "relock",
        "light",
        "heavy",
        "message",
    ];

    /// The cost of a path until the request is queued, with the queueing.
    pub fn before(&self, account: &Account) -> Stretches {
        let mut stretches = Stretches::NONE;
        stretches.push(Piece::FrontEnd, false, self.front_end * u64::from(account.front_end));
        for point in [Point::Fast, Point::Nqxit, Point::Prebatch, Point::Batch, Point::BatchConditional] {
            self.visit(point, &account[point], &mut stretches);
        }
        stretches.push(Piece::Message, false, self.message * u64::from(account.messages));
        stretches.push(Piece::Base, true, self.base(account));
        stretches
    }

    /// The cost of the rest of the path.
    pub fn after(&self, account: &Account) -> Stretches {
        let mut stretches = Stretches::NONE;
        for point in [Point::Queued1, Point::Queued2] {
            self.visit(point, &account[point], &mut stretches);
        }
        stretches
    }

    /// The cost after the last requester of a system has released a resource.
    pub fn ended(&self, account: &Account) -> Stretches {
        let mut stretches = Stretches::NONE;
        self.visit(Point::EndOfLocalQcb, &account[Point::EndOfLocalQcb], &mut stretches);
        stretches.push(Piece::Message, false, self.message * u64::from(account.messages));
        stretches
    }

    /// The cost of a whole path, from the front end to the end of a resource, each point's visits together.
    pub fn way(&self, account: &Account) -> Stretches {
        let mut stretches = self.before(account);
        for point in [Point::Queued1, Point::Queued2, Point::EndOfLocalQcb] {
            self.visit(point, &account[point], &mut stretches);
        }
        stretches
    }

    /// The price of this key.
    ///
    /// # Errors
    /// A problem when there is no such price.
    pub fn price(&mut self, key: &str) -> Result<&mut Span, Box<Problem>> {
        let price = match key {
            "enq" => &mut self.enq,
            "chng" => &mut self.chng,
            "deq" => &mut self.deq,
            "front_end" => &mut self.front_end,
            "list" => &mut self.list,
            "entry" => &mut self.entry,
            "obtained" => &mut self.obtained,
            "pooled" => &mut self.pooled,
            "single" => &mut self.single,
            "state" => &mut self.state,
            "copy_per_kib" => &mut self.copy_per_kib,
            "fault" => &mut self.fault,
            "recovery" => &mut self.recovery,
            "relock" => &mut self.relock,
            "light" => &mut self.light,
            "heavy" => &mut self.heavy,
            "message" => &mut self.message,
            _ => {
                let near = nearest(key, &Costs::KEYS);
                let problem = Problem::new(format!("there is no price `{}`", shown(key))).key("cost");
                return Err(Box::new(problem.allowed(Costs::KEYS).nearest(near)));
            }
        };
        Ok(price)
    }

    /// The total cost of an account.
    pub fn total(&self, account: &Account) -> Span {
        let mut sum = self.base(account);
        sum += self.front_end * u64::from(account.front_end) + self.message * u64::from(account.messages);
        Point::ALL.into_iter().fold(sum, |sum, point| {
            let mut stretches = Stretches::NONE;
            self.visit(point, &account[point], &mut stretches);
            sum + stretches.total()
        })
    }

    /// ENQ and DEQ by themselves.
    fn base(&self, account: &Account) -> Span {
        let enqs = self.enq * u64::from(account.enqs) + self.chng * u64::from(account.changes);
        enqs + self.deq * u64::from(account.deqs)
    }

    fn visit(&self, point: Point, visits: &Visits, stretches: &mut Stretches) {
        let storage = self.obtained * u64::from(visits.obtained)
            + self.pooled * u64::from(visits.pooled)
            + self.single * u64::from(visits.single);
        stretches.push(Piece::Storage, true, storage);
        let own = visits.own + self.light * u64::from(visits.light) + self.heavy * u64::from(visits.heavy);
        let calls = self.list * u64::from(visits.lists) + self.entry * u64::from(visits.calls) + own;
        if point.is_locked() {
            stretches.push(Piece::Fast, true, calls);
            return;
        }
        let copied = Span::from_units(self.copy_per_kib.units() * visits.bytes / 1024);
        let saved = self.state * u64::from(visits.slow) + copied + self.fault * u64::from(visits.pages);
        stretches.push(Piece::Slow, true, saved);
        stretches.push(Piece::Slow, false, (self.recovery + self.relock) * u64::from(visits.slow) + calls);
    }
}
