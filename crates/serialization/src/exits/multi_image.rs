//! A manager of several systems as a client of the exits: the global requests that it cares about cost it a message.

use super::call::{Call, Failed, MustNot};
use super::names::Names;
use super::point::Point;
use super::request::{Settled, Verb};
use crate::name::ResourceName;
use crate::request::Scope;

/// A manager: which names of scope SYSTEMS it cares about.
///
/// Source: GRS/MIM Installation Exit Performance: called for ENQs of resources that it is interested in; DEQs it hears
/// of from ISGENDOFLQCB.
#[derive(Clone, Debug)]
pub struct Manager {
    names: Names,
    stops: bool,
}

impl Manager {
    /// One that cares about these names.
    pub fn new(names: Names) -> Self {
        Manager { names, stops: false }
    }

    /// The same, but it asks for no further calls for qnames that never concern it.
    pub fn with_cache(mut self) -> Self {
        self.stops = true;
        self
    }

    /// Whether a resource is one that it looks after.
    pub fn cares(&self, name: &ResourceName, scope: Scope) -> bool {
        scope == Scope::Systems && self.names.has(name)
    }

    pub(super) fn cares_about(&self, name: &ResourceName, settled: &Settled) -> bool {
        self.cares(name, settled.scope)
    }

    pub(super) fn call(&self, call: &mut Call<'_>) -> Result<(), Failed> {
        let (point, verb) = (call.point(), call.verb());
        for at in call.resources().filter(|_| verb == Verb::Enq || point == Point::EndOfLocalQcb) {
            let mine = call.is_shown(at) && self.cares(call.name(at), call.settled(at).scope);
            match point {
                Point::Prebatch if mine => hold(call.want()),
                Point::Batch | Point::BatchConditional if mine && !call.settled(at).managed => hold(call.manage(at)),
                Point::EndOfLocalQcb if mine && call.settled(at).managed => call.wish.messages += 1,
                Point::Fast
                | Point::Nqxit
                | Point::Prebatch
                | Point::Batch
                | Point::BatchConditional
                | Point::Queued1
                | Point::Queued2
                | Point::EndOfLocalQcb => {}
            }
        }
        if self.stops && matches!(point, Point::Prebatch | Point::EndOfLocalQcb) {
            self.say_stop(call);
        }
        Ok(())
    }

    /// The cache has qnames and scopes only, so it may only hold facts about all names of a qname.
    fn say_stop(&self, call: &mut Call<'_>) {
        let ever = |at: usize| call.settled(at).scope == Scope::Systems && self.names.has_some(call.name(at).qname());
        if !call.resources().any(ever) {
            hold(call.stop());
        }
    }
}

/// A manager requests its actions only at points that allow them.
fn hold(answer: Result<(), MustNot>) {
    debug_assert_eq!(answer, Ok(()));
}
