//! How long a ring takes: the worked cells of MVS Planning: Global Resource Serialization (SA23-1389), Average response time.
//!
//! cycle time = (RESMIL * n) + (transmission delay * n); response time = cycle time * 1.5, or with ACCELSYS(a)
//! cycle time / 2 + (RESMIL * (a - 1)) + (transmission delay * a).

use serialization::systems::{Delay, Mode, Place, Ring};
use units::Span;

/// A ring with these milliseconds.
fn ring(resmil: f64, transmission: f64, acceleration: Option<u32>) -> Ring {
    let span = |ms: f64| Span::from_seconds(ms / 1e3);
    Ring { residency: span(resmil), transmission: span(transmission), acceleration }
}

/// The mean wait in ms of a request of the system in this place, over instants of a cycle, as many in each hop.
fn mean_ms(ring: Ring, systems: u32, position: u32) -> f64 {
    const INSTANTS: u64 = 960;
    let cycle = ring.cycle(systems).units();
    let at = |number: u64| Span::from_units(cycle * (2 * number + 1) / (2 * INSTANTS));
    let wait = |number| Mode::Ring(ring).delay(Place { position, systems }, at(number)).wait.ms();
    (0..INSTANTS).map(wait).sum::<f64>() / INSTANTS as f64
}

fn agrees(ring: Ring, systems: u32, published_ms: f64) {
    for position in 0..systems {
        let mean = mean_ms(ring, systems, position);
        assert!(
            (mean - published_ms).abs() < 1e-3,
            "{mean} for {published_ms}: {systems} systems, {position}, {ring:?}"
        );
    }
}

/// Four systems, RESMIL 1 ms, a 3088 with about 1 ms for the message and the signal, ACCELSYS(2): "about 7 milliseconds".
#[test]
fn four_systems_with_accelsys_2_answer_in_7_ms() {
    agrees(ring(1.0, 1.0, Some(2)), 4, 7.0);
}

/// The same ring without ring acceleration: "about 12 milliseconds".
#[test]
fn four_systems_without_acceleration_answer_in_12_ms() {
    agrees(ring(1.0, 1.0, None), 4, 12.0);
    agrees(ring(1.0, 1.0, Some(99)), 4, 12.0);
}

/// Both formulas, for the transmission delay of a 3088 (1 ms) and of ESCON (table 1, 0.5 ms), and none.
#[test]
fn every_ring_answers_as_the_formulas_say() {
    for (n, resmil, delay) in [(2, 10.0, 0.5), (3, 1.0, 0.0), (4, 6.0, 1.0), (8, 0.0, 1.0), (32, 5.0, 0.5)] {
        let cycle = f64::from(n) * (resmil + delay);
        agrees(ring(resmil, delay, None), n, cycle * 1.5);
        for a in [2, n.div_ceil(2).max(2), n] {
            let response = cycle / 2.0 + resmil * f64::from(a - 1) + delay * f64::from(a);
            agrees(ring(resmil, delay, Some(a)), n, response);
        }
    }
}

/// "When the incoming RSA-message arrives, the system places the request in the outgoing RSA-message" (Request processing
/// with ring acceleration, step 2).  The message is at 0 in [0, 2) ms, at 1 in [2, 4), at 2 in [4, 6).
#[test]
fn the_message_takes_along_what_is_there_when_it_arrives() {
    let wait = |position, at_us| {
        let delay = Mode::Ring(ring(2.0, 0.0, None)).delay(Place { position, systems: 3 }, Span::from_us(at_us));
        (delay.wait.ms(), delay.hops)
    };
    assert_eq!(wait(0, 0), (6.0, 3));
    assert_eq!(wait(0, 1_000), (5.0 + 6.0, 3), "the message is here, and did not take it along");
    assert_eq!(wait(1, 1_000), (1.0 + 6.0, 3));
    assert_eq!(wait(2, 4_000), (6.0, 3));
    assert_eq!(wait(1, 6_002_000), (6.0, 3));
}

/// The second system sends its signal as soon as it has the message (Request processing): a residency at home, a
/// transmission each way.
#[test]
fn the_second_system_signals_when_it_receives_the_message() {
    let place = Place { position: 0, systems: 4 };
    let delay = Mode::Ring(ring(2.0, 0.5, Some(2))).delay(place, Span::ZERO);
    assert_eq!(delay, Delay { wait: Span::from_ms(3), hops: 1, structure: false });
}
