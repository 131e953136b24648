//! Consequences of a change of a profile: what was said of messages to an address holds for the profile that gets it.

use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Consequences, Result, Step, email};

use super::support::preferences::set_preferences;
use crate::contract::lookups::contact_preference as lookups;
use crate::contract::v1::{CommunicationPreference, ContactPreference, Profile};
use crate::shared::found::find_by;

/// The most preferences of one address that are read.
const MOST: u32 = 100;

impl Consequences for Profile {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Some(after) = &step.after else { return Ok(()) };
        let preferences = find_of_new_addresses(call, step.before.as_ref(), after).await?;
        if let Some(after) = step.after.as_mut().filter(|_| !preferences.is_empty()) {
            set_preferences(&mut after.communication_preferences, preferences, call.timestamp());
        }
        Ok(())
    }
}

/// Choices about messages to the addresses that a profile gets.
pub(super) async fn find_of_new_addresses(
    call: &Call,
    before: Option<&Profile>,
    after: &Profile,
) -> Result<Vec<CommunicationPreference>> {
    let had = |address: &str| {
        before.is_some_and(|before| before.emails.iter().any(|email| email::is_same(&email.address, address)))
    };
    let mut found = Vec::new();
    for item in after.emails.iter().filter(|item| !had(&item.address)) {
        found.extend(find_of_address(call, &email::fold_address(&item.address)).await?);
    }
    Ok(found)
}

async fn find_of_address(call: &Call, address: &str) -> Result<Vec<CommunicationPreference>> {
    let filter = Filter { limit: MOST, ..Filter::default() };
    let all: Vec<ContactPreference> = find_by(call, lookups::ADDRESS, address, filter).await?;
    Ok(all.into_iter().filter_map(|one| one.preference).collect())
}
