//! The entitlement of partitions that share the cores of a machine, and its division over their logical cores.

/// The claim of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its part of the machine.
    pub part: Part,
    /// Its logical cores online.
    pub logicals: u32,
}

/// How a partition has its part of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A core of its own for each logical one.
    Dedicated,
    /// A share of the cores that are left, by its weight over the sum of the weights.
    Weight(u32),
}

/// A number of cores, or of something else, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    over: u64,
    under: u64,
}

/// The entitlement of a partition, and its division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entitlement {
    /// Its weight over the sum of the weights; none for a dedicated partition.
    pub share: Option<Fraction>,
    /// The cores that its weight promises.
    pub cores: Fraction,
    /// The cores it has when every partition uses what it can.
    pub contended: Fraction,
    /// The cores that it can use when no other wants them.
    pub most: u32,
    /// Of a core, to each logical one in horizontal mode.
    pub horizontal: Fraction,
    /// The logical cores in vertical mode.
    pub vertical: Vertical,
}

/// Logical cores in vertical mode, by what they are entitled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertical {
    /// Those entitled to a core each.
    pub high: u32,
    /// Those entitled to part of one.
    pub medium: u32,
    /// Those entitled to nothing.
    pub low: u32,
    /// The entitlement of each medium; none without a medium.
    pub each: Option<Fraction>,
    /// Where no source covers these numbers.
    pub assumed: Option<Assumed>,
}

/// The assumptions on high, medium and low that no document covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// Alone on the shared cores: all high, as is published for a partition that is dedicated and alone.
    Alone,
    /// Less than half a core is one medium: the rule would take two and a high less than none.
    BelowHalf,
    /// Fewer logical cores than highs and mediums: it is the last of them that are missing.
    FewLogicals,
}

/// Why there is nothing to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A partition, by its place, without logical cores or weight.
    Nothing(usize),
    /// More dedicated logical cores than there are cores.
    Dedicated,
    /// Dedicated partitions leave no core to those that share.
    NoneLeft,
}

/// The entitlements of partitions on this many cores, in their order.
///
/// Entitlement is shared cores x weight / sum of weights (z/VM 7.2 documentation, PR/SM Concepts).  A dedicated
/// partition has a core for each logical one.
pub fn entitlements(cores: u32, claims: &[Claim]) -> Result<Vec<Entitlement>, Refused> {
    let shared = shared_cores(cores, claims)?;
    let weights = claims.iter().map(|claim| claim.weight()).sum();
    let alone = claims.iter().filter(|claim| claim.part != Part::Dedicated).count() == 1;
    let contended = contended(shared, claims);
    let made = claims.iter().zip(contended).map(|(claim, contended)| match claim.part {
        Part::Dedicated => Entitlement::dedicated(claim.logicals),
        Part::Weight(weight) => {
            let cores = Fraction::new(u64::from(shared) * u64::from(weight), weights);
            let most = claim.logicals.min(shared);
            let reached = cores.at_most(claim.logicals);
            let high = Vertical {
                high: most,
                medium: 0,
                low: claim.logicals - most,
                each: None,
                assumed: Some(Assumed::Alone),
            };
            Entitlement {
                share: Some(Fraction::new(u64::from(weight), weights)),
                cores,
                contended,
                most,
                horizontal: reached.among(claim.logicals),
                vertical: if alone { high } else { vertical(cores, claim.logicals) },
            }
        }
    });
    Ok(made.collect())
}

/// How an entitlement lies on logical cores in vertical mode.
///
/// A fraction of at least a half is one medium beside the whole cores.  A smaller one is joined with a whole core, and
/// two mediums have half of both each.  So none has less than half a core.  Analysts describe the rule, with 8.96 and
/// 8.32 cores as examples; no manual was found that does.  ASSUME: see [`Assumed`].
pub fn vertical(entitled: Fraction, logicals: u32) -> Vertical {
    let whole = entitled.whole();
    let below = whole == 0 && !entitled.past_half();
    let (highs, mediums) = if entitled.past_half() || below { (whole, 1) } else { (whole - 1, 2) };
    let high = highs.min(logicals);
    let medium = mediums.min(logicals - high);
    let left = entitled.at_most(logicals).less(high);
    let assumed = match (below, high + medium < highs + mediums) {
        (true, _) => Some(Assumed::BelowHalf),
        (false, true) => Some(Assumed::FewLogicals),
        (false, false) => None,
    };
    let each = (medium > 0).then(|| left.among(medium));
    Vertical { high, medium, low: logicals - high - medium, each, assumed }
}

