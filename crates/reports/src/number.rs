//! Numbers as the trade prints them: `711`, `1.3`, `.2`, `1.84`.

use measures::Figure;

/// The text in place of an unknown number.
const NOT_KNOWN: &str = "-";

/// From here on a number is no measurement but a division by next to nothing.
const MEANINGLESS: f64 = 1e9;

/// A rate or a time: one decimal below 100, none from 100 up, no zero before the point (FCX108 excerpts in z/VM
/// HyperPAV Support: `711`, `1.3`, `.2`).
pub(crate) fn tenths(figure: Figure) -> String {
    match figure.value {
        value if value.is_nan() || value >= MEANINGLESS => NOT_KNOWN.to_string(),
        value if value < 99.95 => without_zero(format!("{value:.1}")),
        value => format!("{value:.0}"),
    }
}

/// A queue: two decimals below 10 (`1.84`, `.90`), then as a rate.
pub(crate) fn queue(figure: Figure) -> String {
    match figure.value {
        value if value < 9.995 => without_zero(format!("{value:.2}")),
        _ => tenths(figure),
    }
}

/// A time of RMF in at most four characters below 1000: `.384`, `1.38`, `12.4`, `124`.
///
/// ASSUME: the headings of z/OS V2R4 leave four columns; how its page fills them is not known.
pub(crate) fn rmf_time(figure: Figure) -> String {
    match figure.value {
        value if value < 0.9995 => without_zero(rounded(figure, 3)),
        value if value < 9.995 => rounded(figure, 2),
        value if value < 99.95 => rounded(figure, 1),
        _ => rounded(figure, 0),
    }
}

/// A percentage: one decimal, no zero before the point (`.2`, `96.4`, `433.1`): those of several processors are added up.
pub(crate) fn percent(figure: Figure) -> String {
    without_zero(rounded(figure, 1))
}

/// A time of locks in four digits: `.249`, `1.091`, `15.85`, `433.2` (FCX265 has three decimals below 1).
pub(crate) fn microseconds(figure: Figure) -> String {
    match figure.value {
        value if value < 9.9995 => without_zero(rounded(figure, 3)),
        value if value < 99.995 => rounded(figure, 2),
        value if value < 999.95 => rounded(figure, 1),
        _ => rounded(figure, 0),
    }
}

/// How often something was done, in whole times.
pub(crate) fn count(figure: Figure) -> String {
    if figure.value.is_finite() { format!("{:.0}", figure.value) } else { NOT_KNOWN.to_string() }
}

/// A number with this many decimals.
pub(crate) fn rounded(figure: Figure, decimals: usize) -> String {
    match figure.value {
        value if value.is_nan() || value >= MEANINGLESS => NOT_KNOWN.to_string(),
        value => format!("{value:.decimals$}"),
    }
}

fn without_zero(text: String) -> String {
    text.strip_prefix('0').map(str::to_string).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_times_look_as_in_the_excerpts() {
        for (value, text) in
            [(711.0, "711"), (0.0, ".0"), (0.2, ".2"), (1.3, "1.3"), (0.97, "1.0"), (99.94, "99.9"), (99.96, "100")]
        {
            assert_eq!(tenths(Figure::exact(value)), text);
        }
    }

    #[test]
    fn queues_have_one_digit_more() {
        for (value, text) in
            [(1.84, "1.84"), (0.9, ".90"), (0.0, ".00"), (9.996, "10.0"), (14.4, "14.4"), (144.0, "144")]
        {
            assert_eq!(queue(Figure::exact(value)), text);
        }
    }

    #[test]
    fn times_of_rmf_have_four_characters() {
        for (value, text) in
            [(0.0, ".000"), (0.3841, ".384"), (0.9996, "1.00"), (9.996, "10.0"), (46.16, "46.2"), (124.4, "124")]
        {
            assert_eq!(rmf_time(Figure::exact(value)), text);
        }
    }

    #[test]
    fn times_of_locks_have_four_digits() {
        for (value, text) in [
            (0.0, ".000"),
            (0.2494, ".249"),
            (1.091, "1.091"),
            (9.9996, "10.00"),
            (15.85, "15.85"),
            (433.17, "433.2"),
            (1194.4, "1194"),
        ] {
            assert_eq!(microseconds(Figure::exact(value)), text);
        }
    }

    #[test]
    fn percentages_keep_their_decimal() {
        for (value, text) in [(0.0, ".0"), (0.24, ".2"), (100.0, "100.0"), (1327.46, "1327.5")] {
            assert_eq!(percent(Figure::exact(value)), text);
        }
    }

    #[test]
    fn what_is_not_known_is_a_dash() {
        assert_eq!(tenths(Figure::UNKNOWN), "-");
        assert_eq!(queue(Figure::UNKNOWN), "-");
        assert_eq!(rmf_time(Figure::UNKNOWN), "-");
        assert_eq!(percent(Figure::UNKNOWN), "-");
        assert_eq!(microseconds(Figure::UNKNOWN), "-");
        assert_eq!(rounded(Figure::exact(f64::INFINITY), 2), "-");
        assert_eq!(tenths(Figure::exact(f64::INFINITY)), "-");
    }
}
