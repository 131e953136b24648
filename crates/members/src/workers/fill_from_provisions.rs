//! `members.fill_from_provisions`: fills the profiles of the people on a plan, once they have identities.

use pavise_kernel::common::v1::{JournalEntry, PersonName};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::feeds;
use crate::contract::fulfillment::{Provision, ProvisionAuthorizedUser, ProvisionStatus};
use crate::contract::v1::profile_service_client::ProfileServiceClient;
use crate::contract::v1::{FillProfileRequest, ProfileEmail, ProfilePhoneNumber};

/// The worker.
#[derive(Debug)]
pub(crate) struct FillFromProvisions;

#[async_trait]
impl Worker for FillFromProvisions {
    fn name(&self) -> &'static str {
        "members.fill_from_provisions"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PROVISION
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let provision = worker::decode_entity::<Provision>(entry)?;
        let done = provision.filter(|one| has_people(entry, one));
        let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
        for (request, step) in done.iter().flat_map(|one| &one.authorized_users).filter_map(build_request) {
            profiles.fill_profile(work.new_request(request, &step)).await?;
        }
        Ok(())
    }
}

/// Whether the people on the provision have their identities by this entry, or had them when it came from elsewhere.
pub(super) fn has_people(entry: &JournalEntry, provision: &Provision) -> bool {
    let was_made_so = entry.version == 1 && provision.status() == ProvisionStatus::Completed;
    !entry.removed && (was_made_so || provision.status() == ProvisionStatus::IdentitiesAdded)
}

/// The request with what the buyer said of a person, and its step; `None` for one without an identity.
fn build_request(person: &ProvisionAuthorizedUser) -> Option<(FillProfileRequest, String)> {
    if person.identity_id.is_empty() {
        return None;
    }
    let name = PersonName {
        first_name: person.first_name.clone(),
        last_name: person.last_name.clone(),
        ..PersonName::default()
    };
    let email = ProfileEmail { address: person.email.clone(), ..Default::default() };
    let phone = ProfilePhoneNumber { number: person.phone.clone(), ..Default::default() };
    let request = FillProfileRequest {
        identity_id: person.identity_id.clone(),
        name: Some(name).filter(|name| !name.first_name.is_empty() && !name.last_name.is_empty()),
        emails: Some(email).filter(|email| !email.address.is_empty()).into_iter().collect(),
        phone_numbers: Some(phone).filter(|phone| is_phone(&phone.number)).into_iter().collect(),
        date_of_birth: person.birth_date,
        ..FillProfileRequest::default()
    };
    Some((request, person.id.clone()))
}

/// Whether a text of a provision, which may be any, is a telephone number.
fn is_phone(text: &str) -> bool {
    use pavise_kernel::values::{Format, to_normal_form};
    !text.is_empty() && to_normal_form(Format::Phone, text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_without_an_identity_waits_and_a_text_is_no_number() {
        let person = ProvisionAuthorizedUser {
            id: "1".into(),
            first_name: "Ben".into(),
            last_name: "Lee".into(),
            phone: "ask his mother".into(),
            ..Default::default()
        };
        assert_eq!(build_request(&person), None);
        let (request, step) = build_request(&ProvisionAuthorizedUser { identity_id: "ben".into(), ..person }).unwrap();
        assert!(request.phone_numbers.is_empty() && request.emails.is_empty());
        assert_eq!((request.identity_id.as_str(), step.as_str()), ("ben", "1"));
    }
}
