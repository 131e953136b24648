//! One process loads at a time.

use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use pavise_kernel::Kernel;
use pavise_kernel::store::{Cursor, Store};
use tokio::task::JoinHandle;

/// The duration of a lease that is not renewed, and so the wait of a start after a kill.
const LASTS: Duration = Duration::from_secs(5);
/// The interval of renewals, and of requests while another process has the lease.
const BEAT: Duration = Duration::from_secs(1);

/// The right to load, renewed until it is dropped.
pub(crate) struct Lease {
    store: Arc<dyn Store>,
    name: &'static str,
    holder: String,
    beat: JoinHandle<()>,
}

impl Lease {
    /// Waits until no other process has the lease.
    pub(crate) async fn take(kernel: &Kernel, name: &'static str) -> anyhow::Result<Self> {
        let holder = kernel.ids().next(kernel.machine_clock().now());
        let mut told = false;
        while !renew(kernel, name, &holder).await? {
            if !told {
                eprintln!("Another process loads the demonstration's data, or did until a moment ago: waiting for it");
                told = true;
            }
            tokio::time::sleep(BEAT).await;
        }
        let (beating, mine) = (kernel.clone(), holder.clone());
        let beat = tokio::spawn(async move {
            loop {
                tokio::time::sleep(BEAT).await;
                if let Err(error) = renew(&beating, name, &mine).await {
                    tracing::warn!(cause = %error, "the lease of the demonstration's data was not renewed");
                }
            }
        });
        Ok(Self { store: kernel.store().clone(), name, holder, beat })
    }

    /// Keeps the progress.
    pub(crate) async fn advance(&self, place: Cursor) -> anyhow::Result<()> {
        let held = self.store.advance(self.name, &self.holder, &place, &[]).await?;
        ensure!(held, "another process has begun to load the demonstration's data");
        Ok(())
    }

    /// Gives the lease back.
    pub(crate) async fn release(self) -> anyhow::Result<()> {
        self.beat.abort();
        Ok(self.store.release(self.name, &self.holder).await?)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.beat.abort();
    }
}

async fn renew(kernel: &Kernel, name: &str, holder: &str) -> anyhow::Result<bool> {
    Ok(kernel.store().lease(name, holder, LASTS).await?)
}
