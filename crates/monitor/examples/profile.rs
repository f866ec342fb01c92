//! Scratch.
#[path = "../tests/golden/run.rs"]
mod run;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::world::World;
use monitor::{Experiment, Measurement, Watch};
use scenario::Scenario;
use units::{Span, Tod};

fn scenarios(folder: &str, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let p = entry.unwrap().path();
        let s = p.to_str().unwrap().to_string();
        if p.is_dir() {
            scenarios(&s, out)
        } else if s.ends_with(".toml") {
            out.push(s)
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args[1].as_str() {
        "golden" => {
            let mut all = Vec::new();
            scenarios("scenarios", &mut all);
            all.sort();
            all.push("tests/golden/every_mechanism.toml".into());
            for path in all {
                let bytes = std::fs::read(&path).unwrap();
                if !Scenario::read(&bytes, &path, &[]).unwrap().replays().is_empty() {
                    continue;
                }
                let g = run::run(&bytes, &path);
                print!("[\"{path}\"]\n{}measured = \"{}\"\n", g.lines, g.measured);
            }
        }
        "run" => {
            // run FILE SECONDS WARMUP [set...]
            let bytes = std::fs::read(&args[2]).unwrap();
            let seconds: f64 = args[3].parse().unwrap();
            let warm: f64 = args[4].parse().unwrap();
            let sets: Vec<String> = args[5..].to_vec();
            let s = Scenario::read(&bytes, &args[2], &sets).unwrap();
            let measurement = Measurement {
                warm_up: Span::from_seconds(warm),
                interval: Span::from_seconds(seconds),
                intervals: 1,
                sample: Span::from_seconds(seconds.min(2.0)),
            };
            let e = Experiment { plan: s.plan(), name: s.name(), seed: 1, measurement };
            let start = std::time::Instant::now();
            let r = e.run(0..1, 1, &Watch::default()).unwrap();
            let wall = start.elapsed().as_secs_f64();
            let t = &r[0][0];
            let events = t.system.events.value * (seconds + warm) / seconds;
            println!(
                "wall {wall:.4} events {} io_per_s {} ns/event {:.2}",
                t.system.events.value,
                t.system.io_per_s.value,
                wall * 1e9 / events
            );
        }
        "bare" => {
            let bytes = std::fs::read(&args[2]).unwrap();
            let seconds: f64 = args[3].parse().unwrap();
            let s = Scenario::read(&bytes, &args[2], &args[4..].to_vec()).unwrap();
            let mut world: World<TreeCalendar, machine::signal::NoProbe> =
                World::new(s.plan(), &Streams::new(1, 0), machine::signal::NoProbe);
            let start = std::time::Instant::now();
            world.run_until(Tod::START + Span::from_seconds(seconds)).unwrap();
            let wall = start.elapsed().as_secs_f64();
            println!(
                "wall {wall:.4} events {} ns/event {:.2} checksum {:016x}",
                world.events(),
                wall * 1e9 / world.events() as f64,
                world.checksum()
            );
        }
        _ => panic!(),
    }
}
