//! The shape of a name with wildcards: does a name have it, and does everything of one shape have another too?

/// The element at one place of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// This character.
    Byte(u8),
    /// `?`: any one character.
    One,
    /// `*`: any characters, of any number, also none.
    Any,
}

/// A shape; `?` stand before `*` where both stand together, so that what is the same is written the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape(Box<[Symbol]>);

impl Shape {
    /// Exactly these characters.
    pub(crate) fn exactly(name: &[u8]) -> Self {
        Shape(name.iter().map(|&byte| Symbol::Byte(byte)).collect())
    }

    /// These characters and whatever follows.
    pub(crate) fn beginning_with(name: &[u8]) -> Self {
        Shape(name.iter().map(|&byte| Symbol::Byte(byte)).chain([Symbol::Any]).collect())
    }

    /// A name in which `*` and `?` stand for others.
    ///
    /// Source: MVS Initialization and Tuning Reference, GRSRNLxx, TYPE(PATTERN).
    pub(crate) fn pattern(name: &[u8]) -> Self {
        let mut symbols = Vec::with_capacity(name.len());
        for run in name.chunk_by(|&one, &next| is_wild(one) == is_wild(next)) {
            if is_wild(run[0]) {
                symbols.extend(run.iter().filter(|&&byte| byte == b'?').map(|_| Symbol::One));
                symbols.extend(run.contains(&b'*').then_some(Symbol::Any));
            } else {
                symbols.extend(run.iter().map(|&byte| Symbol::Byte(byte)));
            }
        }
        Shape(symbols.into())
    }

    /// Whether a name has this shape.
    pub(crate) fn fits(&self, name: &[u8]) -> bool {
        takes(&self.0, name, |symbol, &byte| match symbol {
            Symbol::Byte(one) => one == byte,
            Symbol::One => true,
            Symbol::Any => false,
        })
    }

    /// Whether every name of the other shape has this one too. Where it says so, it is so; it does not see all of it,
    /// such as that `?*` has every name of `*A`.
    pub(crate) fn covers(&self, other: &Shape) -> bool {
        takes(&self.0, &other.0, |symbol, &theirs| match (symbol, theirs) {
            (Symbol::Byte(one), Symbol::Byte(other)) => one == other,
            (Symbol::One, Symbol::Byte(_) | Symbol::One) => true,
            (Symbol::Byte(_) | Symbol::One | Symbol::Any, Symbol::Byte(_) | Symbol::One | Symbol::Any) => false,
        })
    }

    /// The characters before the first wildcard, and whether there is none.
    pub(crate) fn head(&self) -> (Vec<u8>, bool) {
        let bytes = self.0.iter().map_while(|&symbol| match symbol {
            Symbol::Byte(byte) => Some(byte),
            Symbol::One | Symbol::Any => None,
        });
        let head: Vec<u8> = bytes.collect();
        let whole = head.len() == self.0.len();
        (head, whole)
    }
}

const fn is_wild(byte: u8) -> bool {
    matches!(byte, b'*' | b'?')
}

/// Whether a shape takes all of a text, one place each except `*`.  Only the last `*` is ever tried again, because the
/// last could take all that an earlier one could take more.
fn takes<T>(shape: &[Symbol], text: &[T], one_takes: impl Fn(Symbol, &T) -> bool) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    loop {
        match (shape.get(at), text.get(read)) {
            (Some(Symbol::Any), _) => {
                at += 1;
                last = Some((at, read));
                continue;
            }
            (Some(&symbol), Some(one)) if one_takes(symbol, one) => {
                (at, read) = (at + 1, read + 1);
                continue;
            }
            (None, None) => return true,
            (Some(Symbol::Byte(_) | Symbol::One), _) | (None, Some(_)) => {}
        }
        let Some((after, taken)) = last.filter(|&(_, taken)| taken < text.len()) else { return false };
        (at, read) = (after, taken + 1);
        last = Some((after, read));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, name: &str) -> bool {
        Shape::pattern(pattern.as_bytes()).fits(name.as_bytes())
    }

    fn covers(one: &str, other: &str) -> bool {
        Shape::pattern(one.as_bytes()).covers(&Shape::pattern(other.as_bytes()))
    }

    #[test]
    fn the_manuals_example_fits_what_it_is_for() {
        assert!(fits("SYS1.*.PARMLIB", "SYS1.MY.OWN.PARMLIB"));
        assert!(!fits("SYS1.*.PARMLIB", "SYS1.PARMLIB"));
    }

    #[test]
    fn a_star_takes_nothing_too_and_a_question_mark_takes_one() {
        assert!(fits("A*", "A") && fits("*", "") && fits("A?C", "ABC"));
        assert!(!fits("A?", "A") && !fits("A?", "ABC"));
    }

    #[test]
    fn stars_are_tried_again() {
        assert!(fits("*AB*AB", "AABAAAB") && fits("*A*A*A", "AAA"));
        assert!(!fits("*A*A*A", "AA") && !fits("*AB", "ABA"));
    }

    #[test]
    fn a_wider_pattern_covers_a_narrower_one() {
        assert!(covers("A*", "AB?*") && covers("*", "?") && covers("?*", "*?") && covers("*A*", "BAC"));
        assert!(!covers("A?", "A*") && !covers("AB*", "A*") && !covers("?", "*"));
    }

    #[test]
    fn a_shape_never_covers_what_it_does_not_fit() {
        let letters = b"ab";
        let words = |alphabet: &[u8], longest: usize| {
            let mut all = vec![Vec::new()];
            let mut last = all.clone();
            for _ in 0..longest {
                let longer =
                    last.iter().flat_map(|word: &Vec<u8>| alphabet.iter().map(|&l| [&word[..], &[l]].concat()));
                last = longer.collect();
                all.extend(last.clone());
            }
            all
        };
        let (names, patterns) = (words(letters, 6), words(b"ab*?", 3));
        let shapes: Vec<Shape> = patterns.iter().map(|one| Shape::pattern(one)).collect();
        let fitting: Vec<Vec<bool>> =
            shapes.iter().map(|shape| names.iter().map(|name| shape.fits(name)).collect()).collect();
        for (one, by_one) in shapes.iter().zip(&fitting) {
            for (other, by_other) in shapes.iter().zip(&fitting) {
                let mut pairs = by_one.iter().zip(by_other);
                assert!(!one.covers(other) || pairs.all(|(&one, &other)| one || !other), "{one:?} and {other:?}");
            }
        }
    }
}
