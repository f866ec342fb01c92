//! A page of channel paths in the style of RMF CHANNEL PATH ACTIVITY, written by us and saying so.

use crate::grouped::{Column, print};
use crate::number::rounded;
use crate::printable::plain;
use crate::rmf_head::{head, lines_of};
use measures::{ChannelTotals, Figure, IntervalTotals};

const TITLE: &str = "C H A N N E L   P A T H   A C T I V I T Y";
const BUSY: &str = "UTILIZATION is the time in which the channel carries an I/O: in either direction, a read, a write";
const WAIT: &str = "WAIT is the time for which an I/O waits for the channel; it is part of CONN, or of PEND and DISC";

/// The channel paths of an interval as a page; `note` says in its head where they come from and may be empty.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn channel_page(interval: &IntervalTotals, note: &str) -> String {
    let notes = lines_of(note).chain([BUSY, WAIT].map(str::to_string));
    let mut lines = head(TITLE, interval, None, notes);
    lines.extend(print(&columns(&interval.channels), ""));
    lines.join("\n") + "\n"
}

fn columns(rows: &[ChannelTotals]) -> Vec<Column> {
    let number = |group, heading, decimals: usize, figure: &dyn Fn(&ChannelTotals) -> Figure| {
        Column::numbers(group, heading, rows.iter().map(|row| rounded(figure(row), decimals)))
    };
    // RMF prints millions of bytes.
    let megabytes = |figure: Figure| figure.times(Figure::exact(1024.0 / 1e6));
    let busy = "UTILIZATION(%)";
    vec![
        Column::words("CHANNEL PATH", "ID", rows.iter().map(|row| plain(&row.channel))),
        number(busy, "TOTAL", 2, &|row| row.busy_percent),
        number(busy, "READ", 2, &|row| row.read_busy_percent),
        number(busy, "WRITE", 2, &|row| row.write_busy_percent),
        number("READ(MB/SEC)", "TOTAL", 2, &|row| megabytes(row.read_kib_per_s)),
        number("WRITE(MB/SEC)", "TOTAL", 2, &|row| megabytes(row.write_kib_per_s)),
        number("I/O", "RATE", 1, &|row| row.io_per_s),
        number("MS PER I/O", "SERIAL", 3, &|row| row.carry_ms),
        number("MS PER I/O", "WAIT", 3, &|row| row.wait_ms),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Span;

    #[test]
    fn a_channel_has_its_utilisation_its_bytes_and_its_waits() {
        let mut interval = IntervalTotals::new("ONE CHANNEL", Span::SECOND * 60);
        interval.channels.push(ChannelTotals {
            io_per_s: Figure::exact(4_000.0),
            busy_percent: Figure::exact(66.68),
            read_busy_percent: Figure::exact(50.01),
            write_busy_percent: Figure::exact(16.67),
            read_kib_per_s: Figure::exact(12_000.0),
            write_kib_per_s: Figure::exact(4_000.0),
            carry_ms: Figure::exact(0.1667),
            wait_ms: Figure::exact(0.25),
            ..ChannelTotals::unknown("50".into())
        });
        let page = channel_page(&interval, "simulated");
        let row: Vec<&str> = page.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row, ["50", "66.68", "50.01", "16.67", "12.29", "4.10", "4000.0", "0.167", "0.250"]);
        assert!(page.contains("C H A N N E L   P A T H") && page.contains("Note simulated"));
    }
}
