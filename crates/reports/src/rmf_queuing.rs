//! A page of HyperPAV pools in the style of RMF I/O QUEUING ACTIVITY, written by us and saying so.

use crate::grouped::{Column, print};
use crate::number::rounded;
use crate::printable::plain;
use crate::rmf_head::{head, lines_of};
use measures::{Figure, IntervalTotals, PoolTotals};

const TITLE: &str = "I / O   Q U E U I N G   A C T I V I T Y";
const WAIT: &str =
    "FAILS are tries that found no alias free; HPAV WAIT of RMF divides them by all I/Os of the control unit";
const MOST: &str = "MAX is the most aliases in use at a try: those of the pool without the fewest that were free";

/// The pools of an interval as a page; `note` says in its head where they come from and may be empty.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn queuing_page(interval: &IntervalTotals, note: &str) -> String {
    let notes = lines_of(note).chain([WAIT, MOST].map(str::to_string));
    let mut lines = head(TITLE, interval, None, notes);
    lines.extend(print(&columns(&interval.pools), ""));
    lines.join("\n") + "\n"
}

fn columns(rows: &[PoolTotals]) -> Vec<Column> {
    let number = |heading, decimals: usize, figure: &dyn Fn(&PoolTotals) -> Figure| {
        Column::numbers("HPAV", heading, rows.iter().map(|row| rounded(figure(row), decimals)))
    };
    vec![
        Column::words("", "LCU", rows.iter().map(|row| plain(&row.pool))),
        number("ALIASES", 0, &|row| row.aliases),
        number("MAX", 0, &|row| row.aliases.plus(row.low_water.times(Figure::exact(-1.0)))),
        number("TRIES", 0, &|row| row.tries),
        number("FAILS", 0, &|row| row.fails),
        number("FAILS/TRY", 3, &|row| row.fails_per_try),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Span;

    #[test]
    fn a_pool_has_the_most_aliases_in_use_and_how_often_none_was_free() {
        let mut interval = IntervalTotals::new("SYSF", Span::SECOND * 900);
        interval.pools.push(PoolTotals {
            aliases: Figure::exact(8.0),
            low_water: Figure::exact(1.0),
            tries: Figure::exact(1_000.0),
            fails: Figure::exact(104.0),
            fails_per_try: Figure::exact(0.104),
            ..PoolTotals::unknown("0024".into())
        });
        let page = queuing_page(&interval, "read");
        let row: Vec<&str> = page.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row, ["0024", "8", "7", "1000", "104", "0.104"]);
    }
}
