//! A page of one partition's logical processors in the style of RMF CPU ACTIVITY, written by us and saying so.

use crate::grouped::{Column, print};
use crate::number::rounded;
use crate::printable::plain;
use crate::rmf_head::{head, lines_of};
use measures::{Figure, IntervalTotals, LogicalProcessorTotals, sum};
use units::Span;

const TITLE: &str = "C P U   A C T I V I T Y";
const SUMMARY: &str = "TOTAL/AVERAGE";
const NOT_APPLICABLE: &str = "------";

const BUSY: &str =
    "LPAR BUSY is dispatched, LPAR management included; MVS BUSY has work, dispatched or not; nothing is parked here";
const PARKED: &str = "LPAR BUSY is dispatched, LPAR management included; MVS BUSY has work, dispatched or not, on average of the time not parked";

/// The facts on a partition beside the tables of an interval.
#[derive(Clone, Debug, Default)]
pub struct CpuForm {
    /// The entitlement of each logical processor, in percent of a physical one, in their order.
    pub shares: Vec<LogicalShare>,
    /// For how much of the time each is parked by a control program, in percent, in their order; none: it cannot be.
    pub parked: Vec<Figure>,
    /// For how much of the interval each was online, in percent, in their order; none: all of it.
    pub online: Vec<Figure>,
    /// How often the partition's own measurement program looks, where there is one.
    pub cycle: Option<Span>,
}

/// The entitlement of a logical processor.
#[derive(Clone, Debug)]
pub struct LogicalShare {
    /// In percent of a physical one.
    pub percent: Figure,
    /// Its polarity as printed: `HIGH`, `MED`, `LOW`; empty in horizontal mode.
    pub polarity: String,
}

/// The logical processors of an interval, all of one partition, as a page.  `note` gives their origin in the page's
/// head and may be empty.
///
/// Columns are as wide as their contents, so nothing is cut. Numbers of processors are hexadecimal.
pub fn cpu_page(interval: &IntervalTotals, form: &CpuForm, note: &str) -> String {
    let busy = if form.parked.is_empty() { BUSY } else { PARKED };
    let notes = lines_of(note).chain([busy.to_string()]);
    let mut lines = head(TITLE, interval, form.cycle, notes);
    let summary = if interval.logical_processors.is_empty() { "" } else { SUMMARY };
    lines.extend(print(&columns(&interval.logical_processors, form), summary));
    lines.join("\n") + "\n"
}

fn columns(rows: &[LogicalProcessorTotals], form: &CpuForm) -> Vec<Column> {
    let given = &form.shares;
    let online: Vec<Figure> = rows.iter().enumerate().map(|(at, _)| form.online(at)).collect();
    // Processors' worth online: with all of them online as many as there are.
    let all = sum(online.iter().copied()).over(Figure::exact(100.0));
    let of_online =
        |figures: Vec<Figure>| figures.into_iter().enumerate().map(|(at, figure)| form.of_online(at, figure)).collect();
    let word = |group, heading, text: &dyn Fn(&LogicalProcessorTotals) -> String| {
        Column::words(group, heading, rows.iter().map(text).chain([String::new()]))
    };
    let number = |group, heading, figures: Vec<Figure>, last: Figure| {
        let texts = figures.into_iter().chain([last]).map(|figure| rounded(figure, 2));
        Column::numbers(group, heading, texts)
    };
    let each = |figure: &dyn Fn(&LogicalProcessorTotals) -> Figure| rows.iter().map(figure).collect::<Vec<_>>();
    let time = |heading, figures: Vec<Figure>, last| number("TIME %", heading, figures, last);
    let dispatched = each(&total_dispatch);
    let mean_dispatched = sum(dispatched.iter().copied()).over(all);
    let mean_online = sum(online.iter().copied()).over(Figure::exact(rows.len() as f64));
    let rate = sum(rows.iter().map(|row| row.interrupts_per_s));
    let tested = sum(rows.iter().map(|row| row.interrupts_per_s.times(row.tpi_percent)));
    let nth = |at: usize| given.get(at);
    let shares: Vec<Figure> =
        (0..rows.len()).map(|at| nth(at).map_or(Figure::UNKNOWN, |share| share.percent)).collect();
    let total_share = sum(shares.iter().copied());
    let polarities = (0..rows.len()).map(|at| nth(at).map_or(String::new(), |share| plain(&share.polarity)));
    let polarized = given.iter().any(|share| !share.polarity.is_empty());
    let mut columns = vec![
        word("CPU", "NUM", &|row| format!("{:X}", row.number)),
        word("CPU", "TYPE", &|_| "CP".to_string()),
        time("ONLINE", online.clone(), mean_online),
        time("LPAR BUSY", of_online(dispatched), mean_dispatched),
        time("MVS BUSY", of_online(each(&|row| row.busy_percent)), mean_busy(rows, all, &form.parked)),
        parked(rows.len(), &form.parked),
        number("LOG PROC", "SHARE %", shares, total_share),
    ];
    // It has no heading of its own, on the page of RMF neither.
    columns.extend(polarized.then(|| Column::words("LOG PROC", "", polarities.chain([String::new()]))));
    columns.extend([
        number("I/O INTERRUPTS", "RATE", each(&|row| row.interrupts_per_s), rate),
        number("I/O INTERRUPTS", "% VIA TPI", each(&|row| row.tpi_percent), tested.over(rate)),
    ]);
    columns
}

