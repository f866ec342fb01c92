//! The columns of the page that are read: their headings and their contents.

use crate::rmf::{Columned, Holds};

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The partition; `*PHYSICAL*` for what no partition owns.
    Name,
    /// Whether it is active.
    Status,
    /// Its weight; a word where its processors are dedicated.
    Weight,
    /// Its defined capacity.
    CapacityDefined,
    /// The capacity it used.
    CapacityActual,
    /// Whether it is capped.
    Capped,
    /// Percent of the interval in which the workload manager capped it.
    CappedPercent,
    /// How many logical processors it has.
    Processors,
    /// Of which type they are.
    Type,
    /// For how long physical processors were dispatched to it, without the time to manage it.
    DispatchEffective,
    /// The same with what managing it took.
    DispatchTotal,
    /// The effective time in percent of the time of its logical processors.
    LogicalEffective,
    /// The total time in percent of the time of its logical processors.
    LogicalTotal,
    /// The time to manage it, in percent of the time of all physical processors of the type.
    PhysicalManagement,
    /// The effective time in percent of the time of all physical processors of the type.
    PhysicalEffective,
    /// The total time in percent of the time of all physical processors of the type.
    PhysicalTotal,
}

impl Column {
    /// Every column, in the order of the page.
    pub const ALL: [Column; 16] = [
        Column::Name,
        Column::Status,
        Column::Weight,
        Column::CapacityDefined,
        Column::CapacityActual,
        Column::Capped,
        Column::CappedPercent,
        Column::Processors,
        Column::Type,
        Column::DispatchEffective,
        Column::DispatchTotal,
        Column::LogicalEffective,
        Column::LogicalTotal,
        Column::PhysicalManagement,
        Column::PhysicalEffective,
        Column::PhysicalTotal,
    ];

    /// Its heading, the group before its own words: `PHYSICAL PROCESSORS LPAR MGMT`.
    pub const fn heading(self) -> &'static str {
        match self {
            Column::Name => "NAME",
            Column::Status => "S",
            Column::Weight => "WGT",
            Column::CapacityDefined => "MSU DEF",
            Column::CapacityActual => "MSU ACT",
            Column::Capped => "CAPPING DEF",
            Column::CappedPercent => "CAPPING WLM%",
            Column::Processors => "PROCESSOR NUM",
            Column::Type => "PROCESSOR TYPE",
            Column::DispatchEffective => "DISPATCH TIME EFFECTIVE",
            Column::DispatchTotal => "DISPATCH TIME TOTAL",
            Column::LogicalEffective => "LOGICAL PROCESSORS EFFECTIVE",
            Column::LogicalTotal => "LOGICAL PROCESSORS TOTAL",
            Column::PhysicalManagement => "PHYSICAL PROCESSORS LPAR MGMT",
            Column::PhysicalEffective => "PHYSICAL PROCESSORS EFFECTIVE",
            Column::PhysicalTotal => "PHYSICAL PROCESSORS TOTAL",
        }
    }
}

impl Columned for Column {
    const ALL: &'static [Column] = &Column::ALL;

    fn heading(self) -> &'static str {
        Column::heading(self)
    }

    fn group(self) -> &'static str {
        match self {
            Column::Name | Column::Status | Column::Weight => "",
            Column::CapacityDefined | Column::CapacityActual => "MSU",
            Column::Capped | Column::CappedPercent => "CAPPING",
            Column::Processors | Column::Type => "PROCESSOR",
            Column::DispatchEffective | Column::DispatchTotal => "DISPATCH TIME",
            Column::LogicalEffective | Column::LogicalTotal => "LOGICAL PROCESSORS",
            Column::PhysicalManagement | Column::PhysicalEffective | Column::PhysicalTotal => "PHYSICAL PROCESSORS",
        }
    }

    fn holds(self) -> Holds {
        match self {
            Column::Name
            | Column::Status
            | Column::Weight
            | Column::CapacityDefined
            | Column::CapacityActual
            | Column::Capped
            | Column::Type => Holds::Word,
            Column::DispatchEffective | Column::DispatchTotal => Holds::Clock,
            Column::CappedPercent
            | Column::Processors
            | Column::LogicalEffective
            | Column::LogicalTotal
            | Column::PhysicalManagement
            | Column::PhysicalEffective
            | Column::PhysicalTotal => Holds::Number,
        }
    }

    fn allowed(self) -> &'static str {
        match self.holds() {
            Holds::Word => "one word of ASCII",
            Holds::Number => "a number as 2, 50.00 or .07",
            Holds::Clock => "hours, minutes, seconds and thousandths: 00.07.30.000",
        }
    }

    /// Newer levels print a letter for each of several kinds of capping.
    fn several(self) -> bool {
        self == Column::Capped
    }

    fn is_required(self) -> bool {
        match self {
            Column::Name
            | Column::LogicalEffective
            | Column::LogicalTotal
            | Column::PhysicalManagement
            | Column::PhysicalEffective
            | Column::PhysicalTotal => true,
            Column::Status
            | Column::Weight
            | Column::CapacityDefined
            | Column::CapacityActual
            | Column::Capped
            | Column::CappedPercent
            | Column::Processors
            | Column::Type
            | Column::DispatchEffective
            | Column::DispatchTotal => false,
        }
    }
}
