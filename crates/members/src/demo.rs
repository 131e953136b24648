//! The demonstration's part of members: what its own member said of themselves. The platform makes the profiles and the
//! relations of all members from their stories.

use pavise_kernel::Result;
use pavise_kernel::worker::Work;
use tonic::Request;

use crate::contract::identity::ListIdentitiesRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::profile_service_client::ProfileServiceClient;
use crate::contract::v1::{
    FillProfileRequest, UpdateCommunicationPreferenceRequest, UpdateMarketingOptInRequest, UpdatePronounsRequest,
    UpdateTermsOfServiceRequest,
};

/// The address of the demonstration's member.
const MEMBER: &str = "member@demo.pavise.example";
/// Where they said it, and the version of the words.
const SOURCE: &str = "sign-up";
const WORDING: &str = "2026-01";

/// Makes what is not there yet.
pub(crate) async fn load_profile(work: &Work) -> Result<()> {
    let ask = ListIdentitiesRequest { email: MEMBER.to_owned(), page_size: 1, ..ListIdentitiesRequest::default() };
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let found = identities.list_identities(Request::new(ask)).await?.into_inner().identities.into_iter().next();
    let Some(identity_id) = found.map(|identity| identity.id) else { return Ok(()) };
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
