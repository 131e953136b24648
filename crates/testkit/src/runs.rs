//! The amount of a test that is run: the short form, all of it, or one failed seed.

use std::panic::{RefUnwindSafe, catch_unwind, resume_unwind};

/// Whether to run at length: `PAVISE_LONG=1`.
#[must_use]
pub fn is_long_run() -> bool {
    std::env::var_os("PAVISE_LONG").is_some_and(|value| value == "1")
}

/// The first in a quick run, the second at length.
#[must_use]
pub fn run_size(quick: usize, at_length: usize) -> usize {
    if is_long_run() { at_length } else { quick }
}

/// The seed that is to run alone: `PAVISE_SEED=17`.
#[must_use]
pub fn only_seed() -> Option<u64> {
    std::env::var("PAVISE_SEED").ok()?.parse().ok()
}

/// Runs a simulation under the requested seed, or under so many seeds, and answers the results. The seeds are printed
/// at the start, so that an endless run can be repeated; a failing seed is printed as well.
pub fn under_seeds<T>(count: usize, simulate: impl Fn(u64) -> T + RefUnwindSafe) -> Vec<T> {
    let many = u64::try_from(count).unwrap_or(u64::MAX);
    let seeds = only_seed().map_or(1..=many, |seed| seed..=seed);
    println!("seeds {}..={}; PAVISE_SEED=… runs one alone", seeds.start(), seeds.end());
    let run = |seed| {
        catch_unwind(|| simulate(seed)).unwrap_or_else(|_| {
            // Printed here, because a resumed panic has no message.
            println!("seed {seed} failed: PAVISE_SEED={seed} runs it alone");
            resume_unwind(Box::new("a seed failed"));
        })
    };
    seeds.map(run).collect()
}
