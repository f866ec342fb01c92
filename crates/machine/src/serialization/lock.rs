//! The lock of a system under which ENQ, DEQ and their fast exits run: who has it, who waits for it.
//!
//! It is the cross memory services lock for ENQ and DEQ (CMSEQDQ), a suspend lock: who has it runs enabled and may be
//! interrupted; who finds it taken is suspended, and other work is dispatched.
//!
//! Source: MVS Programming: Authorized Assembler Services Guide, Locking, Examples of lock types; SMF record 72 subtype 5,
//! CMS lock type data, which counts units of work suspended for it, and those that found others suspended before them.
//! ASSUME: it goes to whoever has waited longest, and suspending costs nothing beside the wait.

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
    /// A requester wants it: says whether he has it, else he waits.
    pub(super) fn take(&mut self, requester: Requester, now: Tod) -> bool {
        if self.holder.is_none() {
            self.holder = Some((requester, now));
            return true;
        }
        self.waiting.push_back((requester, now));
        false
    }

    /// A requester gives it back: how long he had it, who has it now, and how long that one waited.
    pub(super) fn give(&mut self, requester: Requester, now: Tod) -> (Span, Option<(Requester, Span)>) {
        let (holder, since) = self.holder.take().expect("somebody has what is given back");
        assert_eq!(holder, requester, "who gives the lock back has it");
        let next = self.waiting.pop_front();
        self.holder = next.map(|(next, _)| (next, now));
        (now - since, next.map(|(next, asked)| (next, now - asked)))
    }

    /// Who has it, and since when.
    pub(super) fn holder(&self) -> Option<(Requester, Tod)> {
        self.holder
    }

    /// Who waits, and since when each does.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (Requester, Tod)> {
        self.waiting.iter().copied()
    }
}
