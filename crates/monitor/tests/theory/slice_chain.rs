//! M/M/1 whose server works in every other slice: the Markov chain within each slice, solved by uniformization, and the
//! state in which a frame ends as it began.
//!
//! Times are in ms, rates per ms.

/// This many may be present at most; more are as good as impossible in what is tried here.
const MOST: usize = 150;

type State = Vec<f64>;

/// Arrivals, services while it is the own slice, and the slice.
#[derive(Clone, Copy, Debug)]
pub struct Sliced {
    pub arrivals: f64,
    pub services: f64,
    pub own: f64,
    pub other: f64,
}

impl Sliced {
    /// The mean number present over a frame in equilibrium.
    pub fn number(&self) -> f64 {
        let mut state = vec![0.0; MOST];
        state[0] = 1.0;
        let mut before = f64::INFINITY;
        loop {
            let (at_end_of_own, in_own) = self.pass(&state, self.services, self.own);
            let (at_end, in_other) = self.pass(&at_end_of_own, 0.0, self.other);
            let number = (in_own + in_other) / (self.own + self.other);
            assert!(at_end[MOST - 1] < 1e-9, "states are cut off that matter");
            if (number - before).abs() < 1e-9 {
                return number;
            }
            (state, before) = (at_end, number);
        }
    }

    /// The state after a span, and the area under the mean number present in it (Jensen: Markoff Chains as an Aid in the
    /// Study of Markoff Processes, 1953): a Poisson number of steps of a chain in discrete time.
    fn pass(&self, start: &State, services: f64, span: f64) -> (State, f64) {
        let rate = self.arrivals + services;
        let (mut state, mut end) = (start.clone(), vec![0.0; MOST]);
        let (mut weight, mut passed, mut area) = ((-rate * span).exp(), 0.0, 0.0);
        let mut step = 0.0;
        while passed < 1.0 - 1e-13 && step < 1e4 {
            end.iter_mut().zip(&state).for_each(|(end, state)| *end += weight * state);
            passed += weight;
            area += (1.0 - passed) / rate * mean(&state);
            state = self.step(&state, services / rate);
            step += 1.0;
            weight *= rate * span / step;
        }
        (end, area)
    }

    fn step(&self, state: &State, down: f64) -> State {
        let mut next = vec![0.0; MOST];
        for (number, weight) in state.iter().enumerate() {
            next[number.saturating_sub(1)] += down * weight;
            next[(number + 1).min(MOST - 1)] += (1.0 - down) * weight;
        }
        next
    }
}

fn mean(state: &State) -> f64 {
    state.iter().enumerate().map(|(number, weight)| number as f64 * weight).sum()
}

/// Slices too short to be noticed leave a server that is slower by its share.
#[test]
fn short_slices_are_a_slower_server() {
    let sliced = Sliced { arrivals: 0.3, services: 1.0, own: 0.01, other: 0.01 };
    let number = sliced.number();
    assert!((number - 0.6 / 0.4).abs() < 0.02, "{number}");
    let alone = Sliced { arrivals: 0.3, services: 1.0, own: 3.0, other: 1e-12 };
    assert!((alone.number() - 0.3 / 0.7).abs() < 1e-6);
}

/// Slices in which the queue settles leave the mean of a server at full speed in the own slice. In the other one, the
/// queue grows by arrivals, and it is worked off at the difference of the rates.
#[test]
fn long_slices_are_full_speed_and_stop() {
    let sliced = Sliced { arrivals: 0.1, services: 1.0, own: 500.0, other: 100.0 };
    let fluid = (100.0 * 5.0 + 10.0 / 0.9 * 5.0) / 600.0;
    let settled = 0.1 / 0.9 * 500.0 / 600.0;
    let number = sliced.number();
    assert!((number / (fluid + settled) - 1.0).abs() < 0.1, "{number} against {fluid} and {settled}");
}
