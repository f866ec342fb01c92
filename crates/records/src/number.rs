//! A number as a page prints it: `711`, `1.84`, `.2`, `.00`, or dots where there is none.

use crate::grid::{Cell, Grid};
use measures::Figure;
use std::ops::Range;

/// The largest number that a column of the page can mean, in its own unit.
const LARGEST: f64 = 1e9;

/// The value of a numeric field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// A number, with half a unit of its last digit.
    Number(Figure),
    /// Dots, dashes or nothing: the page does not tell.
    NotTold,
}

impl Printed {
    /// Reads a field without the blanks around it; says why it cannot.
    pub fn read(text: &str) -> Result<Printed, String> {
        let filler = |dot: char| text.len() > 1 && text.chars().all(|ch| ch == dot);
        if text.is_empty() || text == "-" || filler('.') || filler('-') {
            return Ok(Printed::NotTold);
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let dangling = decimals.is_empty() && (whole.is_empty() || text.ends_with('.'));
        if !digits(whole) || !digits(decimals) || dangling {
            return Err(format!("`{}` is not a number", shown(text)));
        }
        match text.parse::<f64>() {
            Ok(value) if value < LARGEST => Ok(Printed::Number(Figure::printed(value, decimals.len()))),
            Ok(_) | Err(_) => Err(format!("{} is larger than any device can reach", shown(text))),
        }
    }

    /// The figure; unknown where the page does not tell.
    pub fn figure(self) -> Figure {
        match self {
            Printed::Number(figure) => figure,
            Printed::NotTold => Figure::UNKNOWN,
        }
    }
}

/// The text in some columns of a line, when it is ASCII; else the problem, and its column.
pub(crate) fn ascii(line: &Grid, place: &Range<usize>) -> Result<String, (String, usize)> {
    let text = line.text(place.clone());
    let foreign = |at: &usize| !matches!(line.cell(*at), Some(Cell::Byte(_, _)) | Some(Cell::Tab));
    if let Some(at) = place.clone().find(foreign) {
        return Err((format!("`{}` holds a character that is not ASCII", shown(&text)), at));
    }
    if let Some(at) = place.clone().find(|at| line.char(*at).is_control()) {
        return Err((format!("`{}` holds a control character", shown(&text)), at));
    }
    Ok(text)
}

/// A text as it may be shown in a message: no control characters, not endless.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let clean = |ch: char| if ch.is_control() { char::REPLACEMENT_CHARACTER } else { ch };
    let mut short: String = text.chars().take(MOST).map(clean).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_precision_they_were_printed_with() {
        for (text, value, rounding) in
            [("711", 711.0, 0.5), ("1.84", 1.84, 0.005), ("1.8", 1.8, 0.05), (".2", 0.2, 0.05), (".00", 0.0, 0.005)]
        {
            let figure = Printed::read(text).unwrap().figure();
            assert_eq!(figure.value, value, "{text}");
            assert!((figure.rounding - rounding).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn dots_and_dashes_are_no_number_and_no_error() {
        for text in ["...", "....", "-", "---", ""] {
            assert_eq!(Printed::read(text), Ok(Printed::NotTold), "{text}");
        }
    }

    #[test]
    fn what_no_page_prints_is_refused() {
        for text in
            ["7x1", ".", "5.", "1.2.3", "-1", "NaN", "inf", "1e3", "+1", "1,5", "\u{663}", "99999999999999999999"]
        {
            assert!(Printed::read(text).is_err(), "{text}");
        }
    }
}
