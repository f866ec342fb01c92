//! An exit as a routine that is called: what it is shown, what it may want, and what happens when it wants what it may not.

use super::account::Class;
use super::names::{Given, NameId};
use super::point::{Change, Point};
use super::request::{Asked, Request, Settled, Verb};
use crate::name::ResourceName;
use crate::request::{Linkage, Scope};
use std::fmt;
use units::Span;

/// An exit that a program brings with it.
pub trait Exit: fmt::Debug + Send + Sync {
    /// Does what the exit does at a call.
    ///
    /// # Errors
    /// When the exit fails: it is removed, nothing that it wanted is done, and the request goes on.
    fn call(&mut self, call: &mut Call<'_>) -> Result<(), Failed>;
}

/// An exit failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// An exit wanted what it may not at this point; nothing is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MustNot(pub Change);

/// A resource on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    pub(super) settled: Settled,
    pub(super) skip_lists: bool,
    /// Whether exits see it at all: scopes other than STEP.
    pub(super) shown: bool,
}

/// The action that an exit requests for the request as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish {
    pub(super) wanted: bool,
    pub(super) stop: bool,
    pub(super) abend: Option<u16>,
    pub(super) messages: u32,
    pub(super) class: Class,
    pub(super) own: Span,
    /// The forbidden actions that were requested, a bit each.
    pub(super) refused: u16,
}

/// A call of an exit: what it is shown and what it wants.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) point: Point,
    pub(super) request: &'a Request<'a>,
    pub(super) drafts: &'a mut [Draft],
    /// The resource that the call is for; None when it is for all of them.
    pub(super) at: Option<usize>,
    pub(super) results: &'a [Option<u8>],
    pub(super) given: &'a mut Given,
    pub(super) wish: Wish,
}

impl Call<'_> {
    /// The exit point.
    pub fn point(&self) -> Point {
        self.point
    }

    /// The request.
    pub fn verb(&self) -> Verb {
        self.request.verb
    }

    /// Through which door the request came.
    pub fn linkage(&self) -> Linkage {
        self.request.linkage
    }

    /// The resources that the call is for, by their number in the request.
    pub fn resources(&self) -> impl Iterator<Item = usize> + use<> {
        let shown: std::ops::Range<usize> = match self.at {
            Some(at) => at..at + 1,
            None => 0..self.drafts.len(),
        };
        shown
    }

    /// A resource as it was asked for.
    pub fn asked(&self, at: usize) -> Asked<'_> {
        self.request.resources[at]
    }

    /// A resource as it has become so far.
    pub fn settled(&self, at: usize) -> Settled {
        self.drafts[at].settled
    }

    /// Its name as it has become so far.
    pub fn name(&self, at: usize) -> &ResourceName {
        self.drafts[at].settled.name.map_or(self.request.resources[at].name, |id| self.given.name(id))
    }

    /// Whether exits are for it: STEP requests they do not see.
    pub fn is_shown(&self, at: usize) -> bool {
        self.drafts[at].shown
    }

    /// The answer of a resource's queue, for the queued exits: a return code, or none while it waits.
    pub fn result(&self, at: usize) -> Option<u8> {
        self.results.get(at).copied().flatten()
    }

    /// Gives a resource another name.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn rename(&mut self, at: usize, name: &ResourceName) -> Result<(), MustNot> {
        self.may(Change::Name)?;
        let id: NameId = self.given.number(name);
        self.drafts[at].settled.name = Some(id);
        Ok(())
    }

    /// Gives it another scope; not STEP. ASSUME: requests that exits see stay requests that exits see.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn set_scope(&mut self, at: usize, scope: Scope) -> Result<(), MustNot> {
        self.may(Change::Scope)?;
        if scope == Scope::Step {
            return self.must_not(Change::Scope);
        }
        self.drafts[at].settled.scope = scope;
        Ok(())
    }

    /// Gives it another volume, one where there was none, or takes it away.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn set_volume(&mut self, at: usize, volume: Option<u32>) -> Result<(), MustNot> {
        self.may(Change::Volume)?;
        self.drafts[at].settled.volume = volume;
        Ok(())
    }

    /// Has the name lists passed by.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn skip_lists(&mut self, at: usize) -> Result<(), MustNot> {
        self.may(Change::Lists)?;
        self.drafts[at].skip_lists = true;
        Ok(())
    }

    /// Has the conditional batch exit called.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn want(&mut self) -> Result<(), MustNot> {
        self.may(Change::Want)?;
        self.wish.wanted = true;
        Ok(())
    }

    /// Has this point not called again for this qname with these scopes, if all exits at the point say so.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn stop(&mut self) -> Result<(), MustNot> {
        self.may(Change::Stop)?;
        self.wish.stop = true;
        Ok(())
    }

    /// Gives a resource of a conditional request a return code in place of what was asked for; not zero.
    ///
    /// # Errors
    /// When an exit at this point may not, and when the request is unconditional.
    pub fn set_code(&mut self, at: usize, code: u8) -> Result<(), MustNot> {
        self.may(Change::Code)?;
        if !self.request.conditional || code == 0 {
            return self.must_not(Change::Code);
        }
        self.drafts[at].settled.code = Some(code);
        Ok(())
    }

    /// Makes an ENQ of a RESERVE.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn drop_reserve(&mut self, at: usize) -> Result<(), MustNot> {
        self.may(Change::Reserve)?;
        self.drafts[at].settled.volume = None;
        Ok(())
    }

    /// Ends the caller abnormally in place of the request.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn abend(&mut self, code: u16) -> Result<(), MustNot> {
        self.may(Change::Abend)?;
        self.wish.abend = Some(code);
        Ok(())
    }

    /// Has a resource looked after in all systems, which takes a message to them.
    ///
    /// # Errors
    /// When an exit at this point may not.
    pub fn manage(&mut self, at: usize) -> Result<(), MustNot> {
        self.may(Change::Manage)?;
        self.drafts[at].settled.managed = true;
        self.wish.messages += 1;
        Ok(())
    }

    /// Says how much the exit did of its own at this call.
    pub fn did(&mut self, class: Class) {
        self.wish.class = class;
    }

    /// Says how long the exit was busy of its own at this call, beside what its class costs.
    pub fn took(&mut self, span: Span) {
        self.wish.own = span;
    }

    fn may(&mut self, change: Change) -> Result<(), MustNot> {
        if self.point.may(change) { Ok(()) } else { self.must_not(change) }
    }

    fn must_not(&mut self, change: Change) -> Result<(), MustNot> {
        self.wish.refused |= change.bit();
        Err(MustNot(change))
    }
}
