//! Exits in front of ENQ and DEQ: where they are called, what they may want, and what it costs.

mod bench;
mod costs;
mod environments;
mod order;
mod structures;
