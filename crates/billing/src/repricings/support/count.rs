//! The counts of a repricing before it is made.

use std::collections::BTreeMap;

use pavise_kernel::{Call, Result};

use super::cohort::{CohortResult, judge_subscription};
use super::pages::list_subscriptions;
use crate::contract::v1::{Repricing, RepricingPreview, RepricingSkipCount, Subscription};

/// The most subscriptions that are read for one answer.
const MOST_COUNTED: usize = 10_000;

/// Counts the subscriptions of a repricing by their results, page by page.
///
/// # Errors
/// When the database does not answer.
pub(in crate::repricings) async fn count_cohort(call: &Call, terms: &Repricing) -> Result<RepricingPreview> {
    let mut preview = RepricingPreview::default();
    let mut skips: BTreeMap<i32, i32> = BTreeMap::new();
    let (mut before, mut read) = (String::new(), 0_usize);
    loop {
        let rows = list_subscriptions(call.kernel(), terms, &before).await?;
        let Some(last) = rows.last() else { break };
        if read >= MOST_COUNTED {
            preview.is_capped = true;
            break;
        }
        before.clone_from(&last.id);
        read += rows.len();
        let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
        let page: Vec<Subscription> = call.find_many(&ids).await?;
        for subscription in &page {
            match judge_subscription(subscription, terms) {
                CohortResult::Outside => continue,
                CohortResult::Skipped(reason) => *skips.entry(reason.into()).or_default() += 1,
                CohortResult::Matching => preview.matching += 1,
            }
            preview.found += 1;
        }
    }
    preview.skips = skips.into_iter().map(|(reason, count)| RepricingSkipCount { reason, count }).collect();
    Ok(preview)
}
