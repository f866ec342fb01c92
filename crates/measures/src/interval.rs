//! One interval of one system, whoever measured it: what stands between the machine and everything that judges it.
//!
//! It leaves out where it came from; who reads it cannot tell simulated from measured.

use crate::{
    CgroupTotals, ContentionRow, ControlProcessorTotals, ControlProgramTotals, ControlUnitTotals, DecisionRow,
    DeviceTotals, EnqueueTotals, FrontEndTotals, GuestTotals, LockTotals, LogicalProcessorTotals, MinidiskTotals,
    PartitionTotals, PoolTotals, ProcessorTotals, ResourceTotals, SerializationTotals, SpinLockTotals, SystemTotals,
    Table, TableRows, ThreadTotals, Totals, VirtualMachineTotals, VolumeTotals,
};
use units::Span;

/// The totals of one interval; a table is empty when its source knows nothing of such entities.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalTotals {
    /// The system or the run: "Y032180H"; empty when the source has no name.
    pub name: String,
    /// When it started, as printed: "2007/02/04 13:28:34".
    pub started: Option<String>,
    /// How long it lasted.
    pub length: Span,
    /// How many samples it holds; zero when the source does not tell.
    pub samples: u64,
    /// Volumes, in the order of their bases.
    pub volumes: Vec<VolumeTotals>,
    /// Devices, in the order of the source.
    pub devices: Vec<DeviceTotals>,
    /// Alias pools.
    pub pools: Vec<PoolTotals>,
    /// Control units.
    pub control_units: Vec<ControlUnitTotals>,
    /// Minidisks.
    pub minidisks: Vec<MinidiskTotals>,
    /// Resources that guests hold.
    pub resources: Vec<ResourceTotals>,
    /// Resources that guests enqueue on by name.
    pub enqueues: Vec<EnqueueTotals>,
    /// The service of ENQ and DEQ in the partitions where somebody enqueues.
    pub serialization: Vec<SerializationTotals>,
    /// Front-end processors.
    pub front_ends: Vec<FrontEndTotals>,
    /// Partitions.
    pub partitions: Vec<PartitionTotals>,
    /// Logical processors of partitions, in their order.
    pub logical_processors: Vec<LogicalProcessorTotals>,
    /// Groups of threads.
    pub cgroups: Vec<CgroupTotals>,
    /// Their threads, those of one guest together.
    pub threads: Vec<ThreadTotals>,
    /// Control programs of partitions.
    pub control_programs: Vec<ControlProgramTotals>,
    /// Their locks.
    pub locks: Vec<LockTotals>,
    /// The logical processors that they dispatch on, in their order.
    pub control_processors: Vec<ControlProcessorTotals>,
    /// Their virtual machines, those of one kind together.
    pub virtual_machines: Vec<VirtualMachineTotals>,
    /// The spin locks of the operating systems in these.
    pub spin_locks: Vec<SpinLockTotals>,
    /// Guests.
    pub guests: Vec<GuestTotals>,
    /// Virtual processors, a row per guest.
    pub processors: Vec<ProcessorTotals>,
    /// The system as a whole.
    pub system: SystemTotals,
    /// What control programs decided in it, or before it in the warm-up, in the order of time.
    pub decisions: Vec<DecisionRow>,
    /// Who has, and who waits for, what is in contention when it ends.
    pub contention: Vec<ContentionRow>,
}

/// Every table of an interval, in the order of [`IntervalTotals::tables`].
pub const TABLES: [Table; 21] = [
    VolumeTotals::TABLE,
    DeviceTotals::TABLE,
    PoolTotals::TABLE,
    ControlUnitTotals::TABLE,
    MinidiskTotals::TABLE,
    ResourceTotals::TABLE,
    EnqueueTotals::TABLE,
    SerializationTotals::TABLE,
    FrontEndTotals::TABLE,
    PartitionTotals::TABLE,
    LogicalProcessorTotals::TABLE,
    CgroupTotals::TABLE,
    ThreadTotals::TABLE,
    ControlProgramTotals::TABLE,
    LockTotals::TABLE,
    ControlProcessorTotals::TABLE,
    VirtualMachineTotals::TABLE,
    SpinLockTotals::TABLE,
    GuestTotals::TABLE,
    ProcessorTotals::TABLE,
    SystemTotals::TABLE,
];

/// Every log: tables whose rows are no totals but what happened at an instant, in the order of [`IntervalTotals::logs`].
pub const LOGS: [Table; 2] = [DecisionRow::TABLE, ContentionRow::TABLE];

