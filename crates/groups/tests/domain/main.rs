//! The served domain: its calls over REST and its workers, on real databases of both engines.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod cancelling;
mod dividing;
mod enrolling;
mod invariants;
mod launches;
mod life_of_a_group;
mod migrating;
mod roles;
mod scene;
