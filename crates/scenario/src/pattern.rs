//! Patterns of names: `BWP[S0..S7]` counts names up, `*` is any characters of a name and `?` one.

use crate::text::clip;
use units::Problem;

/// The most names that a pattern counts up.
pub const MOST: usize = 10_000;

const FORMS: [&str; 4] = ["[S0..S7]: a number that counts on", "[A..H]", "[A,C,S0..S7]", "* and ? in lists of names"];

/// A pattern, as the patterns without brackets that it stands for.
pub struct Pattern(Vec<String>);

/// Whether a text is a pattern and no name.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', ']'])
}

impl Pattern {
    /// Reads a pattern; `count` is how many names an open range such as `[00..]` has.
    pub fn read(text: &str, count: Option<u32>) -> Result<Pattern, Box<Problem>> {
        let refused = |what: String| Err(Problem::new(format!("`{}`: {what}", clip(text))).allowed(FORMS).into());
        let Some((head, rest)) = text.split_once('[') else {
            return if text.contains(']') {
                refused("a `]` without `[`".into())
            } else {
                Ok(Pattern(vec![text.into()]))
            };
        };
        let Some((inside, tail)) = rest.split_once(']') else { return refused("a `[` without `]`".into()) };
        if [head, inside, tail].iter().any(|part| part.contains(['[', ']'])) {
            return refused("more than one pair of brackets".into());
        }
        let mut names = Vec::new();
        for part in inside.split(',') {
            let counted = match part.trim().split_once("..") {
                None if part.trim().is_empty() => Err("nothing to count in the brackets".into()),
                None => Ok(vec![part.trim().to_string()]),
                Some((first, "")) => open(first, count),
                Some((first, last)) => range(first, last),
            };
            match counted {
                Ok(parts) => names.extend(parts.into_iter().map(|part| format!("{head}{part}{tail}"))),
                Err(what) => return refused(what),
            }
            if names.len() > MOST {
                return refused(format!("more than {MOST} names"));
            }
        }
        Ok(Pattern(names))
    }

    /// The names that it counts up, in their order.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether it means this name.
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|glob| matches(glob.as_bytes(), name.as_bytes()))
    }
}

/// A range without an end, which has as many names as `count` says.
fn open(first: &str, count: Option<u32>) -> Result<Vec<String>, String> {
    let Some(count) = count else { return Err(format!("`{first}..` has no end, and there is no `count`")) };
    let (head, digits) = parts(first);
    let Ok(number) = digits.parse::<u64>() else { return Err(format!("`{first}..` ends in no number that counts on")) };
    Ok((number..number + u64::from(count))
        .map(|number| format!("{head}{number:0width$}", width = digits.len()))
        .collect())
}

fn range(first: &str, last: &str) -> Result<Vec<String>, String> {
    let shown = format!("`{}..{}`", clip(first), clip(last));
    if let ([one], [other]) = (first.as_bytes(), last.as_bytes())
        && one.is_ascii_alphabetic()
        && one.is_ascii_uppercase() == other.is_ascii_uppercase()
        && other.is_ascii_alphabetic()
        && one <= other
    {
        return Ok((*one..=*other).map(|letter| char::from(letter).to_string()).collect());
    }
    let ((head, from), (other, to)) = (parts(first), parts(last));
    if head != other {
        return Err(format!("{shown} begins with `{}` and ends with `{}`", clip(head), clip(other)));
    }
    // Nine digits are far more than may be counted.
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|_| digits.len() <= 9);
    let (Some(from), Some(to), width) = (number(from), number(to), from.len()) else {
        return Err(format!("{shown} has no numbers that count on"));
    };
    if from > to {
        return Err(format!("{shown} counts down"));
    }
    if to - from >= MOST as u64 {
        return Err(format!("more than {MOST} names"));
    }
    Ok((from..=to).map(|number| format!("{head}{number:0width$}")).collect())
}

/// A text up to the number at its end, and that number.
fn parts(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(|c: char| c.is_ascii_digit()).len())
}

/// Whether a pattern of `*` and `?` means a name; the last `*` takes as much as it has to.
fn matches(glob: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < name.len() {
        match glob.get(at) {
            Some(b'*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(own) if *own == b'?' || *own == name[read] => (at, read) = (at + 1, read + 1),
            _ => {
                let Some((before, taken)) = star else { return false };
                star = Some((before, taken + 1));
                (at, read) = (before + 1, taken + 1);
            }
        }
    }
    glob[at..].iter().all(|own| *own == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, count: Option<u32>) -> Vec<String> {
        Pattern::read(text, count).unwrap().0
    }

    #[test]
    fn numbers_and_letters_count_up() {
        assert_eq!(names("BWP[S0..S3]", None), ["BWPS0", "BWPS1", "BWPS2", "BWPS3"]);
        assert_eq!(names("P[08..11]X", None), ["P08X", "P09X", "P10X", "P11X"]);
        assert_eq!(names("P[8..11]", None), ["P8", "P9", "P10", "P11"]);
        assert_eq!(names("[A..C,Z9]", None), ["A", "B", "C", "Z9"]);
        assert_eq!(names("P[098..]", Some(3)), ["P098", "P099", "P100"]);
    }

    #[test]
    fn what_does_not_count_up_is_refused() {
        for (text, says) in [
            ("A[S0..T7]", "begins with `S` and ends with `T`"),
            ("A[9..1]", "counts down"),
            ("A[C..A]", "begins with `C` and ends with `A`"),
            ("A[..3]", "no numbers"),
            ("A[]", "nothing to count"),
            ("A[1..2", "without `]`"),
            ("A1]", "without `[`"),
            ("[1..2][3..4]", "one pair"),
            ("A[0..]", "no end"),
            ("A[0..999999999]", "more than"),
            ("A[0..9999,a0..a9]", "more than"),
        ] {
            let problem = Pattern::read(text, None).err().unwrap_or_else(|| panic!("{text} is read"));
            assert!(problem.what.contains(says), "{problem}");
        }
    }

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        let means = |text: &str, name: &str| Pattern::read(text, None).unwrap().matches(name);
        assert!(means("BWP*", "BWPS0") && means("*", "A") && means("*S?", "BWPS0") && means("A*B*C", "AxBBxC"));
        assert!(means("[A..C]*", "B7") && means("BWPS0", "BWPS0"));
        assert!(!means("BWP?", "BWPS0") && !means("[A..C]*", "D7") && !means("A*B", "AxBx"));
    }
}
