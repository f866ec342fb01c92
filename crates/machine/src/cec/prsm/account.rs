//! The account of a logical processor: what it is entitled to, what it has received for that, and what a cap leaves it.

use crate::cec::entitlement::{Entitlement, Fraction};
use crate::plan::{Polarization, WeightPlan};
use units::{Span, Tod};

/// How many whole runs of an unused allowance are kept: what a capped processor loses by waiting for its turn it may
/// have afterwards (ASSUME: no manual says how evenly caps are enforced).
const KEPT: u64 = 2;
/// How far a processor may fall behind those that are dispatched, in runs of its own.  Only one that is entitled to
/// more than one processor falls further behind.
const BEHIND: u128 = 8;
/// Received time is counted in these parts of a clock unit, so that no processor gains by rounding.
const PARTS: u128 = 1 << 16;

/// The entitlement of a logical processor, in the order of dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// A processor of its own.
    High,
    /// A part of one.
    Medium,
    /// The rest that others do not use.
    Low,
}

/// The account.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub class: Class,
    /// How long it runs at most.
    pub run: Span,
    /// Its share of one processor; that of a low one is beside other low ones.
    share: Fraction,
    /// The same beside other members of its group: by its weight, also where that promises more than one processor.
    share_within: Fraction,
    /// Its received time over its share.
    received: u128,
    /// The same beside the other members of its group, which others do not leave behind.
    within: u128,
    cap: Option<Cap>,
}

/// An allowance that accrues evenly: after each run it has to be made up for what was used.
#[derive(Clone, Copy, Debug)]
struct Cap {
    /// How much of a processor accrues.
    share: Fraction,
    /// From when on it may run.
    from: Tod,
}

impl Account {
    /// The account of one of a partition's logical processors, by its number and theirs.
    pub fn new((plan, entitled): (&WeightPlan, &Entitlement), number: u32, logicals: u32) -> Self {
        let class = class(plan.polarization, entitled, number);
        let whole = Fraction::new(1, 1);
        let promised = match (plan.polarization, class) {
            (Polarization::Horizontal, _) => entitled.horizontal,
            (Polarization::Vertical, Class::High) => whole,
            (Polarization::Vertical, Class::Medium) => {
                entitled.vertical.each.expect("a medium is entitled to something")
            }
            (Polarization::Vertical, Class::Low) => Fraction::new(0, 1),
        };
        let by_weight = plan.capped.then_some(promised);
        let absolute = plan.cap.map(|cap| absolute(cap, plan.polarization, number, logicals));
        let cap = by_weight.into_iter().chain(absolute).min_by(|one, other| one.value().total_cmp(&other.value()));
        let cap = cap.filter(|cap| cap.value() < 1.0).map(|share| Cap { share, from: Tod::START });
        let share = if class == Class::Low { whole } else { promised };
        // A cap can leave a group less than its members are promised, though each promise is one processor at most.
        let is_cut = entitled.cores.value() > f64::from(logicals);
        let share_within = if is_cut { entitled.cores.among(logicals) } else { share };
        Account { class, run: Span::ZERO, share, share_within, received: 0, within: 0, cap }
    }

    /// Time used before shares were divided anew still has to be made up for.
    pub fn keep_cap_of(&mut self, before: Option<&Account>) {
        if let (Some(cap), Some(before)) = (&mut self.cap, before.and_then(|before| before.cap)) {
            cap.from = before.from;
        }
    }

    /// The order: the lower goes first.
    pub fn order(&self) -> (usize, u128) {
        (self.class.place(), self.received)
    }

    /// The order among the members of its group.
    pub fn order_within(&self) -> (usize, u128) {
        (self.class.place(), self.within)
    }

    /// Its place in that order had a run that began at an instant ended now.
    pub fn after(&self, since: Tod, now: Tod) -> (usize, u128) {
        (self.class.place(), self.received + self.worth(now - since))
    }

    /// Whether no cap holds it back.
    pub fn may_run(&self, now: Tod) -> bool {
        self.may_run_from().is_some_and(|from| from <= now)
    }

