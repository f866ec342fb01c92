//! The lock of a system under which ENQ, DEQ and their fast exits run: its holder and its queue.
//!
//! It is the cross memory services lock for ENQ and DEQ (CMSEQDQ), a suspend lock.  Its holder runs enabled and may be
//! interrupted.  A task that finds it held is suspended, and other work is dispatched.
//!
//! Source: MVS Programming: Authorized Assembler Services Guide, Locking, Examples of lock types.  SMF record 72
//! subtype 5, CMS lock type data, counts units of work suspended for it, and those that found others suspended before
//! them. ASSUME: it goes to the task that has waited longest, and a suspension costs nothing beside the wait.

use crate::ids::Requester;
use std::collections::VecDeque;
use units::{Span, Tod};

/// The lock of one system.
#[derive(Clone, Debug, Default)]
pub(super) struct Lock {
    holder: Option<(Requester, Tod)>,
    waiting: VecDeque<(Requester, Tod)>,
}

impl Lock {
    /// A requester wants it: returns whether it has it, else it waits.
    pub(super) fn take(&mut self, requester: Requester, now: Tod) -> bool {
        if self.holder.is_none() {
            self.holder = Some((requester, now));
            return true;
        }
        self.waiting.push_back((requester, now));
        false
    }

    /// A requester releases it: returns its holding time, the new holder, and that one's wait.
    pub(super) fn give(&mut self, requester: Requester, now: Tod) -> (Span, Option<(Requester, Span)>) {
        let (holder, since) = self.holder.take().expect("a released lock has a holder");
        assert_eq!(holder, requester, "only its holder releases the lock");
        let next = self.waiting.pop_front();
        self.holder = next.map(|(next, _)| (next, now));
        (now - since, next.map(|(next, asked)| (next, now - asked)))
    }

    /// The holder, and since when.
    pub(super) fn holder(&self) -> Option<(Requester, Tod)> {
        self.holder
    }

    /// The waiters, and since when each waits.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (Requester, Tod)> {
        self.waiting.iter().copied()
    }
}
