//! Shows the draft of an entry to everybody.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::completeness::check_complete;
use super::support::draft::load_type;
use crate::contract::v1::{ContentEntry, ContentEntryStatus, PublishContentEntryRequest};

impl CheckRequest<PublishContentEntryRequest> for ContentEntry {
    async fn check_request(call: &Call, entry: Option<&Self>, _request: &PublishContentEntryRequest) -> Result<()> {
        let entry = entry.ok_or_else(|| Error::internal("there is no entry to publish"))?;
        let of = load_type(call, entry).await?;
        check_complete(call, &of, entry).await
    }
}

impl Edit<PublishContentEntryRequest> for ContentEntry {
    fn edit(&mut self, _request: &PublishContentEntryRequest, context: &EditContext) -> Result<()> {
        if self.status() == ContentEntryStatus::Published && self.published == self.draft {
            return Ok(());
        }
        self.published.clone_from(&self.draft);
        self.published_at = Some(context.timestamp());
        self.set_status(ContentEntryStatus::Published);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ContentValue;

    #[test]
    fn a_repeat_publishes_nothing_anew() {
        let draft = vec![ContentValue { text: "x".to_owned(), ..ContentValue::default() }];
        let mut entry = ContentEntry { draft: draft.clone(), ..ContentEntry::default() };
        let publish = |entry: &mut ContentEntry, at| {
            entry.edit(&PublishContentEntryRequest::default(), &EditContext::at(at)).unwrap();
        };
        publish(&mut entry, 1_000_000);
        assert_eq!((entry.status(), &entry.published), (ContentEntryStatus::Published, &draft));
        let first = entry.clone();
        publish(&mut entry, 2_000_000);
        assert_eq!(entry, first);
        entry.draft.clear();
        publish(&mut entry, 3_000_000);
        assert!(entry.published.is_empty() && entry.published_at != first.published_at);
    }
}
