//! The fields of a type change only if its entries fit them.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::support::completeness::add_missing;
use super::support::fit::check_values;
use crate::contract::lookups::content_entry as lookups;
use crate::contract::v1::{ContentEntry, ContentEntryStatus, ContentType, ErrorReason};
use crate::shared::violations::Violations;

/// The most entries that a refusal names.
const MOST_NAMED: usize = 20;

impl Consequences for ContentType {
    async fn follow(_call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let (Some(before), Some(after)) = (&step.before, &step.after) else { return Ok(()) };
        if before.fields == after.fields {
            return Ok(());
        }
        let entries: Vec<ContentEntry> = step.unit.expects_by(lookups::TYPE_ID, &after.id).await?;
        let mut wrong = Violations::default();
        let unfit = entries.iter().filter_map(|entry| find_unfit(after, entry).map(|why| (entry, why)));
        for (entry, why) in unfit.take(MOST_NAMED) {
            wrong.add(format!("entries[{}]", entry.id), format!("{}: {why}", entry.key));
        }
        wrong.refuse_as(ErrorReason::ContentTypeInUse, "entries do not fit the new fields")
    }
}

/// Why an entry does not fit a type, if it does not.
fn find_unfit(of: &ContentType, entry: &ContentEntry) -> Option<String> {
    let mut wrong = Violations::default();
    check_values(of, &entry.draft, |at| format!("draft[{at}]."), &mut wrong);
    if entry.status() == ContentEntryStatus::Published {
        check_values(of, &entry.published, |at| format!("published[{at}]."), &mut wrong);
        of.fields.iter().for_each(|field| add_missing(field, &entry.published, &mut wrong));
    }
    let error = wrong.into_result().err()?;
    let first = error.violations().first()?;
    Some(format!("{} {}", first.field, first.description))
}
