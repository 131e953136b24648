//! The demonstration's part of members: what its own member said of themselves, somebody who died, somebody whose data were
//! erased, and a relation that is over. The platform makes the profiles and the relations of all members from their stories.

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Date, PersonName};
use pavise_kernel::worker::Work;
use tonic::Request;

use crate::contract::identity::ListIdentitiesRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::profile_service_client::ProfileServiceClient;
use crate::contract::v1::relation_service_client::RelationServiceClient;
use crate::contract::v1::{
    CreateProfileRequest, CreateRelationRequest, FillProfileRequest, ProfileEmail, RedactPersonalInformationRequest,
    RelationKind, RemoveRelationRequest, UpdateCommunicationPreferenceRequest, UpdateDateOfDeathRequest,
    UpdateMarketingOptInRequest, UpdatePronounsRequest, UpdateTermsOfServiceRequest,
};

/// The address of the demonstration's member.
const MEMBER: &str = "member@demo.pavise.example";
/// Where they said it, and the version of the words.
const SOURCE: &str = "sign-up";
const WORDING: &str = "2026-01";

/// The identities of somebody who died and of somebody whose data were erased: nobody signs in with them.
const DECEASED: &str = "70000000-0000-4000-8000-000000000002";
const ERASED: &str = "70000000-0000-4000-8000-000000000003";

/// Makes what is not there yet.
pub(crate) async fn load_members(work: &Work) -> Result<()> {
    load_deceased(work).await?;
    load_erased(work).await?;
    let ask = ListIdentitiesRequest { email: MEMBER.to_owned(), page_size: 1, ..ListIdentitiesRequest::default() };
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let found = identities.list_identities(Request::new(ask)).await?.into_inner().identities.into_iter().next();
    let Some(identity_id) = found.map(|identity| identity.id) else { return Ok(()) };
    load_removed_relation(work, &identity_id).await?;
    load_profile(work, identity_id).await
}

/// A profile of somebody who has no plan.
fn build_profile(identity_id: &str, first: &str, last: &str, born: i32) -> CreateProfileRequest {
    let name = PersonName { first_name: first.to_owned(), last_name: last.to_owned(), ..PersonName::default() };
    let address = format!("{first}.{last}@members.pavise.example").to_lowercase();
    CreateProfileRequest {
        identity_id: identity_id.to_owned(),
        name: Some(name),
        emails: vec![ProfileEmail { address, ..ProfileEmail::default() }],
        date_of_birth: Some(Date { year: born, month: 5, day: 17 }),
        ..CreateProfileRequest::default()
    }
}

/// Somebody who died.
async fn load_deceased(work: &Work) -> Result<()> {
    let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
    let made = build_profile(DECEASED, "Harold", "Whitcomb", 1941);
    let made = profiles.create_profile(work.new_request(made, "the deceased")).await;
    work.skip_refused(made, "the deceased")?;
    let died = Some(Date { year: 2025, month: 11, day: 2 });
    let died = UpdateDateOfDeathRequest { identity_id: DECEASED.to_owned(), date_of_death: died };
    let died = profiles.update_date_of_death(work.new_request(died, "a death")).await;
    work.skip_refused(died, "a death")?;
    Ok(())
}

/// Somebody whose data were erased: what is left is the receipt.
async fn load_erased(work: &Work) -> Result<()> {
    let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
    let made = build_profile(ERASED, "Edna", "Merriweather", 1958);
    let made = profiles.create_profile(work.new_request(made, "the erased")).await;
    work.skip_refused(made, "the erased")?;
    let reason = "asked by letter on 2 March".to_owned();
    let redact = RedactPersonalInformationRequest { identity_id: ERASED.to_owned(), reason };
    let redacted = profiles.redact_personal_information(work.new_request(redact, "an erasure")).await;
    work.skip_refused(redacted, "an erasure")?;
    Ok(())
}

/// A relation of the member that is over. It is no family: the platform makes that of the people on plans.
async fn load_removed_relation(work: &Work, identity_id: &str) -> Result<()> {
    let mut relations = RelationServiceClient::new(work.peer_channel("members"));
    let request = CreateRelationRequest {
        identity_id: identity_id.to_owned(),
        r#type: RelationKind::Associate.into(),
        alias: "Book club".to_owned(),
        ..CreateRelationRequest::default()
    };
    let made = relations.create_relation(work.new_request(request, "a relation")).await;
    let Some(made) = work.skip_refused(made, "a relation")? else { return Ok(()) };
    let relation_id = made.into_inner().id;
    let request = RemoveRelationRequest { identity_id: identity_id.to_owned(), relation_id };
    let removed = relations.remove_relation(work.new_request(request, "its end")).await;
    work.skip_refused(removed, "its end")?;
    Ok(())
}

/// Fills in what the member said of themselves.
async fn load_profile(work: &Work, identity_id: String) -> Result<()> {
    let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
    let fill = FillProfileRequest { identity_id: identity_id.clone(), ..FillProfileRequest::default() };
    let filled = profiles.fill_profile(work.new_request(fill, "profile")).await;
    let Some(profile) = work.skip_refused(filled, "profile")?.map(tonic::Response::into_inner) else { return Ok(()) };
    if profile.terms_of_service.is_some() {
        return Ok(());
    }
    let pronouns = UpdatePronounsRequest { identity_id: identity_id.clone(), pronouns: "she/her".to_owned() };
    work.skip_refused(profiles.update_pronouns(work.new_request(pronouns, "pronouns")).await, "pronouns")?;
    let newsletter = UpdateCommunicationPreferenceRequest {
        identity_id: identity_id.clone(),
        key: "newsletter".to_owned(),
        allowed: true,
        source: SOURCE.to_owned(),
        ..UpdateCommunicationPreferenceRequest::default()
    };
    let newsletter = work.new_request(newsletter, "newsletter");
    work.skip_refused(profiles.update_communication_preference(newsletter).await, "newsletter")?;
    let marketing = UpdateMarketingOptInRequest {
        identity_id: identity_id.clone(),
        given: true,
        source: SOURCE.to_owned(),
        wording_version: WORDING.to_owned(),
    };
    work.skip_refused(profiles.update_marketing_opt_in(work.new_request(marketing, "marketing")).await, "marketing")?;
    let terms = UpdateTermsOfServiceRequest {
        identity_id,
        given: true,
        source: SOURCE.to_owned(),
        wording_version: WORDING.to_owned(),
    };
    work.skip_refused(profiles.update_terms_of_service(work.new_request(terms, "terms")).await, "terms")?;
    Ok(())
}
