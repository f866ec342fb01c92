//! The numbers of both models, the same as in `benches/closed_model.toml` and `benches/dispatch_model.toml`.

/// Of the closed model.
pub mod closed {
    /// Volumes.
    pub const VOLUMES: usize = 8;
    /// Guests, which take volumes by turns.
    pub const GUESTS: usize = 128;
    /// Aliases of the pool.
    pub const ALIASES: usize = 8;
    /// Mean think time.
    pub const THINK_S: f64 = 0.002;
    /// Mean service time.
    pub const SERVICE_S: f64 = 0.0014;
}

/// Of the dispatch model.
pub mod dispatch {
    /// Virtual processors.
    pub const VIRTUAL: usize = 104;
    /// Logical processors.
    pub const LOGICAL: usize = 32;
    /// The longest stretch on a logical processor.
    pub const QUANTUM_S: f64 = 0.002;
    /// Mean burst of work.
    pub const BURST_S: f64 = 0.005;
    /// Mean think time.
    pub const THINK_S: f64 = 0.005;
}

/// Simulated seconds.
#[derive(Clone, Copy)]
pub struct Length {
    /// In which is counted.
    pub measured_s: f64,
    /// Before that.
    pub warm_up_s: f64,
}

/// The work per simulated second.
pub struct Outcome {
    /// I/Os, or dispatches.
    pub operations_per_s: f64,
    /// I/Os, or bursts.
    pub cycles_per_s: f64,
}
