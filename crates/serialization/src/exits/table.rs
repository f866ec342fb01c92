//! An exit that is a table: which names it is for, what it answers for them, how much it does of its own.

use super::account::Class;
use super::call::{Call, Failed, MustNot};
use super::names::Names;
use super::point::Change;
use crate::name::ResourceName;
use crate::request::Scope;
use units::Span;

/// The answer of a table for its names; without an entry it requests nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Another name.
    pub name: Option<ResourceName>,
    /// Another scope.
    pub scope: Option<Scope>,
    /// Another volume, or with `Some(None)` none.
    pub volume: Option<Option<u32>>,
    /// That the name lists are not searched.
    pub skip_lists: bool,
    /// That the conditional batch exit is called.
    pub want: bool,
    /// A return code in place of the request.
    pub code: Option<u8>,
    /// An ENQ in place of a RESERVE.
    pub drop_reserve: bool,
    /// An abnormal end in place of the request.
    pub abend: Option<u16>,
    /// That the exit fails.
    pub fail: bool,
}

/// Names, an answer for them, and how much of its own the exit does for each of them.
#[derive(Clone, Debug)]
pub struct Table {
    /// Which names.
    pub names: Names,
    /// The answer for them.
    pub answer: Answer,
    /// How much is done for them.
    pub class: Class,
    /// How long a call takes that is for one of them, beside what the class costs.
    pub own: Span,
    /// Whether it asks for no further calls for other names.
    pub stops: bool,
}

impl Table {
    /// A table of these names with an answer.
    pub fn new(names: Names, answer: Answer) -> Self {
        Table { names, answer, class: Class::Plain, own: Span::ZERO, stops: false }
    }

    pub(super) fn call(&self, call: &mut Call<'_>) -> Result<(), Failed> {
        let mut met = false;
        for at in call.resources() {
            if !call.is_shown(at) || !self.names.has(call.name(at)) {
                continue;
            }
            met = true;
            if self.answer.fail {
                return Err(Failed);
            }
            call.did(self.class);
            call.took(self.own);
            self.answer_for(at, call);
        }
        if !met && self.stops && call.resources().all(|at| !self.names.has_some(call.name(at).qname())) {
            refused(call.stop());
        }
        Ok(())
    }

    fn answer_for(&self, at: usize, call: &mut Call<'_>) {
        let Answer { name, scope, volume, skip_lists, want, code, drop_reserve, abend, fail: _ } = &self.answer;
        if let Some(name) = name {
            refused(call.rename(at, name));
        }
        if let Some(scope) = *scope {
            refused(call.set_scope(at, scope));
        }
        if let Some(volume) = *volume {
            refused(call.set_volume(at, volume));
        }
        if *skip_lists {
            refused(call.skip_lists(at));
        }
        if *want {
            refused(call.want());
        }
        if let Some(code) = *code {
            refused(call.set_code(at, code));
        }
        if *drop_reserve {
            refused(call.drop_reserve(at));
        }
        if let Some(abend) = *abend {
            refused(call.abend(abend));
        }
    }
}

impl Answer {
    /// The action that it requests of its caller.
    pub fn changes(&self) -> Vec<Change> {
        let wants = [
            (self.name.is_some(), Change::Name),
            (self.scope.is_some(), Change::Scope),
            (self.volume.is_some(), Change::Volume),
            (self.skip_lists, Change::Lists),
            (self.want, Change::Want),
            (self.code.is_some(), Change::Code),
            (self.drop_reserve, Change::Reserve),
            (self.abend.is_some(), Change::Abend),
        ];
        wants.into_iter().filter(|&(wanted, _)| wanted).map(|(_, change)| change).collect()
    }
}

/// A refusal is noted by the call; a table has nothing to say to it.
fn refused(answer: Result<(), MustNot>) {
    answer.unwrap_or(());
}
