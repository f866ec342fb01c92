//! Quantities as text: spans, amounts of data, shares, rates, device numbers, each within its bounds.

use crate::resolved::Quantity;
use crate::text::clip;
use machine::plan::DeviceNumber;
use std::fmt::Display;
use std::str::FromStr;
use units::{Bytes, PerSecond, Percent, Problem, QuantityError, Span};

/// The longest that a scenario runs.
pub const YEAR: &str = "365 d";

/// A span between two bounds of the language.
pub fn span(text: &str, least: &str, most: &str) -> Result<Quantity<Span>, Box<Problem>> {
    let quantity: Quantity<Span> = parse(text)?;
    let shown = clip(&quantity.text);
    let bound = |text: &str| text.parse::<Span>().expect("the bounds of the language are spans");
    if quantity.value < bound(least) {
        return Err(Problem::new(format!("`{shown}` is too short")).allowed([format!("{least} and more")]).into());
    }
    if quantity.value > bound(most) {
        let problem = Problem::new(format!("`{shown}` is too long")).allowed([format!("up to {most}")]);
        let why = "no scenario runs for more than a year, and the clock of the machine ends after 142";
        return Err(if most == YEAR { problem.because(why) } else { problem }.into());
    }
    Ok(quantity)
}

/// An amount of data between two bounds of the language.
pub fn bytes(text: &str, least: &str, most: &str) -> Result<Quantity<Bytes>, Box<Problem>> {
    let quantity: Quantity<Bytes> = parse(text)?;
    let bound = |text: &str| text.parse::<Bytes>().expect("the bounds of the language are amounts of data");
    if (bound(least)..=bound(most)).contains(&quantity.value) {
        return Ok(quantity);
    }
    let problem = Problem::new(format!("`{}` is out of range", clip(&quantity.text)));
    Err(problem.allowed([format!("{least} to {most}")]).into())
}

/// A share up to `most` percent.
pub fn percent(text: &str, most: f64) -> Result<Quantity<Percent>, Box<Problem>> {
    let quantity: Quantity<Percent> = parse(text)?;
    if quantity.value.percent() <= most {
        return Ok(quantity);
    }
    let problem = Problem::new(format!("`{}` is more than {most} %", clip(&quantity.text)));
    Err(problem.allowed([format!("0 % to {most} %")]).into())
}

/// Growth up to `most` percent, or a decline that leaves something.
pub fn growth(text: &str, most: f64) -> Result<Quantity<Percent>, Box<Problem>> {
    let Some(decline) = text.trim().strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
        return percent(text, most);
    };
    let Quantity { value, text } = parse::<Percent>(decline)?;
    let text = format!("-{text}");
    if value.percent() < 100.0 {
        return Ok(Quantity { value: Percent::new(-value.percent()), text });
    }
    let problem = Problem::new(format!("`{}` leaves nothing", clip(&text)));
    Err(problem.allowed([format!("more than -100 %, up to {most} %")]).into())
}

/// A rate from `least` to `most` per second.
pub fn rate(text: &str, least: f64, most: f64) -> Result<Quantity<PerSecond>, Box<Problem>> {
    let quantity: Quantity<PerSecond> = parse(text)?;
    let per_second = quantity.value.per_second();
    if (least..=most).contains(&per_second) {
        return Ok(quantity);
    }
    let (says, why) = if per_second > most {
        ("too often", "a simulation of it would not end")
    } else {
        ("never", "hardly any guest would ever arrive")
    };
    let problem = Problem::new(format!("`{}` is {says}", clip(&quantity.text)));
    Err(problem.because(why).allowed([format!("{least}/s to {most}/s")]).into())
}

/// A device number of up to four hexadecimal digits.
pub fn device(text: &str) -> Result<DeviceNumber, Box<Problem>> {
    let allowed = ["hexadecimal \"0\" to \"FFFF\""];
    let hexadecimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !hexadecimal {
        return Err(Problem::new(format!("`{}` is not a hexadecimal device number", clip(text)))
            .allowed(allowed)
            .into());
    }
    let digits = text.trim_start_matches('0');
    let number = if digits.is_empty() { Ok(0) } else { u16::from_str_radix(digits, 16) };
    number.map(DeviceNumber).map_err(|_| {
        let problem = Problem::new(format!("device number `{}` is past FFFF", clip(text)))
            .because("a device number has 16 bits")
            .allowed(allowed);
        Box::new(problem)
    })
}