impl IntervalTotals {
    /// An interval of which only the name and the length are known.
    pub fn new(name: impl Into<String>, length: Span) -> Self {
        IntervalTotals {
            name: name.into(),
            started: None,
            length,
            samples: 0,
            volumes: Vec::new(),
            devices: Vec::new(),
            pools: Vec::new(),
            control_units: Vec::new(),
            minidisks: Vec::new(),
            resources: Vec::new(),
            enqueues: Vec::new(),
            serialization: Vec::new(),
            front_ends: Vec::new(),
            partitions: Vec::new(),
            logical_processors: Vec::new(),
            cgroups: Vec::new(),
            threads: Vec::new(),
            control_programs: Vec::new(),
            locks: Vec::new(),
            control_processors: Vec::new(),
            virtual_machines: Vec::new(),
            spin_locks: Vec::new(),
            guests: Vec::new(),
            processors: Vec::new(),
            system: SystemTotals::unknown(),
            decisions: Vec::new(),
            contention: Vec::new(),
        }
    }

    /// Every table with its rows, all in one form.
    pub fn tables(&self) -> [TableRows; 21] {
        [
            TableRows::of(&self.volumes),
            TableRows::of(&self.devices),
            TableRows::of(&self.pools),
            TableRows::of(&self.control_units),
            TableRows::of(&self.minidisks),
            TableRows::of(&self.resources),
            TableRows::of(&self.enqueues),
            TableRows::of(&self.serialization),
            TableRows::of(&self.front_ends),
            TableRows::of(&self.partitions),
            TableRows::of(&self.logical_processors),
            TableRows::of(&self.cgroups),
            TableRows::of(&self.threads),
            TableRows::of(&self.control_programs),
            TableRows::of(&self.locks),
            TableRows::of(&self.control_processors),
            TableRows::of(&self.virtual_machines),
            TableRows::of(&self.spin_locks),
            TableRows::of(&self.guests),
            TableRows::of(&self.processors),
            TableRows::of(std::slice::from_ref(&self.system)),
        ]
    }

    /// Every log with its rows, all in one form.
    pub fn logs(&self) -> [TableRows; 2] {
        [TableRows::of(&self.decisions), TableRows::of(&self.contention)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figure, Key, Role};

    #[test]
    fn every_row_is_as_wide_as_its_table() {
        let mut interval = IntervalTotals::new("X", Span::SECOND);
        interval.volumes.push(VolumeTotals::unknown("A".into(), "522A".into(), String::new()));
        interval.pools.push(PoolTotals::unknown("P".into()));
        for (rows, table) in interval.tables().iter().zip(TABLES) {
            assert_eq!(rows.table, table);
            for row in &rows.rows {
                assert_eq!((row.keys.len(), row.figures.len()), (table.keys.len(), table.counters.len()));
            }
        }
    }

    #[test]
    fn no_table_has_two_columns_of_one_name() {
        for table in TABLES.iter().chain(&LOGS) {
            let keys = table.keys.iter().map(|key| key.name);
            let mut names: Vec<_> = keys.chain(table.counters.iter().map(|counter| counter.name)).collect();
            let width = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), width, "{}", table.name);
        }
    }

    #[test]
    fn a_counter_with_a_unit_in_its_name_has_that_unit() {
        for counter in TABLES.iter().chain(&LOGS).flat_map(|table| table.counters) {
            let unit = match counter.name {
                name if name.ends_with("_ms") => "ms",
                name if name.ends_with("_usec") => "us",
                name if name.ends_with("_us")
                    || name.ends_with("_us_per_collision")
                    || name.ends_with("_us_per_pair") =>
                {
                    "us"
                }
                "kib_per_s" => "KiB/s",
                "spin_s_per_s" => "1",
                "at_s" => "s",
                "share" => "%",
                name if name.ends_with("_per_s") => "1/s",
                name if name.ends_with("_percent") => "%",
                _ => "1",
            };
            assert_eq!(counter.unit, unit, "{}", counter.name);
        }
    }

    #[test]
    fn figures_stand_in_the_order_of_the_counters() {
        let role = Role::BoundAlias { base: "522A".into() };
        let mut row = DeviceTotals::unknown("5249".into(), "3390-3".into(), "BWPVS0".into(), role, 4);
        row.pend_ms = Figure::printed(0.2, 1);
        let at = DeviceTotals::COUNTERS.iter().position(|counter| counter.name == "pend_ms").unwrap();
        assert_eq!(row.figures()[at].value, 0.2);
        assert_eq!(row.keys()[3..6], [Key::from("bound-alias"), Key::from("522A"), Key::from("")]);
    }
}
