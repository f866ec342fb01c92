//! One interval of one system, measured or simulated: the data between the machine and everything that judges it.

use crate::{
    CgroupTotals, ChannelTotals, Columns, ContentionRow, ControlProcessorTotals, ControlProgramTotals,
    ControlUnitTotals, DecisionRow, DeviceTotals, EnqueueTotals, FrontEndTotals, GuestTotals, LockTotals,
    LogicalProcessorTotals, LparGroupTotals, MinidiskTotals, OnlineProcessorTotals, PartitionTotals, PoolTotals,
    ProcessorTotals, ResourceTotals, SerializationTotals, SpinLockTotals, SystemTotals, Table, TableRows,
    ThreadLockTotals, ThreadTotals, Totals, VirtualMachineTotals, VolumeTotals,
};
use units::Span;

/// Makes the totals of an interval of one list of tables: fields, constants, and the view of all in one form.
macro_rules! interval {
    (
        $(#[$doc:meta])*
        tables { $($(#[$of:meta])* $table:ident: $Row:ident,)* }
        whole { $(#[$of_whole:meta])* $whole:ident: $Whole:ident, }
        logs { $($(#[$of_log:meta])* $log:ident: $LogRow:ident,)* }
    ) => {
        $(#[$doc])*
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
            $($(#[$of])* pub $table: Vec<$Row>,)*
            $(#[$of_whole])*
            pub $whole: $Whole,
            $($(#[$of_log])* pub $log: Vec<$LogRow>,)*
        }

        /// Every table of an interval, in the order of [`IntervalTotals::tables`].
        pub const TABLES: &[Table] = &[$($Row::TABLE,)* $Whole::TABLE];

        /// Every log: tables whose rows are no totals but what happened at an instant, in the order of
        /// [`IntervalTotals::logs`].
        pub const LOGS: &[Table] = &[$($LogRow::TABLE),*];

        /// The tables of several intervals as columns.
        #[derive(Clone, Debug)]
        pub struct IntervalColumns {
            $($(#[$of])* pub $table: Columns,)*
            $(#[$of_whole])*
            pub $whole: Columns,
        }

        impl IntervalColumns {
            /// Adds the rows of an interval, but not that of the system as a whole.
            pub fn add(&mut self, interval: u64, totals: &IntervalTotals) {
                $(totals.$table.iter().for_each(|row| self.$table.add(interval, row));)*
            }

            /// Every table, in the order of [`TABLES`].
            pub fn tables(&self) -> [&Columns; TABLES.len()] {
                [$(&self.$table,)* &self.$whole]
            }

            /// Forgets the rows of every table, and keeps names and sums.
            pub fn clear(&mut self) {
                $(self.$table.clear();)*
                self.$whole.clear();
            }
        }

        impl Default for IntervalColumns {
            fn default() -> Self {
                IntervalColumns { $($table: Columns::new($Row::TABLE),)* $whole: Columns::new($Whole::TABLE) }
            }
        }

        impl IntervalTotals {
            /// An interval of which only the name and the length are known.
            pub fn new(name: impl Into<String>, length: Span) -> Self {
                IntervalTotals {
                    name: name.into(),
                    started: None,
                    length,
                    samples: 0,
                    $($table: Vec::new(),)*
                    $whole: $Whole::unknown(),
                    $($log: Vec::new(),)*
                }
            }

            /// The totals as reports print them: 0 where there was nothing to measure, and so no value.
            pub fn printed(self) -> Self {
                IntervalTotals {
                    $($table: self.$table.into_iter().map($Row::printed).collect(),)*
                    $whole: self.$whole.printed(),
                    ..self
                }
            }

            /// Every table with its rows, all in one form.
            pub fn tables(&self) -> Vec<TableRows<'_>> {
                vec![$(TableRows::of(&self.$table),)* TableRows::of(std::slice::from_ref(&self.$whole))]
            }

            /// Every log with its rows, all in one form.
            pub fn logs(&self) -> Vec<TableRows<'_>> {
                vec![$(TableRows::of(&self.$log)),*]
            }
        }
    };
}

interval! {
    /// The totals of one interval; a table is empty when its source knows nothing of such entities.
    tables {
        /// Volumes, in the order of their bases.
        volumes: VolumeTotals,
        /// Devices, in the order of the source.
        devices: DeviceTotals,
        /// Alias pools.
        pools: PoolTotals,
        /// Channel paths.
        channels: ChannelTotals,
        /// Control units.
        control_units: ControlUnitTotals,
        /// Minidisks.
        minidisks: MinidiskTotals,
        /// Resources that guests hold.
        resources: ResourceTotals,
        /// Resources that guests enqueue on by name.
        enqueues: EnqueueTotals,
        /// The service of ENQ and DEQ in the partitions with guests that enqueue.
        serialization: SerializationTotals,
        /// Front-end processors.
        front_ends: FrontEndTotals,
        /// Partitions.
        partitions: PartitionTotals,
        /// Logical processors of partitions, in their order.
        logical_processors: LogicalProcessorTotals,
        /// Logical processors that are not online all the time.
        online_processors: OnlineProcessorTotals,
        /// Groups of partitions under one cap.
        lpar_groups: LparGroupTotals,
        /// Groups of threads.
        cgroups: CgroupTotals,
        /// Their threads, those of one guest together.
        threads: ThreadTotals,
        /// Locks that threads share.
        thread_locks: ThreadLockTotals,
        /// Control programs of partitions.
        control_programs: ControlProgramTotals,
        /// Their locks.
        locks: LockTotals,
        /// The logical processors that they dispatch on, in their order.
        control_processors: ControlProcessorTotals,
        /// Their virtual machines, those of one kind together.
        virtual_machines: VirtualMachineTotals,
        /// The spin locks of the operating systems in these.
        spin_locks: SpinLockTotals,
        /// Guests.
        guests: GuestTotals,
        /// Virtual processors, a row per guest.
        processors: ProcessorTotals,
    }
    whole {
        /// The system as a whole.
        system: SystemTotals,
    }
    logs {
        /// Decisions of control programs in it, or before it in the warm-up, in the order of time.
        decisions: DecisionRow,
        /// Holders and waiters of contended resources when it ends.
        contention: ContentionRow,
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
            assert_eq!(rows.table, *table);
            for row in &rows.rows {
                assert_eq!((row.keys.len(), row.figures.len()), (table.keys.len(), table.counters.len()));
            }
        }
    }

    #[test]
    fn no_table_has_two_columns_of_one_name() {
        for table in TABLES.iter().chain(LOGS) {
            let keys = table.keys.iter().map(|key| key.name);
            let mut names: Vec<_> = keys.chain(table.counters.iter().map(|counter| counter.name)).collect();
            let width = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), width, "{}", table.name);
        }
    }

    #[test]
    fn no_counter_has_the_name_of_a_column_that_says_what_a_row_is_about() {
        let all = || TABLES.iter().chain(LOGS);
        let keys: Vec<_> = all().flat_map(|table| table.keys).map(|key| key.name).collect();
        for counter in all().flat_map(|table| table.counters) {
            assert!(!keys.contains(&counter.name), "{}", counter.name);
        }
    }

    #[test]
    fn rows_of_logs_alone_are_of_an_instant() {
        let instant = |counter: &crate::Counter| counter.over_intervals == crate::OverIntervals::Instant;
        assert!(TABLES.iter().flat_map(|table| table.counters).all(|counter| !instant(counter)));
        assert!(LOGS.iter().flat_map(|table| table.counters).all(instant));
    }

    #[test]
    fn a_counter_with_a_unit_in_its_name_has_that_unit() {
        for counter in TABLES.iter().chain(LOGS).flat_map(|table| table.counters) {
            let unit = match counter.name {
                name if name.ends_with("_ms") => "ms",
                name if name.ends_with("_usec") => "us",
                name if name.ends_with("_us")
                    || name.ends_with("_us_per_collision")
                    || name.ends_with("_us_per_pair") =>
                {
                    "us"
                }
                name if name.ends_with("kib_per_s") => "KiB/s",
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
        let keys: Vec<Key> = row.keys().into_iter().collect();
        assert_eq!(keys[3..6], [Key::from("bound-alias"), Key::from("522A"), Key::from("")]);
    }
}
