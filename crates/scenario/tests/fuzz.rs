//! Does the reader of scenarios stand whatever it is given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use crate::sample;
use fuzz::{Bound, Mutator};
use scenario::{Scenario, starter, starters};

const TOKENS: [&str; 132] = [
    "[[paging]]\n",
    "pages_per_io = 16384\n",
    "volumes = [\"*\"]\n",
    "[[class]]\n",
    "class = \"orders\"\n",
    "growth = \"10000 %\"\n",
    "growth = \"40 %\"  # default: \n",
    "name = \"P[0..99]\"\n",
    "name = \"P[0..]\"\n",
    "count = 9\n",
    "uniform = [\"*\"]",
    "{ io = { weighted = { \"P*\" = 1 } } }",
    "[A..Z,1..9]",
    "[topology]\n",
    "[[topology.cache]]\n",
    "machine = \"zEC12\"\n",
    "machine = \"z10\"  # default: \n",
    "shared_by = \"chip\"\n",
    "beyond = 4\n",
    "size = \"1 KiB\"\n",
    "control_program = { barriers = [1, 2, 4], lock = { hold = \"0 us\" } }\n",
    "costs.entry = \"10 ms\"\n",
    "controller = { every = \"10 ms\" }\n",
    "[[virtual_machine]]\n",
    "virtual_machine = \"LIGHT\"\n",
    "virtual_processors = 64\n",
    "absolute_share = \"100 %\"\n",
    "limit = \"0.1 %\"\n",
    "footprint = \"1048576 MiB\"\n",
    "touched_in = \"1 us\"\n",
    "{ pace = \"99.9 %\" }",
    "{ intercept = \"2 us\" }",
    "srm = { partition = \"ZVM\", cpupad = \"6400 %\" }\n",
    "[[spin_lock]]\n",
    "[[network]]\n",
    "virtual_machine = \"CLIENT\"\n",
    "guest_type = \"SLES 9 SP2\"\n",
    "guest_type = \"z/OS 1.7\"\n",
    "machine = \"z990\"\n",
    "spin_retry = 0\n",
    "spin_try = \"1 ns\"\n",
    "yields = \"sense-running\"\n",
    "yields = \"x44\"  # default: \n",
    "order = \"queued\"\n",
    "latency = \"0 us\"\n",
    "rate = \"1 kB\"\n",
    "{ exchange = \"REQUESTS\", network = \"LAN\", reply = \"1024 MiB\" }",
    "{ lock = \"DCACHE\", steps = [ ",
    "{ lock = \"INODE\", steps = [ ",
    "costs = { fast_x44 = \"0 us\", x44 = \"0 us\", x9c = \"0 us\", sense = \"0 us\" }\n",
    "soft_wait = \"0 us\"\n",
    "[[resource]]\n",
    "[[front_end]]\n",
    "members = 100000\n",
    "messages = 1000\n",
    "messages = 1\n",
    "ssch = \"0 us\"\n",
    "reload = \"1 s\"\n",
    "rmf = { cycle = \"50 ms\", priority = 255 }\n",
    "jitter = \"9999 ms\"",
    "arrives = \"spawned\"\n",
    "{ repeat_mean = 0.001, steps = [ ",
    "{ hold = \"REGION\", steps = [ ",
    "{ hold = \"PROGRAM\", steps = [ ",
    "{ choose = [ { weight = 1e9, steps = [ ",
    "{ message_in = \"4705\" }",
    "{ message_out = \"4705\" }",
    "{ spawn = \"LOG\" }",
    "[cec]\n",
    "[[partition]]\n",
    "processors = 2\n",
    "scheduling_parameter = 5\n",
    "slice = \"10 us\"\n",
    "switch = \"1 s\"\n",
    "logical_processors = 256\n",
    "mode = \"UP\"\n",
    "target = \"1 %\"\n",
    "enabled = 1\n",
    "partition = \"P\"\n",
    "[[minidisk]]\n",
    "[[change]]\n",
    "at = \"1 s\"\n",
    "aliases = { pool = \"POOL\", online = 3 }\n",
    "paths = { control_unit = \"CU\", online = 0 }\n",
    "reserve = \"A\"\n",
    "release = \"A\"\n",
    "cache = { read_hits = \"100 %\", time = \"0 us\" }\n",
    "zipf = [\"A\", \"B\"]",
    "exponent = 10",
    "bytes = \"64 MiB\"",
    "reads = \"0 %\"",
    "batch = 1000\n",
    "batch_mean = 1e308\n",
    "replay = \"io.csv\"\n",
    "[[volume]]\n",
    "[[guest]]\n",
    "[[alias_pool]]\n",
    "[[control_unit]]\n",
    "[measure]\n",
    "[source]\n",
    "[[guest.program]]\n",
    "name = ",
    "device = \"0100\"\n",
    "aliases = 65535\n",
    "first_alias = \"FFFF\"\n",
    "service.connect = ",
    "{ exponential = \"1 ms\" }",
    "{ uniform = [\"2 ms\", \"1 ms\"] }",
    "{ hyperexponential = \"1 ms\", scv = 1e308 }",
    "{ repeat = 1000000, steps = [ ",
    "{ io = { weighted = { A = 1 } } }",
    "per_concurrent = \"1 ms\"",
    "sharing = \"100 %\"\n",
    "count = 100000\n",
    "arrivals = \"1/min\"\n",
    "assume = \"x\"\n",
    "\"365 d\"",
    "\"0 us\"",
    "'''",
    "\"\"\"",
    "\\u0000",
    "\\U0010FFFF",
    "# default: ",
    "# set: ",
    "nan",
    "inf",
    "0x7FFFFFFFFFFFFFFF",
    "1979-05-27T07:32:00Z",
    "[",
    "{",
    "a.b.c.",
    "\u{feff}",
];

