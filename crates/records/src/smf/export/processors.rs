//! The sections of record 70-1: partitions, their logical processors, and those of the system itself.

use super::interval::{Interval, Kind};
use super::section::Section;
use crate::smf::layout::{
    CPU, CPU_CONTROL, CPU_NAME, LOGICAL_PROCESSOR, PARTITION, smf70bct, smf70bpd, smf70cis, smf70cpu, smf70ctl,
};
use measures::{Figure, LogicalProcessorTotals, PartitionTotals};

/// The sections of an interval with partitions.
pub(super) fn sections(interval: &Interval) -> Vec<Kind> {
    let partitions = &interval.totals.partitions;
    let mut logical = vec![];
    let mut of_partitions = vec![];
    let mut own = vec![];
    for (place, partition) in partitions.iter().enumerate() {
        let processors = processors(interval, partition);
        of_partitions.push(partition_section(partition, place, logical.len(), &processors));
        logical.extend(processors.iter().map(|processor| logical_processor(interval, processor, partition.weight)));
        if place == 0 {
            own = processors.iter().filter_map(|processor| cpu(interval, processor)).collect();
        }
    }
    let once = |section: fn() -> Section| partitions.iter().take(1).map(|_| section()).collect();
    vec![
        (&CPU_CONTROL, once(|| Section::of(&smf70ctl::LAYOUT))),
        (&CPU, own),
        (&PARTITION, of_partitions),
        (&LOGICAL_PROCESSOR, logical),
        (&CPU_NAME, partitions.iter().take(1).map(name).collect()),
    ]
}

/// The logical processors of a partition; where there are none, as many as it has, with its means.
fn processors(interval: &Interval, partition: &PartitionTotals) -> Vec<LogicalProcessorTotals> {
    let of_partition = |row: &&LogicalProcessorTotals| row.partition == partition.partition;
    let rows: Vec<_> = interval.totals.logical_processors.iter().filter(of_partition).cloned().collect();
    if !rows.is_empty() {
        return rows;
    }
    let count = partition.logical_processors;
    let mean = |number| LogicalProcessorTotals {
        dispatched_percent: partition.dispatched_percent,
        effective_percent: partition.effective_percent,
        wait_percent: partition.wait_percent,
        pending_percent: partition.pending_percent,
        management_percent: partition.management_percent,
        busy_percent: partition.effective_percent.plus(partition.pending_percent),
        interrupts_per_s: partition.interrupts_per_s.over(Figure::exact(count as f64)),
        tpi_percent: partition.tpi_percent,
        ..LogicalProcessorTotals::unknown(partition.partition.clone(), number)
    };
    (0..count).map(mean).collect()
}

/// Whether it is known how long logical processors waited.
fn waits_are_known(processors: &[LogicalProcessorTotals]) -> bool {
    processors.iter().all(|row| row.pending_percent.is_known() && row.wait_percent.is_known())
}

fn partition_section(
    partition: &PartitionTotals,
    place: usize,
    before: usize,
    processors: &[LogicalProcessorTotals],
) -> Section {
    use smf70bct::*;
    let mut section = Section::of(&LAYOUT);
    section.text(SMF70LPM, &partition.partition);
    section.count(SMF70LPN, place as f64 + 1.0);
    section.count(SMF70PFG, if waits_are_known(processors) { 4.0 } else { 0.0 });
    section.count(SMF70BDN, processors.len() as f64);
    section.count(SMF70BDS, before as f64);
    section
}

/// A processor that waits while it is carried has wait completion.
fn logical_processor(interval: &Interval, row: &LogicalProcessorTotals, weight: Figure) -> Section {
    use smf70bpd::*;
    let ms = |percent: Figure| percent.value * 10.0 * interval.seconds;
    let (dispatched, management) = (row.dispatched_percent, row.management_percent);
    let carried_waiting = row.wait_percent.value > 0.0;
    let idle = 100.0 - dispatched.value - management.value - row.pending_percent.value;
    let waiting = if carried_waiting { row.wait_percent } else { Figure::exact(idle) };
    let mut section = Section::of(&LAYOUT);
    section.ms(SMF70PDT, ms(dispatched.plus(management)));
    section.count(SMF70VPA, row.number as f64);
    // A weight of 0 stands for dedicated processors, which the record marks.
    section.count(SMF70BPS, if weight.value == 0.0 { f64::from(u16::MAX) } else { weight.value });
    section.count(SMF70VPF, if carried_waiting { f64::from(0x80) } else { 0.0 });
    section.count(SMF70CIX, 1.0);
    section.ms(SMF70EDT, ms(dispatched));
    section.ms(SMF70ONT, ms(Figure::exact(100.0)));
    section.ms(SMF70WST, ms(waiting));
    section
}

/// The system's own view of a processor, where its busy time is known.
fn cpu(interval: &Interval, row: &LogicalProcessorTotals) -> Option<Section> {
    use smf70cpu::*;
    if !row.busy_percent.is_known() {
        return None;
    }
    let interrupts = interval.count(row.interrupts_per_s);
    let tested = interrupts * row.tpi_percent.value / 100.0;
    let tested = if tested.is_finite() { tested.round() } else { 0.0 };
    let mut section = Section::of(&LAYOUT);
    section.ms(SMF70WAT, (100.0 - row.busy_percent.value) * 10.0 * interval.seconds);
    section.count(SMF70CID, row.number as f64);
    // Data for the whole interval, online at its end.
    section.count(SMF70CNF, 9.0);
    section.count(SMF70TPI, tested);
    section.count(SMF70SLH, interrupts.round() - tested);
    Some(section)
}

fn name(partition: &PartitionTotals) -> Section {
    let mut section = Section::of(&smf70cis::LAYOUT);
    section.text(smf70cis::SMF70CIN, "CP");
    section.count(smf70cis::SMF70CTN, partition.machine_processors.value);
    section
}
