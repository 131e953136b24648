//! Resources of published copies, followed to the entries that they name.

use std::collections::BTreeSet;

use pavise_kernel::{Call, Result};

use super::draft::list_targets;
use crate::contract::v1::{ContentEntry, ContentEntryStatus, ExpandedEntry};

/// The most entries that an answer is expanded by.
const MOST: usize = 200;

/// The published entries that entries lead to, up to some entries deep, each once. Drafts are never among them.
///
/// # Errors
/// When the database does not answer.
pub(in crate::content) async fn expand_entries(
    call: &Call,
    entries: &[ContentEntry],
    depth: i32,
) -> Result<Vec<ExpandedEntry>> {
    let mut seen: BTreeSet<String> = entries.iter().map(|entry| entry.id.clone()).collect();
    let mut next: Vec<String> = Vec::new();
    let mut found: Vec<ExpandedEntry> = Vec::new();
    note_targets(entries.iter().map(|entry| entry.published.as_slice()), &mut seen, &mut next);
    for _ in 0..depth {
        next.truncate(MOST - found.len());
        if next.is_empty() {
            break;
        }
        let read: Vec<ContentEntry> = call.find_many(&next).await?;
        next.clear();
        let shown = read.into_iter().filter(|entry| entry.status() == ContentEntryStatus::Published);
        let level: Vec<ExpandedEntry> = shown.map(build_expanded).collect();
        note_targets(level.iter().map(|entry| entry.published.as_slice()), &mut seen, &mut next);
        found.extend(level);
    }
    Ok(found)
}

/// Notes the entries that values name and that are not seen yet.
fn note_targets<'v>(
    values: impl Iterator<Item = &'v [crate::contract::v1::ContentValue]>,
    seen: &mut BTreeSet<String>,
    next: &mut Vec<String>,
) {
    let targets = values.flat_map(list_targets);
    next.extend(targets.filter(|id| seen.insert((*id).to_owned())).map(str::to_owned));
}

fn build_expanded(entry: ContentEntry) -> ExpandedEntry {
    let ContentEntry { id, type_id, key, published, published_at, .. } = entry;
    ExpandedEntry { id, type_id, key, published, published_at }
}
