//! Many sales: their number a second on a running server, and their duration.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Serialize;
use tokio::task::JoinSet;

use super::sale;
use crate::domains;
use crate::wire::{Client, Surface};

/// The speed of the sales.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sold {
    /// Whole sales a second, from the price to the entitlements, with a declined card on the way.
    pub(super) per_second: f64,
    /// The median duration, in microseconds.
    pub(super) p50_us: f64,
    /// The 99th percentile of the duration, in microseconds.
    pub(super) p99_us: f64,
}

impl fmt::Display for Sold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [middle, slow] = [self.p50_us, self.p99_us].map(|micros| micros / 1_000.0);
        write!(
            f,
            "{:.1} sales a second; one takes {middle:.0} ms, one of a hundred more than {slow:.0} ms",
            self.per_second
        )
    }
}

/// Repeats the story of a sale over REST, `buyers` at once; a sale that has begun is completed.
///
/// # Errors
/// When anything is not as it should be.
pub(super) async fn sell(server: &str, buyers: u32, span: Duration) -> anyhow::Result<Sold> {
    let client = Client::new(server, Surface::Rest, &domains::pool(false)?)?;
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..buyers {
        let client = client.clone();
        tasks.spawn(async move {
            let mut times = Vec::new();
            while began.elapsed() < span {
                let before = Instant::now();
                sale::tell_with(client.clone(), |_| ()).await?;
                times.push(before.elapsed());
            }
            anyhow::Ok(times)
        });
    }
    let mut times = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.extend(done??);
    }
    let elapsed = began.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).map(|time| time.as_secs_f64() * 1e6);
    Ok(Sold {
        per_second: f64::from(u32::try_from(times.len())?) / elapsed,
        p50_us: at(50).context("nothing was sold")?,
        p99_us: at(99).context("nothing was sold")?,
    })
}
