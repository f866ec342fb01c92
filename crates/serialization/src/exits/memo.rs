//! The remembered path of a request that was made before, valid until the exits change.

use super::account::Account;
use super::costs::{Costs, Stretches};
use super::request::{Asked, Request, Settled, Way};
use super::walk::Exits;
use crate::request::Scope;

/// An empty memo.
const NOT_SETTLED: Settled =
    Settled { name: None, scope: Scope::Step, volume: None, managed: false, unseen: false, code: None };

/// The way of a request for one resource, with its stretches.
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    generation: Option<u64>,
    /// The outcome for the resource.
    pub settled: Settled,
    /// The way until it is queued.
    pub way: Way,
    /// The calls after that.
    pub queued: Account,
    /// The cost of the path until the request is queued, with the queueing.
    pub before: Stretches,
    /// The cost after that.
    pub after: Stretches,
}

/// The calls after the last requester of a system has released a resource, with their stretches.
#[derive(Clone, Copy, Debug)]
pub struct EndMemo {
    generation: Option<u64>,
    settled: Settled,
    /// The calls.
    pub account: Account,
    /// Their cost.
    pub stretches: Stretches,
}

impl Default for Memo {
    fn default() -> Self {
        Memo {
            generation: None,
            settled: NOT_SETTLED,
            way: Way::default(),
            queued: Account::default(),
            before: Stretches::NONE,
            after: Stretches::NONE,
        }
    }
}

impl Default for EndMemo {
    fn default() -> Self {
        EndMemo { generation: None, settled: NOT_SETTLED, account: Account::default(), stretches: Stretches::NONE }
    }
}

impl Exits {
    /// The path of a request for one resource, from the memo or computed anew if the exits have changed.  A memo is for
    /// equal requests and one price list.
    ///
    /// # Panics
    /// When the request is not for one resource.
    pub fn known<'m>(&mut self, memo: &'m mut Memo, request: &Request<'_>, costs: &Costs) -> &'m Memo {
        if memo.generation == Some(self.generation()) {
            return memo;
        }
        let generation = Some(self.generation()).filter(|_| self.is_repeatable());
        let mut settled = [memo.settled];
        let way = self.walk(request, &mut settled);
        let queued = self.queued(request, &way, (&settled, &[]));
        let (before, after) = (costs.before(&way.account), costs.after(&queued));
        *memo = Memo { generation, settled: settled[0], way, queued, before, after };
        memo
    }

    /// The same for the end of a resource on this system.
    pub fn known_end<'m>(
        &mut self,
        memo: &'m mut EndMemo,
        resource: (&Asked<'_>, &Settled),
        costs: &Costs,
    ) -> &'m EndMemo {
        // Exits that have changed since may have settled it otherwise then.
        if memo.generation == Some(self.generation()) && memo.settled == *resource.1 {
            return memo;
        }
        let generation = Some(self.generation()).filter(|_| self.is_repeatable());
        let account = self.ended(resource.0, resource.1);
        *memo = EndMemo { generation, settled: *resource.1, account, stretches: costs.ended(&account) };
        memo
    }
}
