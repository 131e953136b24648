//! Businesses that some members found: one that waits, one with its plan, and one that was given up.

use pavise_groups_client::v1::launch_service_client::LaunchServiceClient;
use pavise_groups_client::v1::{CreateLaunchRequest, DeleteLaunchRequest};
use pavise_kernel::worker::Work;
use pavise_members_client::v1::ListBusinessesRequest;
use pavise_members_client::v1::business_service_client::BusinessServiceClient;

use super::member::Member;

/// The members with a launch.
const WAITS: u32 = 1;
const GOES_ON: u32 = 6;
const GIVEN_UP: u32 = 4;

/// Begins the launch of a member, where they have one.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    if ![WAITS, GOES_ON, GIVEN_UP].contains(&member.number) {
        return Ok(());
    }
    let mut request = CreateLaunchRequest {
        identity_id: member.id.clone(),
        source: "LaunchByLS".to_owned(),
        ..CreateLaunchRequest::default()
    };
    if member.number == GOES_ON {
        request.business_id = find_business(work, member).await?;
        request.entitlement_id = member.plan.as_ref().map(|plan| plan.id.clone()).unwrap_or_default();
    }
    let mut launches = LaunchServiceClient::new(work.peer_channel("groups"));
    let made = launches.create_launch(member.request(work, request, "launch")).await;
    let Some(made) = work.skip_refused(made, "launch")? else { return Ok(()) };
    if member.number == GIVEN_UP {
        let request = DeleteLaunchRequest { identity_id: member.id.clone(), launch_id: made.into_inner().id };
        let over = launches.delete_launch(member.request(work, request, "launch over")).await;
        work.skip_refused(over, "launch over")?;
    }
    Ok(())
}

/// The id of a business of the member; empty if there is none.
async fn find_business(work: &Work, member: &Member) -> anyhow::Result<String> {
    let request = ListBusinessesRequest { identity_id: member.id.clone(), ..ListBusinessesRequest::default() };
    let mut businesses = BusinessServiceClient::new(work.peer_channel("members"));
    let found = businesses.list_businesses(request).await?.into_inner().businesses;
    Ok(found.into_iter().next().map(|business| business.id).unwrap_or_default())
}