fn parse<T: FromStr<Err = QuantityError> + Display>(text: &str) -> Result<Quantity<T>, Box<Problem>> {
    let shown = clip(text);
    match text.parse() {
        Ok(value) => Ok(Quantity { value, text: tidy(text) }),
        Err(QuantityError::NoUnit(units)) => Err(Problem::new(format!("`{shown}` has no unit"))
            .because("a quantity without a unit can be misread")
            .allowed(units.iter().copied())
            .into()),
        Err(QuantityError::UnknownUnit(unit, units)) => {
            let nearest = units.iter().find(|name| name.eq_ignore_ascii_case(&unit));
            Err(Problem::new(format!("`{shown}` has the unit `{}`, which does not fit here", clip(&unit)))
                .allowed(units.iter().copied())
                .nearest(nearest.copied())
                .into())
        }
        Err(QuantityError::Negative) => {
            Err(Problem::new(format!("`{shown}` is negative")).because("no quantity here is below zero").into())
        }
        Err(QuantityError::NoNumber) => {
            Err(Problem::new(format!("`{shown}` does not begin with a decimal number")).into())
        }
        Err(QuantityError::NotWhole(of)) => Err(Problem::new(format!("`{shown}` is not a whole number of {of}s"))
            .because(format!("a {of} cannot be divided"))
            .into()),
        Err(QuantityError::TooLarge) => Err(Problem::new(format!("`{shown}` is too large")).into()),
    }
}

/// The number and its unit with one blank between them, or none before a per.
fn tidy(text: &str) -> String {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim();
    let blank = if unit.starts_with('/') { "" } else { " " };
    format!("{number}{blank}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold() {
        assert!(span("0 ms", "0 us", YEAR).is_ok());
        assert!(span("365 d", "0 us", YEAR).is_ok());
        assert_eq!(span("0 ms", "1 us", YEAR).unwrap_err().allowed, ["1 us and more"]);
        assert_eq!(span("366 d", "0 us", YEAR).unwrap_err().allowed, ["up to 365 d"]);
        assert!(span("366 d", "0 us", YEAR).unwrap_err().why.contains("a year"));
        assert_eq!(span("10 s", "50 ms", "9999 ms").unwrap_err().why, "", "no year is in the way of ten seconds");
        assert!(percent("100 %", 100.0).is_ok());
        assert!(percent("100.1 %", 100.0).is_err());
        assert_eq!(growth("-40%", 100.0).unwrap().text, "-40 %");
        assert_eq!(growth("-40 %", 100.0).unwrap().value.percent(), -40.0);
        assert!(growth("-100 %", 100.0).unwrap_err().allowed[0].contains("-100 %"));
        assert!(growth("--40 %", 100.0).is_err());
        assert!(growth("- %", 100.0).is_err());
        assert!(rate("0/s", 1e-6, 1e6).is_err());
        assert!(rate(&format!("{}/s", "9".repeat(400)), 1e-6, 1e6).is_err());
        assert!(percent(&format!("{} %", "9".repeat(400)), 100.0).is_err());
    }

    #[test]
    fn device_numbers_are_hexadecimal() {
        assert_eq!(device("522A").unwrap(), DeviceNumber(0x522A));
        assert_eq!(device("0000ffff").unwrap(), DeviceNumber(0xFFFF));
        assert!(device("10000").unwrap_err().what.contains("past FFFF"));
        assert!(device("52G0").unwrap_err().what.contains("not a hexadecimal"));
        assert!(device("").is_err());
        assert!(device("+1").is_err());
    }

    #[test]
    fn the_text_is_tidied() {
        assert_eq!(span(" 0.2ms ", "0 us", YEAR).unwrap().text, "0.2 ms");
        assert_eq!(rate("500 /s", 1e-6, 1e6).unwrap().text, "500/s");
    }
}
