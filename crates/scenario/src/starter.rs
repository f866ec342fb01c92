//! Starter scenarios: small, complete, commented files to begin from; their first line says what they are.

use units::Problem;

static STARTERS: [(&str, &str); 18] = [
    ("pool", include_str!("../../../scenarios/pool.toml")),
    ("two-pools", include_str!("../../../scenarios/two-pools.toml")),
    ("site-zvm", include_str!("../../../scenarios/site-zvm.toml")),
    ("site-zos", include_str!("../../../scenarios/site-zos.toml")),
    ("day", include_str!("../../../scenarios/day.toml")),
    ("dynamics", include_str!("../../../scenarios/dynamics.toml")),
    ("full-channel", include_str!("../../../scenarios/full-channel.toml")),
    ("two-domains", include_str!("../../../scenarios/two-domains.toml")),
    ("message-regions", include_str!("../../../scenarios/message-regions.toml")),
    ("ims-call-profile", include_str!("../../../scenarios/ims-call-profile.toml")),
    ("prsm-three-lpars", include_str!("../../../scenarios/prsm-three-lpars.toml")),
    ("container-limits", include_str!("../../../scenarios/container-limits.toml")),
    ("zvm", include_str!("../../../scenarios/zvm.toml")),
    ("apache-spin", include_str!("../../../scenarios/apache-spin.toml")),
    ("enq-exits", include_str!("../../../scenarios/enq-exits.toml")),
    ("pav", include_str!("../../../scenarios/pav.toml")),
    ("mm1", include_str!("../../../scenarios/mm1.toml")),
    ("mmc", include_str!("../../../scenarios/mmc.toml")),
];

/// The kinds of starters, each with what it is.
pub fn starters() -> Vec<(&'static str, &'static str)> {
    STARTERS.iter().map(|(kind, text)| (*kind, first_line(text))).collect()
}

/// The starter of a kind.
pub fn starter(kind: &str) -> Result<&'static str, Vec<Problem>> {
    if let Some((_, text)) = STARTERS.iter().find(|(name, _)| *name == kind) {
        return Ok(text);
    }
    let kinds = || STARTERS.iter().map(|(name, _)| *name);
    let shown = crate::text::clip(kind);
    let likeness = |name: &str| strsim::normalized_damerau_levenshtein(&shown.to_lowercase(), name);
    let nearest = kinds().rev().filter(|name| likeness(name) >= 0.4).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    Err(vec![Problem::new(format!("no starter is called `{shown}`")).allowed(kinds()).nearest(nearest)])
}

fn first_line(text: &'static str) -> &'static str {
    text.lines().next().unwrap_or_default().trim_start_matches("# ")
}
