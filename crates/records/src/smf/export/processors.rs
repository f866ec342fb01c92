//! The sections of record 70-1: partitions, their logical processors, and those of the system itself. Where the time of
//! the hypervisor was measured it has a row of its own, PHYSICAL, as in IBM's records.

use super::interval::{Interval, Kind};
use super::section::Section;
use crate::smf::layout::{
    CPU, CPU_CONTROL, CPU_NAME, LOGICAL_PROCESSOR, PARTITION, smf70bct, smf70bpd, smf70cis, smf70cpu, smf70ctl,
};
use measures::{Figure, LogicalProcessorTotals, PartitionTotals};

/// The name of the hypervisor's row, whose number is 0, and the bit of SMF70INB for it.
const PHYSICAL: &str = "PHYSICAL";
const PHYSICAL_ROW: f64 = 16.0;

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
    let first = partitions.first();
    let hypervisor = first.map(|partition| hypervisor(interval, partition)).unwrap_or_default();
    if !hypervisor.is_empty() {
        of_partitions.push(hypervisor_section(logical.len(), hypervisor.len()));
        logical.extend(hypervisor);
    }
    vec![
        (&CPU_CONTROL, first.iter().map(|partition| control(interval, partition)).collect()),
        (&CPU, own),
        (&PARTITION, of_partitions),
        (&LOGICAL_PROCESSOR, logical),
        (&CPU_NAME, first.iter().map(|partition| name(interval, partition)).collect()),
    ]
}

/// The processors of the hypervisor's row, which share its time evenly; none where it was not measured.
fn hypervisor(interval: &Interval, first: &PartitionTotals) -> Vec<Section> {
    let (processors, percent) = (first.machine_processors, first.hypervisor_percent);
    if !processors.is_known() || !percent.is_known() {
        return vec![];
    }
    let each_ms = percent.over(processors).value * 10.0 * interval.seconds;
    let processor = |number: u64| {
        let mut section = Section::of(&smf70bpd::LAYOUT);
        section.ms(smf70bpd::SMF70PDT, each_ms);
        section.count(smf70bpd::SMF70VPA, number as f64);
        section.count(smf70bpd::SMF70CIX, 1.0);
        section
    };
    (0..processors.value as u64).map(processor).collect()
}

fn hypervisor_section(before: usize, processors: usize) -> Section {
    let mut section = Section::of(&smf70bct::LAYOUT);
    section.text(smf70bct::SMF70LPM, PHYSICAL);
    section.count(smf70bct::SMF70BDN, processors as f64);
    section.count(smf70bct::SMF70BDS, before as f64);
    section
}

/// What a run knows of the machine: its processors, and the samples, which are those of RMF.
fn control(interval: &Interval, first: &PartitionTotals) -> Section {
    let mut section = Section::of(&smf70ctl::LAYOUT);
    section.count(smf70ctl::SMF70BNP, first.machine_processors.value);
    section.count(smf70ctl::SMF70DSA, interval.samples);
    section.count(smf70ctl::SMF70INB, if first.hypervisor_percent.is_known() { PHYSICAL_ROW } else { 0.0 });
    section
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

fn name(interval: &Interval, partition: &PartitionTotals) -> Section {
    let mut section = Section::of(&smf70cis::LAYOUT);
    section.text(smf70cis::SMF70CIN, "CP");
    section.count(smf70cis::SMF70CTN, partition.machine_processors.value);
    section.count(smf70cis::SMF70CAN, partition.machine_processors.value * interval.samples);
    section
}
