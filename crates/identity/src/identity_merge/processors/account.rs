//! What this domain keeps beside the identities: states of the apps, and applications that act for an identity.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::worker::Work;

use super::{Handover, PAGE, Processor, every};
use crate::contract::v1::application_service_client::ApplicationServiceClient;
use crate::contract::v1::user_state_service_client::UserStateServiceClient;
use crate::contract::v1::{
    ChangeApplicationOwnerRequest, ChangeUserStateOwnerRequest, ListApplicationsRequest, ListUserStatesRequest, UserStateStatus,
};

#[derive(Debug)]
pub(super) struct UserStates;

#[async_trait]
impl Processor for UserStates {
    fn name(&self) -> &'static str {
        "user_state"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListUserStatesRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = UserStateServiceClient::new(work.peer("identity")).list_user_states(request).await?.into_inner();
            let kept = page.user_states.into_iter().filter(|state| state.status() != UserStateStatus::Deleted);
            Ok((kept.map(|state| state.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangeUserStateOwnerRequest {
            identity_id: thing.from.to_owned(),
            user_state_id: thing.id.to_owned(),
            new_owner_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("user_state {}", thing.id));
        UserStateServiceClient::new(work.peer("identity")).change_user_state_owner(request).await?;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct Applications;

#[async_trait]
impl Processor for Applications {
    fn name(&self) -> &'static str {
        "applications"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListApplicationsRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = ApplicationServiceClient::new(work.peer("identity")).list_applications(request).await?.into_inner();
            Ok((page.applications.into_iter().map(|application| application.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let request = ChangeApplicationOwnerRequest {
            identity_id: thing.from.to_owned(),
            application_id: thing.id.to_owned(),
            new_owner_id: thing.to.to_owned(),
        };
        let request = work.request(request, &format!("applications {}", thing.id));
        ApplicationServiceClient::new(work.peer("identity")).change_application_owner(request).await?;
        Ok(())
    }
}