impl Assumed {
    /// The assumption in words.
    pub fn text(self) -> &'static str {
        match self {
            Assumed::Alone => "alone on the shared cores: all high",
            Assumed::BelowHalf => "entitled to less than half a core: one medium",
            Assumed::FewLogicals => "fewer logicals than highs and mediums: the last of them are missing",
        }
    }
}

impl Claim {
    fn weight(&self) -> u64 {
        match self.part {
            Part::Dedicated => 0,
            Part::Weight(weight) => u64::from(weight),
        }
    }
}

impl Entitlement {
    fn dedicated(logicals: u32) -> Self {
        let cores = Fraction::whole_cores(logicals);
        Entitlement {
            share: None,
            cores,
            contended: cores,
            most: logicals,
            horizontal: Fraction::whole_cores(1),
            vertical: Vertical { high: logicals, medium: 0, low: 0, each: None, assumed: None },
        }
    }
}

impl Fraction {
    /// This much over this much.
    ///
    /// # Panics
    /// When the divisor is zero.
    pub fn new(over: u64, under: u64) -> Self {
        assert!(under > 0, "the divisor is zero");
        Fraction { over, under }
    }

    /// The nearest floating-point number.
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }

    /// An amount over this; a half is twice the amount.
    ///
    /// # Panics
    /// When this is nothing.
    pub fn under(self, amount: u128) -> u128 {
        assert!(self.over > 0, "nothing is divided by nothing");
        amount * u128::from(self.under) / u128::from(self.over)
    }

    fn whole_cores(count: u32) -> Self {
        Fraction { over: u64::from(count), under: 1 }
    }

    fn whole(self) -> u32 {
        (self.over / self.under) as u32
    }

    /// Whether what is left beside the whole is at least a half.
    fn past_half(self) -> bool {
        2 * (self.over % self.under) >= self.under
    }

    fn at_most(self, limit: u32) -> Self {
        Fraction { over: self.over.min(u64::from(limit) * self.under), ..self }
    }

    fn less(self, whole: u32) -> Self {
        Fraction { over: self.over - u64::from(whole) * self.under, ..self }
    }

    /// An even part for each of this number.
    pub(super) fn among(self, count: u32) -> Self {
        Fraction { under: self.under * u64::from(count), ..self }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        u128::from(self.over) * u128::from(other.under) == u128::from(other.over) * u128::from(self.under)
    }
}

impl Eq for Fraction {}

/// The cores that no dedicated partition has.
fn shared_cores(cores: u32, claims: &[Claim]) -> Result<u32, Refused> {
    if let Some(place) = claims.iter().position(|claim| claim.logicals == 0 || claim.part == Part::Weight(0)) {
        return Err(Refused::Nothing(place));
    }
    let own = claims.iter().filter(|claim| claim.part == Part::Dedicated);
    let dedicated: u64 = own.clone().map(|claim| u64::from(claim.logicals)).sum();
    let shared = u64::from(cores).checked_sub(dedicated).ok_or(Refused::Dedicated)? as u32;
    if shared == 0 && own.count() < claims.len() { Err(Refused::NoneLeft) } else { Ok(shared) }
}

/// The cores of each when all use what they can.
///
/// n logical cores never run on more than n physical ones (PR/SM Planning Guide, Processing Weights).  The rest is
/// divided among the others by their weights, until none is over.  Bounds are whole, so the rest to divide stays whole.
fn contended(shared: u32, claims: &[Claim]) -> Vec<Fraction> {
    let mut limited: Vec<bool> = claims.iter().map(|claim| claim.part == Part::Dedicated).collect();
    let mut left = u64::from(shared);
    loop {
        let open = claims.iter().zip(&limited).filter(|(_, limited)| !**limited);
        let weights: u64 = open.map(|(claim, _)| claim.weight()).sum();
        // Judged by one level for all: a partition that is over at this level is over at any higher one.
        let over = |claim: &Claim| left * claim.weight() > u64::from(claim.logicals) * weights;
        let more: Vec<usize> = (0..claims.len()).filter(|at| !limited[*at] && over(&claims[*at])).collect();
        if more.is_empty() {
            let has = |(claim, limited): (&Claim, &bool)| {
                if *limited {
                    Fraction::whole_cores(claim.logicals)
                } else {
                    Fraction::new(left * claim.weight(), weights)
                }
            };
            return claims.iter().zip(&limited).map(has).collect();
        }
        for at in more {
            limited[at] = true;
            left -= u64::from(claims[at].logicals);
        }
    }
}
