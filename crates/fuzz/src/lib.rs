//! Seeded mutation fuzzing on the stable toolchain: what every reader here is tested with, and nothing ships.
//!
//! A [`Mutator`] makes inputs from a corpus of valid ones and a dictionary of the reader's tokens. The n-th input depends
//! on the seed alone. [`run`] feeds them to a check until its [`Bound`] is reached. The wall clock
//! bounds how long it goes on, never what is generated, so that a failure is found again by its number.
//!
//! ```
//! let mut mutator = fuzz::Mutator::new(7).corpus([b"a = 1\n".to_vec()]).dictionary(["=", "[[", "1e999"]);
//! let tried = fuzz::run(&mut mutator, fuzz::Bound::Inputs(100), |input| {
//!     let text = String::from_utf8_lossy(input);
//!     assert!(text.len() >= input.len());
//! });
//! assert_eq!(tried, 100);
//! ```
//!
//! In a test, [`Bound::or_from_environment`] makes a short run long on demand:
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000 cargo test --release -p records fuzz -- --nocapture`.

mod mutation;
mod mutator;
mod run;

pub use mutator::Mutator;
pub use run::{Bound, INPUTS, LONGEST_CHECK, SECONDS, run};