/// What holds for every input: it is refused with problems, or it is written out and comes back.
fn check(input: &[u8]) {
    // The last line stands for overrides too: whatever a file can hold, a command line can.
    let text = String::from_utf8_lossy(input);
    let last = text.lines().next_back().unwrap_or_default();
    let set = ["volume.*.", "topology.cache.*.", "cec.", "partition.*.control_program.", "virtual_machine.*."]
        .map(|path| format!("{path}{last}"));
    for set in [&[], &set[..1], &set[1..]] {
        match Scenario::read(input, "fuzz", set) {
            Ok(scenario) => {
                let again = Scenario::read(scenario.resolved_toml().as_bytes(), "again", &[]);
                let again = again.unwrap_or_else(|problems| panic!("{}", units::listing(&problems)));
                assert_eq!(again.resolved_toml(), scenario.resolved_toml());
                assert_eq!(again.plan(), scenario.plan());
            }
            Err(problems) => assert!(!problems.is_empty(), "a scenario is refused for a reason"),
        }
    }
}

#[test]
fn the_reader_survives_any_input() {
    let mut corpus = vec![sample::dynamic().into_bytes(), crate::numbered::NUMBERED.as_bytes().to_vec()];
    corpus.extend([crate::classes::CLASSES.as_bytes().to_vec(), crate::paging::paging().into_bytes()]);
    corpus.extend(
        [sample::SAMPLE, sample::DOMAINS, sample::QUEUES, sample::ZVM, sample::SPIN]
            .map(|text| text.as_bytes().to_vec()),
    );
    corpus.extend(starters().iter().filter_map(|(kind, _)| starter(kind).ok()).map(|text| text.as_bytes().to_vec()));
    let resolved =
        [sample::SAMPLE, sample::ZVM, sample::SPIN].map(|text| sample::read(text).resolved_toml().as_bytes().to_vec());
    corpus.extend(resolved);
    let mut mutator = Mutator::new(5).corpus(corpus).dictionary(TOKENS);
    fuzz::run(&mut mutator, Bound::or_from_environment(1_500), check);
}
