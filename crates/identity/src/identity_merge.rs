//! The service `identity_merge`: two identities of one person become one, and are taken apart again.
//!
//! A call only starts a merge. Each domain runs a worker that reads the journal of merges. It hands over the domain's
//! records of the merged identity and reports: one processor for each kind of record. It first records what it found
//! and then moves it with idempotent calls, so that a killed process can go on. The worker `ProcessorWaking` wakes a
//! processor that waits. The worker `NameMerging` moves the names last.

mod consequences;
mod merge_identity;
mod rules;
pub(crate) mod support;
mod unmerge_identity;
mod update_processor_status;

pub(crate) use merge_identity::merge_identity;
pub(crate) use support::names::{count_names, load_running, moved_names};
pub(crate) use support::pair::{check_free, load_standing};
pub(crate) use support::processors::{IDENTITIES, KEY_NAME};
pub(crate) use support::state::Merges;
pub(crate) use unmerge_identity::unmerge_identity;
pub(crate) use update_processor_status::update_processor_status;
