//! `members.make_profiles`: makes a profile for each identity of a person, and removes it with the identity.

use pavise_kernel::common::v1::{ClassicIdType, JournalEntry};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};

use crate::contract::actions::identity_audit as actions;
use crate::contract::feeds;
use crate::contract::identity::{Identity, IdentityRealm};
use crate::contract::v1::profile_service_client::ProfileServiceClient;
use crate::contract::v1::{
    AccountIdentifier, AccountIdentifierType, DeleteProfileRequest, FillProfileRequest, ProfileEmail,
};

/// The actions that bring something which a profile has, too.
const ACTIONS: [&str; 6] = [
    actions::CREATED,
    actions::EMAIL_ADDED,
    actions::EMAIL_UPDATED,
    actions::EMAIL_PROVED,
    actions::CLASSIC_ID_ADDED,
    actions::UNMERGED,
];

/// The worker. It begins with the first identity, so that those from before it get their profiles, too.
#[derive(Debug)]
pub(crate) struct MakeProfiles;

#[async_trait]
impl Worker for MakeProfiles {
    fn name(&self) -> &'static str {
        "members.make_profiles"
    }

    fn feed(&self) -> JournalFeed {
        feeds::IDENTITIES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(identity) = worker::decode_entity::<Identity>(entry)? else { return Ok(()) };
        let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
        if entry.removed {
            let request = DeleteProfileRequest { identity_id: identity.id };
            return match profiles.delete_profile(work.new_request(request, "delete")).await.map_err(Error::from) {
                Err(error) if error.is(Common::NotFound) => Ok(()),
                other => other.map(drop),
            };
        }
        if !is_person(&identity) || entry.version > 1 && !ACTIONS.contains(&entry.action.as_str()) {
            return Ok(());
        }
        profiles.fill_profile(work.new_request(build_request(identity), "fill")).await?;
        Ok(())
    }
}

/// Programs have no profiles, and one that was merged into another needs none.
fn is_person(identity: &Identity) -> bool {
    identity.realm() != IdentityRealm::Machine && identity.merged.is_none()
}

fn build_request(identity: Identity) -> FillProfileRequest {
    let emails = identity.emails.into_iter().map(|email| ProfileEmail { address: email.address, ..Default::default() });
    let numbers = identity.classic_ids.into_iter().filter_map(|number| {
        let kind = match number.r#type() {
            ClassicIdType::Member => AccountIdentifierType::Member,
            ClassicIdType::Associate => AccountIdentifierType::Associate,
            _ => return None,
        };
        Some(AccountIdentifier { r#type: kind.into(), value: number.value, ..Default::default() })
    });
    FillProfileRequest {
        identity_id: identity.id,
        locale: identity.settings.map(|settings| settings.locale).unwrap_or_default(),
        emails: emails.collect(),
        account_identifiers: numbers.collect(),
        ..FillProfileRequest::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::identity::{Email, LinkedClassicId};

    #[test]
    fn addresses_and_numbers_of_an_identity_are_those_of_its_profile() {
        let identity = Identity {
            id: "ada".into(),
            emails: vec![Email { address: "ada@example.com".into(), ..Email::default() }],
            classic_ids: vec![LinkedClassicId {
                r#type: ClassicIdType::Member.into(),
                value: "12345".into(),
                ..LinkedClassicId::default()
            }],
            ..Identity::default()
        };
        let request = build_request(identity);
        assert_eq!(request.emails.first().unwrap().address, "ada@example.com");
        assert_eq!(request.account_identifiers.first().unwrap().value, "12345");
    }
}
