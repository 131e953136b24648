//! The service `identity_merge`: two identities of one person become one, and are taken apart again.
//!
//! A call only starts a merge. Each domain runs a worker that reads the journal of merges, hands over what the domain keeps
//! for the merged identity, and reports to the record: one processor for each kind of thing. It first records what it
//! found, then moves it with calls that have the effect of one however often they are made, so that a process killed
//! anywhere goes on where it was. The worker `ProcessorWaking` wakes a processor that waits. The names to sign in with go over last:
//! The worker `NameMerging` moves them.

mod consequences;
mod merge_identity;
mod names;
mod pair;
mod plan;
mod preview;
mod processors;
mod rules;
mod state;
mod unmerge_identity;
mod update_processor_status;

pub(crate) use merge_identity::merge_identity;
pub(crate) use names::{count_names, load_running, moved_names};
pub(crate) use pair::{free, standing};
pub(crate) use processors::{IDENTITIES, WORKER};
pub(crate) use state::Merges;
pub(crate) use unmerge_identity::unmerge_identity;
pub(crate) use update_processor_status::update_processor_status;
