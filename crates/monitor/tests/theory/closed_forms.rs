//! Closed forms of queueing theory, each with its source, and each held to published values and known special cases.
//!
//! Times are in ms, rates per ms.
//!
//! Sources: Gross, Shortle, Thompson, Harris: Fundamentals of Queueing Theory, 4th edition, 2008 ("Gross");
//! Kleinrock: Queueing Systems, volumes I 1975 and II 1976; Lazowska, Zahorjan, Graham, Sevcik: Quantitative System
//! Performance, 1984 ("Lazowska").

/// Erlang B: the share lost by c servers without a queue at load a (Gross 3.5, the usual recursion).
pub fn erlang_b(servers: u32, load: f64) -> f64 {
    (1..=servers).fold(1.0, |blocked, c| load * blocked / (f64::from(c) + load * blocked))
}

/// Erlang C: the share that waits for one of c servers at load a (Gross 3.3).
pub fn erlang_c(servers: u32, load: f64) -> f64 {
    let blocked = erlang_b(servers, load);
    blocked / (1.0 - load / f64::from(servers) * (1.0 - blocked))
}

/// M/M/c: the mean number waiting (Gross 3.3).
pub fn mmc_queue(servers: u32, load: f64) -> f64 {
    erlang_c(servers, load) * load / (f64::from(servers) - load)
}

/// M/G/1, first come first served: the mean wait before service (Pollaczek and Khinchine; Kleinrock I, 5.106).
pub fn mg1_wait(rate: f64, service: f64, scv: f64) -> f64 {
    let busy = rate * service;
    busy * service * (1.0 + scv) / (2.0 * (1.0 - busy))
}

/// M/G/1 processor sharing: the mean response, whatever the distribution (Kleinrock II, 4.17).
pub fn ps_response(rate: f64, service: f64) -> f64 {
    service / (1.0 - rate * service)
}

/// The mean number at a station whose n customers each progress at 1 / (1 + sharing (n - 1)) of full speed, fed by
/// Poisson arrivals: a symmetric queue, so of product form and insensitive (Kelly: Reversibility and Stochastic
/// Networks, 1979, 3.3).  p(n) is proportional to load^n x the product over j to n of (1 + sharing (j - 1)) / j.
pub fn sharing_number(load: f64, sharing: f64) -> f64 {
    let (mut weight, mut total, mut first_moment) = (1.0, 1.0, 0.0);
    for n in 1..20_000 {
        let n = f64::from(n);
        weight *= load * (1.0 + sharing * (n - 1.0)) / n;
        total += weight;
        first_moment += n * weight;
    }
    assert!(weight < 1e-12 * total, "the station is stable");
    first_moment / total
}

/// Throughput, mean response and mean number waiting of a closed system.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    pub throughput: f64,
    pub response: f64,
    pub waiting: f64,
}

/// The machine repairman, M/M/c//N: N guests think for z and are served for s by one of c servers (Gross 3.6).
pub fn repairman(servers: u32, guests: u32, think: f64, service: f64) -> Closed {
    let (mut weight, mut total, mut busy, mut waiting) = (1.0, 1.0, 0.0, 0.0);
    for n in 1..=guests {
        let serving = f64::from(n.min(servers));
        weight *= f64::from(guests - n + 1) / think * service / serving;
        total += weight;
        busy += serving * weight;
        waiting += f64::from(n.saturating_sub(servers)) * weight;
    }
    let throughput = busy / total / service;
    Closed { throughput, response: f64::from(guests) / throughput - think, waiting: waiting / total }
}

/// M/D/1//N: the machine repairman whose every repair takes the same (Takacs: Introduction to the Theory of Queues, 1962,
/// chapter 5).  B is the transform of a repair, here 1 / B(i/z) = e^(i s/z). The share of time in which all N run is
/// `1 / (1 + N s/z times the sum over j below N of (N - 1 over j) x the product over i to j of (1 / B(i/z) - 1))`.
pub fn finite_source_fixed(guests: u32, think: f64, service: f64) -> Closed {
    let per_think = service / think;
    let (mut term, mut sum) = (1.0, 0.0);
    for j in 0..guests {
        sum += term;
        term *= f64::from(guests - 1 - j) / f64::from(j + 1) * (f64::from(j + 1) * per_think).exp_m1();
    }
    let all_run = 1.0 / (1.0 + f64::from(guests) * per_think * sum);
    let throughput = (1.0 - all_run) / service;
    let response = f64::from(guests) / throughput - think;
    Closed { throughput, response, waiting: (response - service) * throughput }
}

