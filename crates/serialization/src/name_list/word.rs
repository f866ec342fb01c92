//! Words of which one is meant: what was written, and the nearest of those that would do.

use units::Problem;

/// Characters of a word that are shown again.
const MOST_SHOWN: usize = 32;

/// The one of `all` whose word was written, in capitals or not.
pub(crate) fn read<T: Copy>(
    key: &str,
    written: &str,
    all: &[T],
    word: fn(T) -> &'static str,
) -> Result<T, Box<Problem>> {
    if let Some(&found) = all.iter().find(|&&one| word(one).eq_ignore_ascii_case(written)) {
        return Ok(found);
    }
    let words: Vec<&str> = all.iter().map(|&one| word(one)).collect();
    let near = nearest(written, &words);
    Err(Box::new(Problem::new(format!("there is no `{}`", shown(written))).key(key).allowed(words).nearest(near)))
}

/// A word as a problem shows it: not more of it than fits a line.
pub(crate) fn shown(word: &str) -> String {
    let rest = word.chars().nth(MOST_SHOWN);
    if rest.is_none() { word.into() } else { word.chars().take(MOST_SHOWN).chain("...".chars()).collect() }
}

/// The word that was probably meant, if one is near enough.
pub(crate) fn nearest<'a>(written: &str, words: &[&'a str]) -> Option<&'a str> {
    if written.len() > 4 * MOST_SHOWN {
        return None;
    }
    let capitals = written.to_ascii_uppercase();
    let scored = words.iter().map(|&word| (strsim::osa_distance(&capitals, &word.to_ascii_uppercase()), word));
    let (distance, word) = scored.min_by_key(|&(distance, _)| distance)?;
    // Of abbreviations and of words written in full the shorter begins the longer.
    let whole = word.to_ascii_uppercase();
    let begins = capitals.len() >= 2 && (whole.starts_with(&capitals) || capitals.starts_with(&whole));
    (begins || distance <= 1 + word.len() / 4).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_far_ones_are_not() {
        let words = ["RNL", "TYPE", "QNAME", "RNAME"];
        assert_eq!(nearest("qnam", &words), Some("QNAME"));
        assert_eq!(nearest("TPYE", &words), Some("TYPE"));
        assert_eq!(nearest("VOLUME", &words), None);
        assert_eq!(nearest("CONVERSION", &["INCL", "EXCL", "CON"]), Some("CON"));
    }
}
