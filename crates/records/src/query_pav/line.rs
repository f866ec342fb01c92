//! One line of a listing: its words with their columns, and its device.

use units::Problem;

/// Words that no name is between `pool` and what it is called.
const BETWEEN: [&str; 3] = ["number", "no.", "#"];

/// The role of a device among bases and aliases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A base that any alias of a pool may work for.
    PoolBase {
        /// The pool, as the listing calls it: a number, or a name.
        pool: String,
    },
    /// An alias of a pool.
    PoolAlias {
        /// The pool.
        pool: String,
    },
    /// A base with classic aliases of its own, or with none.
    Base {
        /// The device numbers of its aliases.
        aliases: Vec<String>,
    },
    /// A classic alias.
    BoundAlias {
        /// The device number of its base.
        base: String,
    },
}

/// The kind of a line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It says what a device is.
    Device { device: String, standing: Standing },
    /// It is about an alias and names neither pool nor base.
    Unbound { device: String },
    /// It is about a device that is neither base nor alias.
    Neither { device: String },
    /// Nothing but device numbers: the aliases of the line before go on.
    More(Vec<String>),
    /// Blank.
    Blank,
    /// Anything else.
    Other,
}

/// Reads a line, which has a number for its problem.
pub(crate) fn read(text: &str, number: usize) -> Result<Kind, Box<Problem>> {
    let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [] => Ok(Kind::Blank),
        [first, device, rest @ ..] if first.eq_ignore_ascii_case("device") => about(device, rest, text, number),
        _ => match words.iter().map(|word| device_number(word)).collect::<Option<Vec<_>>>() {
            Some(numbers) => Ok(Kind::More(numbers)),
            None => Ok(Kind::Other),
        },
    }
}

/// A device number in capitals, if the word is one.
fn device_number(word: &str) -> Option<String> {
    let hexadecimal = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    hexadecimal.then(|| word.to_ascii_uppercase())
}

/// A word without what sentences put behind it.
fn bare(word: &str) -> &str {
    word.trim_end_matches([',', ';', ':'])
}

fn about(device: &str, words: &[&str], text: &str, number: usize) -> Result<Kind, Box<Problem>> {
    let Some(named) = device_number(device) else {
        if !device.bytes().any(|byte| byte.is_ascii_digit()) {
            return Ok(Kind::Other);
        }
        let shown: String = device.chars().take(20).collect();
        let problem = Problem::new(format!("`{shown}` is not a device number")).at(number, column(text, device));
        return Err(Box::new(problem.allowed(["four hexadecimal digits: 522A"])));
    };
    let Some(at) = words.iter().position(|word| is_one_of(word, &["base", "bases", "alias", "aliases"])) else {
        return Ok(Kind::Neither { device: named });
    };
    let alias = is_one_of(words[at], &["alias", "aliases"]);
    let pool = pool(words).map_err(|what| {
        let place = column(text, words.last().copied().unwrap_or(device));
        Problem::new(what)
            .at(number, place)
            .key(named.clone())
            .allowed(["the number or the name of the pool behind it"])
    })?;
    let after = &words[at + 1..];
    let standing = match (alias, pool) {
        (false, Some(pool)) => Standing::PoolBase { pool },
        (true, Some(pool)) => Standing::PoolAlias { pool },
        (false, None) => Standing::Base { aliases: behind(after, &["alias", "aliases"]) },
        (true, None) => match behind(after, &["base", "bases"]).into_iter().next() {
            Some(base) => Standing::BoundAlias { base },
            None => return Ok(Kind::Unbound { device: named }),
        },
    };
    Ok(Kind::Device { device: named, standing })
}

/// The word behind `pool`, if the line has it.
fn pool(words: &[&str]) -> Result<Option<String>, String> {
    let Some(at) = words.iter().position(|word| word.eq_ignore_ascii_case("pool")) else {
        return Ok(None);
    };
    match words[at + 1..].iter().find(|word| !is_one_of(word, &BETWEEN)) {
        Some(pool) => Ok(Some(pool.to_string())),
        None => Err("the line ends where it should name its pool".to_string()),
    }
}

/// The device numbers behind the first of some words.
fn behind(words: &[&str], one_of: &[&str]) -> Vec<String> {
    let from = words.iter().position(|word| is_one_of(word, one_of)).map_or(words.len(), |at| at + 1);
    words[from..].iter().filter_map(|word| device_number(word)).collect()
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// The place of a word, in characters, counted from one.
fn column(text: &str, word: &str) -> usize {
    text.rfind(word).map_or(1, |at| text[..at].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(text: &str) -> Option<Standing> {
        match read(text, 1) {
            Ok(Kind::Device { standing, .. }) => Some(standing),
            Ok(Kind::Unbound { .. } | Kind::Neither { .. } | Kind::More(_) | Kind::Blank | Kind::Other) => None,
            Err(problem) => panic!("{problem}"),
        }
    }

    #[test]
    fn the_first_of_base_and_alias_is_what_the_device_is() {
        let base = Standing::Base { aliases: vec!["5249".into(), "524A".into()] };
        assert_eq!(standing("Device 522A is a base with the following aliases: 5249, 524a"), Some(base));
        let alias = Standing::BoundAlias { base: "522A".into() };
        assert_eq!(standing("DEVICE 5249 IS AN ALIAS WHOSE BASE DEVICE IS 522A"), Some(alias));
    }

    #[test]
    fn a_pool_makes_it_hyperpav_however_it_is_named() {
        for (text, pool) in [("in pool 1", "1"), ("in Pool number 12", "12"), ("in HyperPAV pool LSS-52,", "LSS-52")] {
            let base = Standing::PoolBase { pool: pool.into() };
            assert_eq!(standing(&format!("Device 522A is a HyperPAV base {text}")), Some(base));
            let alias = Standing::PoolAlias { pool: pool.into() };
            assert_eq!(standing(&format!("Device 5249 is a HyperPAV alias {text}")), Some(alias));
        }
    }

    #[test]
    fn what_is_neither_or_nobodys_is_told_apart() {
        assert_eq!(read("Device 0191 is not a PAV device", 1), Ok(Kind::Neither { device: "0191".into() }));
        assert_eq!(read("Device 5249 is an alias", 1), Ok(Kind::Unbound { device: "5249".into() }));
        assert_eq!(read("  5310 5311 ", 1), Ok(Kind::More(vec!["5310".into(), "5311".into()])));
        assert_eq!(read("Device not found", 1), Ok(Kind::Other));
    }

    #[test]
    fn a_wrong_number_and_a_missing_pool_are_problems_with_their_place() {
        let problem = read("Device 52G1 is a base", 3).expect_err("G is no digit");
        assert_eq!((problem.line, problem.column), (Some(3), Some(8)));
        assert!(read("Device 522A is a HyperPAV base in pool", 1).is_err());
    }
}
