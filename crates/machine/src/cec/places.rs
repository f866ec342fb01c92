//! A set of processors, by bits: the first of thousands is found in few steps.

/// A set of processors.
#[derive(Clone, Debug)]
pub(super) struct Places {
    words: Vec<u64>,
}

impl Places {
    /// None of this many.
    pub fn none(processors: usize) -> Self {
        Places { words: vec![0; processors.div_ceil(64)] }
    }

    /// All of this many.
    pub fn all(processors: usize) -> Self {
        let mut all = Places::none(processors);
        (0..processors).for_each(|place| all.set(place, true));
        all
    }

    /// Whether a processor belongs to it, from now on.
    pub fn set(&mut self, place: usize, belongs: bool) {
        let (word, bit) = (&mut self.words[place / 64], 1 << (place % 64));
        *word = if belongs { *word | bit } else { *word & !bit };
    }

    /// The first.
    pub fn first(&self) -> Option<usize> {
        self.from(0)
    }

    /// The next one behind a place.
    pub fn after(&self, place: usize) -> Option<usize> {
        self.from(place + 1)
    }

    /// All, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.first(), |place| self.after(*place))
    }

    fn from(&self, place: usize) -> Option<usize> {
        let mut mask = !0 << (place % 64);
        for (at, word) in self.words.iter().enumerate().skip(place / 64) {
            let left = word & mask;
            if left != 0 {
                return Some(64 * at + left.trailing_zeros() as usize);
            }
            mask = !0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_through_its_places_in_order() {
        let mut some = Places::none(200);
        [3, 63, 64, 199].into_iter().for_each(|place| some.set(place, true));
        some.set(3, false);
        assert_eq!(some.iter().collect::<Vec<_>>(), [63, 64, 199]);
        assert_eq!((some.first(), some.after(63), some.after(199)), (Some(63), Some(64), None));
    }

    #[test]
    fn all_of_a_number_are_no_more() {
        assert_eq!(Places::all(65).iter().count(), 65);
    }
}
