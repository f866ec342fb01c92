//! The controller of a control program: how many logical processors it uses in the next interval, and why.

use crate::plan::control_program::{ControllerPlan, ExcessUse, SrmPlan, Unparking};
use crate::signal::control_program::Decision;

/// The recent use of a partition, and the prediction of the next interval's use from it.
#[derive(Clone, Debug)]
pub struct Controller {
    plan: ControllerPlan,
    logical: u32,
    /// The use of the last intervals, in processors' worth; the oldest is overwritten.
    history: Vec<f64>,
    oldest: usize,
    /// The same, in order.
    sorted: Vec<f64>,
}

/// The state of a partition when a decision is due; in processors' worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Its entitlement.
    pub entitled: f64,
    /// The entitlement of the other partitions beside that.
    pub others_leave: f64,
    /// How many logical processors are unparked.
    pub before: u32,
}

/// The last interval; in processors' worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observed {
    /// The total use of the partition.
    pub used: f64,
    /// The part of it in which guests ran.
    pub guests: f64,
}

impl Controller {
    /// A controller of this many logical processors without history.
    pub fn new(plan: &ControllerPlan, logical: u32) -> Self {
        assert!(plan.history > 0 && logical > 0, "a prediction needs an interval, and a partition a processor");
        let room = plan.history as usize;
        Controller {
            plan: *plan,
            logical,
            history: Vec::with_capacity(room),
            oldest: 0,
            sorted: Vec::with_capacity(room),
        }
    }

    /// Decides how many logical processors are used from now on, in vertical mode.
    ///
    /// UNPARKING LARGE uses the fewest that can consume what the machine is predicted to deliver, whatever the need.
    /// SMALL covers the predicted ceiling of its use and CPUPAD, with only those vertical lows that will be powered
    /// ("Controlling Vertical-Low Logical Cores" and "An Unparking Example", z/VM performance tips).  Where prediction
    /// and CPUPAD exceed the entitlement, CPUPAD might not be used (SRM statement, z/VM 7.3 CP Planning and
    /// Administration). MEDIUM is documented to unpark vertical lows more reluctantly than LARGE.
    ///
    /// ASSUME: MEDIUM uses none; parking by T/V sets in at a threshold, and then keeps to prediction and CPUPAD.  It is
    /// published that CPUPAD sets its strength (z/VM Performance Report, 6.3, Effect of T/V-Based Parking).
    pub fn decide(&mut self, srm: &SrmPlan, standing: Standing, observed: Observed) -> Decision {
        self.observe(observed.used);
        let predicted = self.predicted();
        let need = predicted + srm.cpupad;
        let hoped = share_hoped_for(srm.excess_use) * standing.others_leave;
        let powered = standing.entitled + hoped;
        let ceiling = match srm.unparking {
            Unparking::Large => powered,
            Unparking::Medium => standing.entitled,
            Unparking::Small => need.min(powered),
        };
        let tv = if observed.guests > 0.0 { observed.used / observed.guests } else { 1.0 };
        let tv_parks = tv >= self.plan.tv_threshold;
        let wanted = if tv_parks { ceiling.min(need) } else { ceiling };
        Decision {
            used: observed.used,
            tv,
            predicted,
            cpupad: srm.cpupad,
            entitled: standing.entitled,
            hoped,
            tv_parks,
            before: standing.before,
            after: self.whole(wanted),
        }
    }

    /// Forgets the oldest interval for this one.
    fn observe(&mut self, used: f64) {
        if self.history.len() < self.plan.history as usize {
            self.history.push(used);
        } else {
            self.history[self.oldest] = used;
            self.oldest = (self.oldest + 1) % self.history.len();
        }
    }

    /// The percentile of what was used in the intervals that are known, by the nearest rank, and the margin.
    ///
    /// It is documented that the ceiling of the next interval's use is predicted from the ones before, at a confidence.
    /// ASSUME: the percentile, of this many intervals, in place of an undisclosed statistic.
    fn predicted(&mut self) -> f64 {
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.history);
        self.sorted.sort_unstable_by(f64::total_cmp);
        let count = self.sorted.len();
        let rank = up(self.plan.percentile.fraction() * count as f64) as usize;
        self.sorted[rank.clamp(1, count) - 1] + self.plan.margin
    }

    /// The number of processors that deliver this much, at least one and at most all.
    fn whole(&self, processors: f64) -> u32 {
        (up(processors) as u32).clamp(1, self.logical)
    }
}

/// The share of what other partitions leave that is hoped for.
///
/// Documented is how aggressively each setting tries to use what the partition is not entitled to: not at all to
/// highly. ASSUME: the half and the three quarters.
fn share_hoped_for(use_of_it: ExcessUse) -> f64 {
    match use_of_it {
        ExcessUse::None => 0.0,
        ExcessUse::Low => 0.5,
        ExcessUse::Medium => 0.75,
        ExcessUse::High => 1.0,
    }
}

/// Rounded up to a whole number, which rounding of sums does not make one more.
fn up(number: f64) -> f64 {
    (number - 1e-9).ceil()
}
