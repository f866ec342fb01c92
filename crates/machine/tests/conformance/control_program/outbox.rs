//! An outbox that has room for whatever a control program leaves in it.

use machine::effect::{Effect, Outbox};
use std::collections::VecDeque;

/// Effects, the oldest first.
#[derive(Debug, Default)]
pub struct Unbounded(pub VecDeque<Effect>);

impl Outbox for Unbounded {
    fn leave(&mut self, effect: Effect) {
        self.0.push_back(effect);
    }
}