    /// When no cap holds it back any more; none if always.
    pub fn may_run_from(&self) -> Option<Tod> {
        match self.cap {
            None => Some(Tod::START),
            Some(cap) => (cap.share.value() > 0.0).then_some(cap.from),
        }
    }

    /// It was away and comes back beside those that were dispatched last.
    pub fn wake(&mut self, reached: &[u128; Class::COUNT]) {
        self.received = self.received.max(reached[self.class.place()]);
    }

    /// The same beside the other members of its group.
    pub fn wake_within(&mut self, reached: &[u128; Class::COUNT]) {
        self.within = self.within.max(reached[self.class.place()]);
    }

    /// It is dispatched: so far have those come that are.
    pub fn reach(&self, reached: &mut [u128; Class::COUNT]) {
        let reached = &mut reached[self.class.place()];
        *reached = self.received.max(*reached);
    }

    /// The same among the members of its group.
    pub fn reach_within(&self, reached: &mut [u128; Class::COUNT]) {
        let reached = &mut reached[self.class.place()];
        *reached = self.within.max(*reached);
    }

    /// A stretch of its run is over, which it or one that it yielded to had.
    pub fn charge(&mut self, since: Tod, now: Tod, reached: &[u128; Class::COUNT]) {
        self.received = charged(self.received, self.share, (now - since, self.run), reached[self.class.place()]);
    }

    /// The same beside the other members of its group.
    pub fn charge_within(&mut self, since: Tod, now: Tod, reached: &[u128; Class::COUNT]) {
        self.within = charged(self.within, self.share_within, (now - since, self.run), reached[self.class.place()]);
    }

    /// It was dispatched for so long.
    pub fn pay_cap(&mut self, since: Tod, now: Tod) {
        let run = self.run;
        if let Some(cap) = &mut self.cap {
            cap.pay(run, since, now);
        }
    }

    /// A span of a processor over its share.
    fn worth(&self, span: Span) -> u128 {
        worth(self.share, span)
    }
}

fn worth(share: Fraction, span: Span) -> u128 {
    share.under(u128::from(span.units()) * PARTS)
}

/// Received time over the share after one more stretch, not too far behind the others.
fn charged(received: u128, share: Fraction, (more, run): (Span, Span), reached: u128) -> u128 {
    (received + worth(share, more)).max(reached.saturating_sub(BEHIND * worth(share, run)))
}

impl Cap {
    fn pay(&mut self, run: Span, since: Tod, now: Tod) {
        let accrues_in = |span: u64| self.share.under(u128::from(span)).min(u128::from(u64::MAX >> 2)) as u64;
        let kept = Tod::from_units(since.units().saturating_sub(accrues_in(run.units() * KEPT)));
        self.from = self.from.max(kept) + Span::from_units(accrues_in((now - since).units()));
    }
}

impl Class {
    /// High and medium ones go by their shares, low ones by what those leave.
    pub const COUNT: usize = 2;

    fn place(self) -> usize {
        match self {
            Class::High | Class::Medium => 0,
            Class::Low => 1,
        }
    }
}

/// High ones first, then medium ones; in horizontal mode all are alike.
fn class(polarization: Polarization, entitled: &Entitlement, number: u32) -> Class {
    match polarization {
        Polarization::Horizontal => Class::Medium,
        Polarization::Vertical if number < entitled.vertical.high => Class::High,
        Polarization::Vertical if number < entitled.vertical.high + entitled.vertical.medium => Class::Medium,
        Polarization::Vertical => Class::Low,
    }
}

/// What of an absolute cap is a logical processor's: an even part, or in vertical mode as much as it can use of what
/// those before it leave.
fn absolute(cap: f64, polarization: Polarization, number: u32, logicals: u32) -> Fraction {
    const MILLION: u64 = 1_000_000;
    let cap = (cap * MILLION as f64 + 0.5) as u64;
    match polarization {
        Polarization::Horizontal => Fraction::new(cap, MILLION * u64::from(logicals)),
        Polarization::Vertical => Fraction::new(cap.saturating_sub(u64::from(number) * MILLION).min(MILLION), MILLION),
    }
}