/// The total dispatch time, to which the management of the partition is charged; a page that was read has only the total.
fn total_dispatch(row: &LogicalProcessorTotals) -> Figure {
    let management = Some(row.management_percent).filter(|figure| figure.is_known());
    row.dispatched_percent.plus(management.unwrap_or(Figure::ZERO))
}

impl CpuForm {
    /// The percentage of the interval in which a processor was online.
    fn online(&self, at: usize) -> Figure {
        self.online.get(at).copied().unwrap_or(Figure::exact(100.0))
    }

    /// A percentage of the interval as one of the time that a processor was online (RMF CPU ACTIVITY, LPAR BUSY).
    fn of_online(&self, at: usize, percent: Figure) -> Figure {
        if self.online.is_empty() { percent } else { percent.over(self.online(at)).times(Figure::exact(100.0)) }
    }
}

/// Of the time in which processors were not parked (RMF CPU ACTIVITY: parked ones are not in the average).
fn mean_busy(rows: &[LogicalProcessorTotals], online: Figure, parked: &[Figure]) -> Figure {
    let busy = sum(rows.iter().map(|row| row.busy_percent));
    let away: f64 = parked.iter().map(|figure| figure.value / 100.0).sum();
    busy.over(Figure::exact(online.value - away))
}

fn parked(rows: usize, parked: &[Figure]) -> Column {
    let mean = sum(parked.iter().copied()).over(Figure::exact(rows as f64));
    let last = if parked.is_empty() { String::new() } else { rounded(mean, 2) };
    let text = |at: usize| parked.get(at).map_or(NOT_APPLICABLE.to_string(), |figure| rounded(*figure, 2));
    Column::numbers("TIME %", "PARKED", (0..rows).map(text).chain([last]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(polarities: [&str; 2]) -> CpuForm {
        let share = |polarity: &str| LogicalShare { percent: Figure::exact(50.0), polarity: polarity.into() };
        CpuForm { shares: polarities.map(share).to_vec(), ..CpuForm::default() }
    }

    fn interval() -> IntervalTotals {
        let mut interval = IntervalTotals::new("PEMDFI", Span::SECOND * 900);
        for (number, rate, tpi) in [(0, 300.0, 20.0), (1, 100.0, 60.0)] {
            interval.logical_processors.push(LogicalProcessorTotals {
                dispatched_percent: Figure::exact(49.5),
                management_percent: Figure::exact(0.5),
                busy_percent: Figure::exact(90.0 + number as f64),
                interrupts_per_s: Figure::exact(rate),
                tpi_percent: Figure::exact(tpi),
                ..LogicalProcessorTotals::unknown("PEMDFI".into(), number)
            });
        }
        interval
    }

    #[test]
    fn the_last_line_has_totals_of_rates_and_averages_of_shares() {
        let page = cpu_page(&interval(), &form(["", ""]), "");
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let last: Vec<Vec<String>> = page.lines().rev().take(2).map(words).collect();
        assert_eq!(last[0], ["TOTAL/AVERAGE", "100.00", "50.00", "90.50", "100.00", "400.00", "30.00"]);
        assert_eq!(last[1], ["1", "CP", "100.00", "50.00", "91.00", "------", "50.00", "100.00", "60.00"]);
    }

    #[test]
    fn who_is_parked_is_not_in_the_average_of_the_busy() {
        let parked = [20.0, 80.0].map(Figure::exact).to_vec();
        let page = cpu_page(&interval(), &CpuForm { parked, ..form(["", ""]) }, "");
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let last: Vec<Vec<String>> = page.lines().rev().take(2).map(words).collect();
        assert_eq!(last[0][..5], ["TOTAL/AVERAGE", "100.00", "50.00", "181.00", "50.00"]);
        assert_eq!(last[1][5], "80.00");
    }

    #[test]
    fn busy_is_a_part_of_the_time_online() {
        let online = [100.0, 50.0].map(Figure::exact).to_vec();
        let mut interval = interval();
        interval.logical_processors[1].dispatched_percent = Figure::exact(24.5);
        interval.logical_processors[1].busy_percent = Figure::exact(45.0);
        let page = cpu_page(&interval, &CpuForm { online, ..form(["", ""]) }, "");
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let last: Vec<Vec<String>> = page.lines().rev().take(2).map(words).collect();
        assert_eq!(last[0][..4], ["TOTAL/AVERAGE", "75.00", "50.00", "90.00"]);
        assert_eq!(last[1][..5], ["1", "CP", "50.00", "50.00", "90.00"]);
    }

    #[test]
    fn polarities_stand_beside_shares() {
        let page = cpu_page(&interval(), &form(["HIGH", "MED"]), "");
        assert!(page.lines().any(|line| line.ends_with("------    50.00  HIGH  300.00      20.00")), "{page}");
    }

    #[test]
    fn headings_stand_under_their_groups() {
        let page = cpu_page(&interval(), &form(["", ""]), "");
        let lines: Vec<&str> = page.lines().skip(4).take(2).collect();
        assert_eq!(lines[0], " ---- CPU ----  ------------- TIME % --------------  LOG PROC  I/O INTERRUPTS");
        assert_eq!(lines[1], " NUM      TYPE  ONLINE  LPAR BUSY  MVS BUSY  PARKED   SHARE %    RATE  % VIA TPI");
    }
}
