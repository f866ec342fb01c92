//! An outbox that has room for whatever a control program leaves in it.

use machine::call::Call;
use machine::effect::{Effect, Outbox, ThreadCall, Wanted};
use machine::event::Event;
use machine::ids::{Exposure, FrontEnd, Logical, Requester, SpinLock};
use machine::io::Io;
use std::collections::VecDeque;
use units::{Span, Tod};

/// Effects, the oldest first.
#[derive(Debug, Default)]
pub struct Unbounded(pub VecDeque<Effect>);

impl Outbox for Unbounded {
    fn at(&mut self, event: Event, at: Tod) {
        self.0.push_back(Effect::At(event, at));
    }

    fn never(&mut self, event: Event) {
        self.0.push_back(Effect::Never(event));
    }

    fn request(&mut self, requester: Requester, io: Io) {
        self.0.push_back(Effect::Request(requester, io));
    }

    fn done(&mut self, requester: Requester) {
        self.0.push_back(Effect::Done(requester));
    }

    fn granted(&mut self, requester: Requester) {
        self.0.push_back(Effect::Granted(requester));
    }

    fn serialize(&mut self, requester: Requester, call: Option<Call>) {
        self.0.push_back(Effect::Serialize(requester, call));
    }

    fn deliver(&mut self, front_end: FrontEnd) {
        self.0.push_back(Effect::Deliver(front_end));
    }

    fn ready(&mut self, requester: Requester) {
        self.0.push_back(Effect::Ready(requester));
    }

    fn served(&mut self, requester: Requester, logical: Logical) {
        self.0.push_back(Effect::Served(requester, logical));
    }

    fn used(&mut self, requester: Requester, logical: Logical, charged: Span) {
        self.0.push_back(Effect::Used(requester, logical, charged));
    }

    fn calls(&mut self, requester: Requester, call: ThreadCall) {
        self.0.push_back(Effect::Calls(requester, call));
    }

    fn yields(&mut self, requester: Requester, logical: Logical) {
        self.0.push_back(Effect::Yields(requester, logical));
    }

    fn has_kicked(&mut self, logical: Logical) {
        self.0.push_back(Effect::HasKicked(logical));
    }

    fn freed(&mut self, requester: Requester, lock: SpinLock, next: Option<Requester>) {
        self.0.push_back(Effect::Freed(requester, lock, next));
    }

    fn gives_way(&mut self, logical: Logical, to: Option<Logical>) {
        self.0.push_back(Effect::GivesWay(logical, to));
    }

    fn interrupt(&mut self, exposure: Exposure) {
        self.0.push_back(Effect::Interrupt(exposure));
    }

    fn clear(&mut self, exposure: Exposure, logical: Logical) {
        self.0.push_back(Effect::Clear(exposure, logical));
    }

    fn dispatched(&mut self, logical: Logical) {
        self.0.push_back(Effect::Dispatched(logical));
    }

    fn undispatched(&mut self, logical: Logical) {
        self.0.push_back(Effect::Undispatched(logical));
    }

    fn waits(&mut self, logical: Logical) {
        self.0.push_back(Effect::Waits(logical));
    }

    fn wants(&mut self, logical: Logical, wanted: Wanted) {
        self.0.push_back(Effect::Wants(logical, wanted));
    }
}