/// Exact mean value analysis of one class over queueing stations with these demands per cycle and a think time
/// (Reiser and Lavenberg: Mean-Value Analysis of Closed Multichain Queuing Networks, 1980; Lazowska 6.4): cycles per ms,
/// and the mean time per cycle and number at each station.
pub fn mva(guests: u32, think: f64, demands: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
    let (mut throughput, mut residence) = (0.0, vec![0.0; demands.len()]);
    let mut present = vec![0.0; demands.len()];
    for n in 1..=guests {
        residence = demands.iter().zip(&present).map(|(demand, present)| demand * (1.0 + present)).collect();
        throughput = f64::from(n) / (think + residence.iter().sum::<f64>());
        present = residence.iter().map(|residence| throughput * residence).collect();
    }
    (throughput, residence, present)
}

/// Asymptotic bounds on the cycles per ms of a closed system: at most 1 / largest demand, and N / (think + all demands)
/// (Lazowska 5.2).
pub fn most_throughput(guests: u32, think: f64, demands: &[f64]) -> f64 {
    let bottleneck = demands.iter().fold(0.0, |most: f64, demand| most.max(*demand));
    (1.0 / bottleneck).min(f64::from(guests) / (think + demands.iter().sum::<f64>()))
}

/// M/G/1 where the more urgent preempt: the mean response of one of the classes, the most urgent first. A class has arrivals
/// per ms, mean service, and squared coefficient of variation. Preempted work resumes (Gross 3.4; Kleinrock II, chapter 3).
pub fn preemptive_response(classes: &[(f64, f64, f64)], class: usize) -> f64 {
    let busy = |classes: &[(f64, f64, f64)]| classes.iter().map(|(rate, service, _)| rate * service).sum::<f64>();
    let (more_urgent, up_to) = (&classes[..class], &classes[..=class]);
    let squares: f64 = up_to.iter().map(|(rate, service, scv)| rate * service * service * (1.0 + scv)).sum();
    let left = 1.0 - busy(more_urgent);
    (classes[class].1 + squares / (2.0 * (1.0 - busy(up_to)))) / left
}

/// M/M/1 whose server breaks down at rate a whether it works or not, is repaired at rate b, and goes on where it was: the
/// mean number present (White and Christie: Queuing with Preemptive Priorities or with Breakdown, 1958).
pub fn breakdown_number(arrivals: f64, service: f64, (a, b): (f64, f64)) -> f64 {
    arrivals * ((a + b).powi(2) + a * service) / ((a + b) * (b * service - arrivals * (a + b)))
}

/// M/G/1 whose server takes vacation after vacation while the queue is empty, and serves all customers (exhaustive). The
/// mean wait follows from mean and squared coefficient of variation of service and vacation (Doshi: Queueing Systems with
/// Vacations, a Survey, 1986; Takagi: Queueing Analysis, volume 1, 1991).
pub fn vacation_wait(rate: f64, (service, scv): (f64, f64), (vacation, vacation_scv): (f64, f64)) -> f64 {
    mg1_wait(rate, service, scv) + vacation * (1.0 + vacation_scv) / 2.0
}

fn close(seen: f64, expected: f64, tolerance: f64) {
    assert!((seen - expected).abs() <= tolerance, "{seen} against {expected}");
}

#[test]
fn erlangs_tables() {
    close(erlang_b(10, 5.0), 0.0184, 5e-5);
    close(erlang_c(10, 5.0), 0.0361, 5e-5);
    close(erlang_b(1, 1.0), 0.5, 1e-15);
    close(mmc_queue(4, 3.0), 1.528, 5e-4);
}

#[test]
fn one_server_makes_a_customer_wait_as_long_as_it_is_busy() {
    for load in [0.1, 0.5, 0.9] {
        close(erlang_c(1, load), load, 1e-15);
        close(mmc_queue(1, load), load * load / (1.0 - load), 1e-13);
        close(erlang_c(2, load), load * load / (2.0 + load), 1e-15);
    }
}

#[test]
fn pollaczek_and_khinchine_give_erlang_at_scv_1_and_half_of_it_at_0() {
    let (rate, service) = (0.4, 2.0);
    close(mg1_wait(rate, service, 1.0), mmc_queue(1, 0.8) / rate, 1e-12);
    close(mg1_wait(rate, service, 0.0), mmc_queue(1, 0.8) / rate / 2.0, 1e-12);
}

