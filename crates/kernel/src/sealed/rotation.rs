//! Rewraps data keys after a change of the master key.

use super::keys::{Keys, unanswered};
use crate::error::{Error, Result};
use crate::port::key_store::WrappedKey;

/// Keys that are rewrapped at once.
const PAGE: u32 = 500;

impl Keys {
    /// Wraps with the first master key what the second one has wrapped, while calls go on: the data keys stay the same.
    /// `progress` gets the number after each page. Answers the number of rewrapped keys.
    ///
    /// # Errors
    /// When the key database does not answer, or a third master key has wrapped a key.
    pub async fn rewrap_keys(&self, progress: impl Fn(u64)) -> Result<u64> {
        let mut done = 0;
        // Processes that still wrap with the other key may add some meanwhile.
        loop {
            let before = done;
            let mut after = String::new();
            loop {
                let page = self.store.wrapped_otherwise(self.masters.id(), &after, PAGE).await;
                let page = page.map_err(unanswered)?;
                let Some(last) = page.last() else { break };
                after.clone_from(&last.name);
                let pairs: Option<Vec<_>> = page.into_iter().map(|old| self.rewrap_key(old)).collect();
                let pairs = pairs.ok_or_else(|| Error::internal("a third --key-secret has wrapped a data key"))?;
                done += self.store.rewrap(&pairs).await.map_err(unanswered)?;
                progress(done);
            }
            if done == before {
                return Ok(done);
            }
        }
    }

    fn rewrap_key(&self, old: WrappedKey) -> Option<(WrappedKey, WrappedKey)> {
        let bytes = self.masters.unwrap(&old)?;
        let new = self.masters.wrap(&old.name, &bytes, &self.ids, old.at)?;
        Some((old, new))
    }
}
