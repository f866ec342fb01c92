//! Guests that think and hold one lock for exponential times, solved exactly: rate of acquisitions, waits, and yields.
//!
//! Times are in ms, rates per ms.

use super::closed_forms::repairman;

/// Two guests with a processor each, and one lock: a guest that finds it held tries again in stated times, and a newcomer
/// that finds it free takes it.
#[derive(Clone, Copy, Debug)]
pub struct TwoGuests {
    pub think: f64,
    pub hold: f64,
    pub one_try: f64,
    /// How often one tries before it yields; never, where there is nothing.
    pub tries: Option<u32>,
    /// How long a yield takes that returns at once: it does not try meanwhile.
    pub yields: f64,
}

/// Means in equilibrium.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contention {
    pub taken: f64,
    /// The share of acquisitions after spinning, and how long the guest spun.
    pub contended: f64,
    pub wait: f64,
    /// How often a guest yields.
    pub yields: f64,
}

impl TwoGuests {
    /// The chance that the other, which holds the lock now, does not after this long: its holds and thinks are a chain of two
    /// states.
    fn free_after(&self, gap: f64) -> f64 {
        let (gives, comes) = (1.0 / self.hold, 1.0 / self.think);
        gives / (gives + comes) * -(-(gives + comes) * gap).exp_m1()
    }

    /// How often the other, which holds the lock now, takes it again within this time.
    fn taken_within(&self, gap: f64) -> f64 {
        let (gives, comes) = (1.0 / self.hold, 1.0 / self.think);
        let both = gives + comes;
        gives * comes / both * (gap + (-both * gap).exp_m1() / both)
    }

    /// The equilibrium of a chain that begins anew whenever one holds the lock and the other has begun to think: both
    /// think, or one spins, or neither, and then it does so again.
    pub fn solve(&self) -> Contention {
        let (gives, comes) = (1.0 / self.hold, 1.0 / self.think);
        let (mut tries_so_far, mut goes_on) = (0, 1.0);
        let (mut wait, mut taken_meanwhile, mut yields) = (0.0, 0.0, 0.0);
        while goes_on > 1e-15 {
            let after_a_yield = tries_so_far > 0 && self.tries.is_some_and(|tries| tries_so_far % tries == 0);
            let gap = self.one_try + if after_a_yield { self.yields } else { 0.0 };
            yields += if after_a_yield { goes_on } else { 0.0 };
            wait += goes_on * gap;
            taken_meanwhile += goes_on * self.taken_within(gap);
            goes_on *= 1.0 - self.free_after(gap);
            tries_so_far += 1;
        }
        let (both_think, one_spins) = (gives / (gives + comes), comes / (gives + comes));
        let length = 1.0 / (gives + comes) + both_think / (2.0 * comes) + one_spins * wait;
        let taken = both_think + one_spins * (1.0 + taken_meanwhile);
        Contention { taken: taken / length, contended: one_spins / taken, wait, yields: one_spins * yields / length }
    }
}

/// This many guests and one lock that is handed on at once. Its holder runs at this share of full speed when this many
/// want it, the holder included.
pub fn slowed(guests: u32, (think, hold): (f64, f64), speed: impl Fn(u32) -> f64) -> Contention {
    // The probability of each number of holders and spinners, without a common factor.
    let mut weights = vec![1.0];
    for wanting in 1..=guests {
        let comes = f64::from(guests - wanting + 1) / think;
        let before = weights[wanting as usize - 1];
        weights.push(before * comes * hold / speed(wanting));
    }
    let all: f64 = weights.iter().sum();
    let taken: f64 = (1..=guests).map(|wanting| weights[wanting as usize] * speed(wanting) / hold).sum::<f64>() / all;
    let spinning: f64 =
        (1..=guests).map(|wanting| weights[wanting as usize] * f64::from(wanting - 1)).sum::<f64>() / all;
    let found_taken: f64 =
        (1..guests).map(|wanting| weights[wanting as usize] * f64::from(guests - wanting) / think).sum::<f64>() / all;
    Contention { taken, contended: found_taken / taken, wait: spinning / found_taken, yields: 0.0 }
}

/// Mean and second moment of the wait of a guest that finds a lock of three guests held, first come, first served: one that
/// holds it goes before it, or two do.
pub fn waits_in_order((think, hold): (f64, f64)) -> [f64; 2] {
    let behind_two = behind_two((think, hold));
    let mean = hold * (1.0 + behind_two);
    [mean, hold * hold * (2.0 + 4.0 * behind_two)]
}