#[test]
fn a_sharing_station_lies_between_processor_sharing_and_no_contention() {
    close(sharing_number(0.7, 1.0), 0.7 / 0.3, 1e-9);
    close(sharing_number(3.5, 0.0), 3.5, 1e-12);
    close(sharing_number(0.7, 1.0), 0.7 * ps_response(1.0, 0.7) / 0.7, 1e-9);
    assert!((3.5..35.0).contains(&sharing_number(3.5, 0.1)));
}

/// Two guests, think 1, service 1: the states 0, 1, 2 at the server weigh 1, 2, 2.
#[test]
fn the_repairman_of_two_machines_by_hand() {
    let two = repairman(1, 2, 1.0, 1.0);
    close(two.throughput, 0.8, 1e-15);
    close(two.response, 1.5, 1e-14);
    close(two.waiting, 0.4, 1e-15);
}

#[test]
fn none_waits_for_a_repairman_of_its_own() {
    let own = repairman(5, 5, 3.0, 2.0);
    close(own.throughput, 1.0, 1e-14);
    close(own.response, 2.0, 1e-13);
    close(own.waiting, 0.0, 0.0);
}

#[test]
fn fixed_repairs_make_shorter_queues_than_exponential_ones() {
    let alone = finite_source_fixed(1, 3.0, 2.0);
    close(alone.throughput, 0.2, 1e-15);
    close(alone.response, 2.0, 1e-14);
    for guests in [2, 5, 20] {
        let (fixed, exponential) = (finite_source_fixed(guests, 3.0, 1.0), repairman(1, guests, 3.0, 1.0));
        assert!(fixed.throughput > exponential.throughput && fixed.waiting < exponential.waiting);
    }
    // Two machines: one that breaks down in the repair of the other, 1 - 1/e of them, waits 1/e of it, else it is alone.
    let (two, broken) = (finite_source_fixed(2, 1.0, 1.0), 1.0 - (-1.0f64).exp());
    let waits = (1.0 - broken) / broken;
    // Repairs in a row: 1 / (1 - broken) of them, and then both run for 1/2.
    let row = 1.0 / (1.0 - broken);
    close(two.throughput, row / (row + 0.5), 1e-14);
    close(two.response, 2.0 / two.throughput - 1.0, 1e-14);
    close(two.waiting, two.throughput * broken * waits, 1e-14);
    // Very many that break down rarely are Poisson arrivals, here to a server that is busy 60 % of the time.
    let many = finite_source_fixed(3_000, 5_000.0, 1.0);
    close(many.response, 1.0 + mg1_wait(0.6, 1.0, 0.0), 2e-3);
}

#[test]
fn the_repairman_is_a_network_of_one_station() {
    let (throughput, residence, present) = mva(7, 4.0, &[1.5]);
    let same = repairman(1, 7, 4.0, 1.5);
    close(throughput, same.throughput, 1e-13);
    close(residence[0], same.response, 1e-12);
    close(present[0] - throughput * 1.5, same.waiting, 1e-12);
}

/// Lazowska 5.4: K stations of equal demand D and no think time do N / (D (N + K - 1)).
#[test]
fn a_balanced_network() {
    for guests in 1..20 {
        let (throughput, _, present) = mva(guests, 0.0, &[0.5; 4]);
        close(throughput, f64::from(guests) / (0.5 * f64::from(guests + 3)), 1e-12);
        close(present[2], f64::from(guests) / 4.0, 1e-12);
        assert!(throughput <= most_throughput(guests, 0.0, &[0.5; 4]));
    }
}

#[test]
fn the_most_urgent_of_those_that_preempt_see_no_other() {
    let classes = [(0.5, 1.0, 0.3), (0.2, 2.0, 3.0)];
    close(preemptive_response(&classes, 0), 1.0 + mg1_wait(0.5, 1.0, 0.3), 1e-14);
    let never = [(0.0, 1.0, 0.3), (0.2, 2.0, 3.0)];
    close(preemptive_response(&never, 1), 2.0 + mg1_wait(0.2, 2.0, 3.0), 1e-14);
}

#[test]
fn a_server_that_never_breaks_down_or_is_down_too_shortly_to_be_noticed() {
    close(breakdown_number(0.6, 1.0, (0.0, 1.0)), 0.6 / 0.4, 1e-14);
    // Down half of the time: half as fast.
    close(breakdown_number(0.3, 1.0, (1e9, 1e9)), 0.6 / 0.4, 1e-6);
}

#[test]
fn a_vacation_of_no_length_is_none() {
    close(vacation_wait(0.3, (2.0, 0.75), (0.0, 1.0)), mg1_wait(0.3, 2.0, 0.75), 1e-14);
}
