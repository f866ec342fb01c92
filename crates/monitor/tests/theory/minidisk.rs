//! A minidisk with a cache: one server whose service is short for what the cache holds, M/G/1.

use super::closed_forms::mg1_wait;
use super::trial::Trial;
use crate::plans::{exponential, open, plan, volume};
use machine::plan::{CachePlan, Choice, IoPlan, MinidiskPlan, Step, Target};
use units::Percent;

#[test]
fn one_io_at_a_time_with_a_cache() {
    let (hits, reads, miss_ms, hit_ms, rate) = (0.75, 0.8, 1.0, 0.05, 1.0);
    let cache = CachePlan { read_hits: Percent::new(100.0 * hits), time: exponential(50) };
    let asking = IoPlan { reads: Percent::new(100.0 * reads), ..IoPlan::reading(Choice::Fixed(Target::Minidisk(0))) };
    let mut machine = plan(vec![volume("DISK", exponential(1_000))], vec![open(1e3 * rate, vec![Step::Io(asking)])]);
    machine.minidisks.push(MinidiskPlan { name: "M".into(), volume: 0, cache: Some(cache), ..Default::default() });
    let trial = Trial::run("minidisk", &machine, 500);
    let avoided = hits * reads;
    let mean = avoided * hit_ms + (1.0 - avoided) * miss_ms;
    let square = 2.0 * (avoided * hit_ms * hit_ms + (1.0 - avoided) * miss_ms * miss_ms);
    let wait = mg1_wait(rate, mean, square / (mean * mean) - 1.0);
    trial.agrees("avoided", |interval| interval.minidisks[0].avoided_per_s.value, 1e3 * rate * avoided);
    trial.agrees("wait", |interval| interval.minidisks[0].wait_ms.value, wait);
    trial.agrees("response", |interval| interval.minidisks[0].response_ms.value, wait + mean);
    trial.agrees("queue", |interval| interval.minidisks[0].queue_depth.value, rate * wait);
    trial.agrees("as guests see it", |interval| interval.guests[0].response_ms.value, wait + mean);
    trial.agrees("response of the volume", |interval| interval.volumes[0].response_ms.value, miss_ms);
    trial.agrees("writes", |interval| interval.volumes[0].writes_per_s.value, 1e3 * rate * (1.0 - reads));
}