/// The same where each spinner is as likely to be next. A spinner is alone or beside another; from both states the next
/// event leads on.
pub fn waits_at_random((think, hold): (f64, f64)) -> [f64; 2] {
    let behind_two = behind_two((think, hold));
    let (gives, comes) = (1.0 / hold, 1.0 / think);
    let (rate, joined) = (gives + comes, comes / (gives + comes));
    // Alone: E = 1/rate + joined x beside; beside: B = hold + E/2.  The squares likewise.
    let alone = (1.0 / rate + joined * hold) / (1.0 - joined / 2.0);
    let beside = hold + alone / 2.0;
    let steps_alone = 2.0 / (rate * rate) + 2.0 / rate * joined * beside;
    let steps_beside = 2.0 * hold * hold + 2.0 * hold * alone / 2.0;
    let alone_squared = (steps_alone + joined * steps_beside) / (1.0 - joined / 2.0);
    let beside_squared = steps_beside + alone_squared / 2.0;
    let mix = |one: f64, two: f64| one + (two - one) * behind_two;
    [mix(alone, beside), mix(alone_squared, beside_squared)]
}

/// How likely one of three that finds the lock held finds another spinner too: an arrival sees the other two as if it were
/// not there.
fn behind_two((think, hold): (f64, f64)) -> f64 {
    let one = 2.0 / think * hold;
    let two = one / think * hold;
    two / (one + two)
}

fn close(seen: f64, expected: f64, relative: f64) {
    assert!((seen / expected - 1.0).abs() < relative, "{seen} against {expected}");
}

/// Tries of no length, and yields of none, hand a lock on at once: a repairman for two machines.
#[test]
fn two_guests_that_try_all_the_time_are_the_machines_of_a_repairman() {
    let theory = repairman(1, 2, 3.0, 1.0);
    for tries in [None, Some(1), Some(7)] {
        let two = TwoGuests { think: 3.0, hold: 1.0, one_try: 1e-4, tries, yields: 0.0 }.solve();
        close(two.taken, theory.throughput, 1e-4);
        close(two.contended * two.wait, theory.response - 1.0, 1e-3);
    }
}

/// With yields of no length it does not matter how often one yields, but for how often that is.
#[test]
fn yields_of_no_length_are_only_counted() {
    let never = TwoGuests { think: 2.0, hold: 1.0, one_try: 0.3, tries: None, yields: 0.5 }.solve();
    let often = TwoGuests {
        tries: Some(2),
        yields: 0.0,
        ..TwoGuests { think: 2.0, hold: 1.0, one_try: 0.3, tries: None, yields: 0.0 }
    };
    let often = often.solve();
    close(often.taken, never.taken, 1e-12);
    close(often.wait, never.wait, 1e-12);
    assert!(often.yields > 0.0 && never.yields == 0.0);
    // A guest that tries once and then yields yields after every try but the last.
    let each = TwoGuests { think: 2.0, hold: 1.0, one_try: 0.3, tries: Some(1), yields: 0.0 }.solve();
    close(each.yields, each.taken * each.contended * (each.wait / 0.3 - 1.0), 1e-12);
}

/// A guest that tries very rarely finds the lock free as often as the other does not hold it.
#[test]
fn rare_tries_find_the_other_at_any_time() {
    let rare = TwoGuests { think: 2.0, hold: 1.0, one_try: 1e3, tries: None, yields: 0.0 }.solve();
    close(rare.wait, 1e3 / (2.0 / 3.0), 1e-9);
}

#[test]
fn a_lock_that_nothing_slows_is_a_repairman() {
    for guests in [2, 3, 9] {
        let (chain, theory) = (slowed(guests, (4.0, 1.5), |_| 1.0), repairman(1, guests, 4.0, 1.5));
        close(chain.taken, theory.throughput, 1e-13);
        close(chain.taken * chain.contended * chain.wait, theory.waiting, 1e-13);
        close(chain.contended, 1.0 - all_think(guests - 1, 1.5 / 4.0), 1e-13);
    }
    // Two, each at half speed beside the other: as two repairs of twice the length, of which one counts.
    let half = slowed(2, (1.0, 1.0), |wanting| 1.0 / f64::from(wanting));
    close(half.taken, (2.0 * 1.0 + 4.0 * 0.5) / 7.0, 1e-13);
}

/// How likely all of this many guests think, with this hold per think.
fn all_think(guests: u32, load: f64) -> f64 {
    let mut weight = 1.0;
    let all: f64 = (0..=guests)
        .map(|wanting| {
            let own = weight;
            weight *= f64::from(guests - wanting) * load;
            own
        })
        .sum();
    1.0 / all
}

/// Three guests: the order in which they are served changes no mean, and makes waits differ more.
#[test]
fn order_leaves_the_mean_alone() {
    let times = (1.5, 1.0);
    let ([mean, square], [same, larger]) = (waits_in_order(times), waits_at_random(times));
    close(same, mean, 1e-13);
    assert!(larger > 1.05 * square, "{larger} against {square}");
    let chain = slowed(3, times, |_| 1.0);
    close(mean, chain.wait, 1e-13);
}
