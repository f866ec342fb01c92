//! The measurement program inside a partition: what the published study recommends for it, and what follows from its cycle.
//!
//! All recommendations are those of Partitioning Large Processors, section 2.0, and each warning repeats the reason
//! given there.

use super::worked_out;
use crate::language::{
    CYCLE, GUESTS, INTERVAL, JITTER, Key, MEASURED, MEASURED_BY, NAME, PARTITIONS, PRIORITY, RUNS_IN, SAMPLER_PRIORITY,
    TARGET,
};
use crate::problems::Problems;
use crate::resolved::Table;
use units::{Problem, Span};

/// No shorter cycle, if the document is asked.
const LEAST_CYCLE: Span = Span::from_ms(250);
/// No interval of this length or longer.
const TOO_LONG: Span = Span::from_ms(60 * 60 * 1_000);
/// A share of 75 is three times one of 25.
const LOPSIDED: f64 = 3.0;

const DELAYED: &str = "Partitioning Large Processors, 2.0: \"Do not set cycle time to less than 250 ms\"; if the timer pops \
                       while the domain is not dispatched, \"the best case is a delay in taking the sample. The worst \
                       case is a missed sample\"";
const COMPETES: &str = "Partitioning Large Processors, 2.0: \"Assign a high dispatching priority for RMF\"; \"if a relatively \
                        low dispatching priority is assigned to RMF on a heavily loaded system, the same sampling error \
                        or delay occurs\"";
const LONG_SLICES: &str = "Partitioning Large Processors, 2.0: \"Watch for CPU allocations of 75/25, 80/20, and 90/10. Long \
                           domain time slices cause domains with short time slices to possibly incur sampling delays or \
                           errors.\"";
const ONE_REPORT: &str = "Partitioning Large Processors, 2.0: \"Set the recording interval to less than 60 minutes\"; \"you \
                          cannot generate a postprocessor interval report for a time period shorter than the RMF \
                          recording interval\"";

/// The jitter of a pop: a tenth of a second by default, and a cycle at most.
pub fn work_out_jitter(root: &mut Table) {
    for partition in root.tables_mut(&PARTITIONS) {
        if let Some(rmf) = partition.table_mut(&MEASURED_BY) {
            worked_out::span(rmf, &JITTER, "100 ms", &CYCLE);
        }
    }
}

/// Checks that no pop strays past the next one.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for rmf in samplers(root).map(|(_, rmf)| rmf) {
        let (Some(cycle), Some(jitter)) = (rmf.span(&CYCLE), rmf.span(&JITTER)) else { continue };
        if jitter > cycle {
            let text = |key: &Key| rmf.span_text(key).unwrap_or_default();
            let problem = Problem::new(format!("a jitter of {} in a cycle of {}", text(&JITTER), text(&CYCLE)))
                .key(rmf.path(&JITTER))
                .because("a sample would stray past the next one")
                .allowed([format!("0 ms to {}", text(&CYCLE))]);
            problems.add(rmf.at(&JITTER), problem);
        }
    }
}

/// The partitions that something inside them measures, with it.
fn samplers(root: &Table) -> impl Iterator<Item = (&Table, &Table)> {
    root.tables(&PARTITIONS).iter().filter_map(|partition| Some((partition, partition.table(&MEASURED_BY)?)))
}

/// Says which of the recommendations a scenario does not follow.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let interval = root.table(&MEASURED).and_then(|measure| measure.span(&INTERVAL));
    for (partition, rmf) in samplers(root) {
        check_cycle(rmf, interval, warnings);
        check_priority(root, partition, rmf, warnings);
        check_split(root, partition, warnings);
    }
    let Some(measure) = root.table(&MEASURED).filter(|_| samplers(root).next().is_some()) else { return };
    if interval.is_some_and(|interval| interval >= TOO_LONG) {
        let text = measure.span_text(&INTERVAL).unwrap_or_default();
        let problem = Problem::new(format!("a recording interval of {text}"));
        let problem = problem.key(measure.path(&INTERVAL)).because(ONE_REPORT).allowed(["less than 60 min"]);
        warnings.add(measure.at(&INTERVAL), problem);
    }
}

fn check_cycle(rmf: &Table, interval: Option<Span>, warnings: &mut Problems<'_>) {
    let Some(cycle) = rmf.span(&CYCLE) else { return };
    let what = format!("a cycle of {}", rmf.span_text(&CYCLE).unwrap_or_default());
    if cycle < LEAST_CYCLE {
        let problem = Problem::new(what.clone()).key(rmf.path(&CYCLE)).because(DELAYED).allowed(["250 ms and more"]);
        warnings.add(rmf.at(&CYCLE), problem);
    }
    if let Some(interval) = interval.filter(|interval| *interval < cycle) {
        let problem = Problem::new(format!("{what} in intervals of {interval}"))
            .key(rmf.path(&CYCLE))
            .because("in an interval without a sample it sees no queue at all")
            .allowed(["a cycle up to the length of the interval"]);
        warnings.add(rmf.at(&CYCLE), problem);
    }
}

/// It goes before every guest of its partition, or some guest delays it.
fn check_priority(root: &Table, partition: &Table, rmf: &Table, warnings: &mut Problems<'_>) {
    let Some(own) = rmf.count(&SAMPLER_PRIORITY) else { return };
    let here = root.tables(&GUESTS).iter().filter(|guest| guest.text(&RUNS_IN) == partition.text(&NAME));
    let most = here.filter_map(|guest| Some((guest.count(&PRIORITY)?, guest))).max_by_key(|(priority, _)| *priority);
    let Some((priority, guest)) = most.filter(|(priority, _)| *priority >= own) else { return };
    let problem = Problem::new(format!("a priority of {own} where {} has {priority}", guest.title()))
        .key(rmf.path(&SAMPLER_PRIORITY))
        .because(COMPETES)
        .allowed(if priority < 255 { vec![format!("{} to 255", priority + 1)] } else { vec!["no priority".into()] });
    warnings.add(rmf.at(&SAMPLER_PRIORITY), problem);
}

/// Another has three times its share or more.
fn check_split(root: &Table, partition: &Table, warnings: &mut Problems<'_>) {
    let Some(own) = partition.percent(&TARGET) else { return };
    let others = root.tables(&PARTITIONS).iter().filter_map(|other| Some((other.percent(&TARGET)?, other)));
    let Some((most, other)) = others.max_by(|(a, _), (b, _)| a.percent().total_cmp(&b.percent())) else { return };
    // Exactly 75 to 25 counts, however its decimals are rounded.
    if most.percent() >= own.percent() * LOPSIDED * (1.0 - 1e-9) {
        let problem = Problem::new(format!("a target of {own} where {} has {most}", other.title()))
            .key(partition.path(&TARGET))
            .because(LONG_SLICES)
            .allowed(["targets that are less apart", "shorter slices for all"]);
        warnings.add(partition.at(&TARGET), problem);
    }
}
