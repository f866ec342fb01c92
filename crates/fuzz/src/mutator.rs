//! The maker of inputs: a corpus, a dictionary and one random stream.

use crate::mutation::{LONGEST, MUTATIONS};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Makes inputs by mutating a corpus; the n-th one depends on seed, corpus and dictionary alone.
#[derive(Clone, Debug)]
pub struct Mutator {
    seed: u64,
    corpus: Vec<Vec<u8>>,
    dictionary: Vec<Vec<u8>>,
    stream: Xoshiro256PlusPlus,
}

impl Mutator {
    /// A maker of random bytes, as long as it has no corpus.
    pub fn new(seed: u64) -> Self {
        let stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        Mutator { seed, corpus: Vec::new(), dictionary: Vec::new(), stream }
    }

    /// Adds inputs to start from; valid ones reach deepest.
    pub fn corpus<B: Into<Vec<u8>>>(mut self, inputs: impl IntoIterator<Item = B>) -> Self {
        self.corpus.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// Adds tokens that mean something to the reader.
    pub fn dictionary<B: Into<Vec<u8>>>(mut self, tokens: impl IntoIterator<Item = B>) -> Self {
        self.dictionary.extend(tokens.into_iter().map(Into::into));
        self
    }

    /// The seed it was made with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The next input: one of the corpus after up to eight mutations, and once in sixteen times bytes of no origin.
    pub fn input(&mut self) -> Vec<u8> {
        let mut input = match self.below(16) {
            0 => self.noise(),
            _ => self.parent(),
        };
        for _ in 0..self.below(9) {
            let mutation = MUTATIONS[self.below(MUTATIONS.len())];
            let at = self.below(input.len() + 1);
            mutation(&mut input, at, self);
            input.truncate(LONGEST);
        }
        input
    }

    /// A number below `bound`, which must not be zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.stream.next_u64() % bound as u64) as usize
    }

    /// A byte, all equally likely.
    pub(crate) fn byte(&mut self) -> u8 {
        self.stream.next_u64() as u8
    }

    /// One of the corpus; nothing when there is none.
    pub(crate) fn parent(&mut self) -> Vec<u8> {
        pick(&self.corpus, self.stream.next_u64())
    }

    /// One of the dictionary; a random byte when there is none.
    pub(crate) fn token(&mut self) -> Vec<u8> {
        if self.dictionary.is_empty() { vec![self.byte()] } else { pick(&self.dictionary, self.stream.next_u64()) }
    }

    fn noise(&mut self) -> Vec<u8> {
        let length = self.below(512);
        (0..length).map(|_| self.byte()).collect()
    }
}

fn pick(from: &[Vec<u8>], draw: u64) -> Vec<u8> {
    match from.len() {
        0 => Vec::new(),
        length => from[(draw % length as u64) as usize].clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(seed: u64) -> Vec<Vec<u8>> {
        let mut mutator = Mutator::new(seed).corpus(["one 1\ntwo 2\n", "three 3\n"]).dictionary(["four"]);
        (0..200).map(|_| mutator.input()).collect()
    }

    #[test]
    fn one_seed_makes_one_sequence() {
        assert_eq!(inputs(3), inputs(3));
        assert_ne!(inputs(3), inputs(4));
    }

    #[test]
    fn some_inputs_are_the_corpus_itself_and_most_are_not() {
        let whole = inputs(3).iter().filter(|input| *input == b"one 1\ntwo 2\n" || *input == b"three 3\n").count();
        assert!((1..100).contains(&whole), "{whole} of 200 unchanged");
    }

    #[test]
    fn without_a_corpus_it_still_makes_inputs() {
        let mut mutator = Mutator::new(1);
        assert!((0..100).map(|_| mutator.input()).any(|input| !input.is_empty()));
    }
}
