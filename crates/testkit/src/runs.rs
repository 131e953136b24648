//! How much of a test is run: a little, all of it, or what failed.

use std::panic::{RefUnwindSafe, catch_unwind, resume_unwind};

/// Whether to run at length: `PAVISE_LONG=1`.
#[must_use]
pub fn long() -> bool {
    std::env::var_os("PAVISE_LONG").is_some_and(|value| value == "1")
}

/// The first in a quick run, the second at length.
#[must_use]
pub fn size(quick: usize, at_length: usize) -> usize {
    if long() { at_length } else { quick }
}

/// The seed that is to run alone: `PAVISE_SEED=17`.
#[must_use]
pub fn seed() -> Option<u64> {
    std::env::var("PAVISE_SEED").ok()?.parse().ok()
}

/// Runs a simulation under the seed that is asked for, or under so many; what each came to. Which seeds these are is said
/// at the start, so that a run that never ends can be repeated, too, and with which it failed.
pub fn under_seeds<T>(count: usize, simulate: impl Fn(u64) -> T + RefUnwindSafe) -> Vec<T> {
    let many = u64::try_from(count).unwrap_or(u64::MAX);
    let seeds = seed().map_or(1..=many, |seed| seed..=seed);
    println!("seeds {}..={}; PAVISE_SEED=… runs one alone", seeds.start(), seeds.end());
    let run = |seed| {
        catch_unwind(|| simulate(seed)).unwrap_or_else(|_| {
            // Here, because nobody says what a resumed panic carries.
            println!("seed {seed} failed: PAVISE_SEED={seed} runs it alone");
            resume_unwind(Box::new("a seed failed"));
        })
    };
    seeds.map(run).collect()
}
