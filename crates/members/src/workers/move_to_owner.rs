//! The parts of a merge of two identities that the contract does not declare: two profiles become one, and two again.

use pavise_kernel::worker::Work;
use pavise_kernel::{MoveToOwner, OwnerMove, Result, async_trait};

use crate::contract::v1::profile_service_client::ProfileServiceClient;
use crate::contract::v1::relation_service_client::RelationServiceClient;
use crate::contract::v1::{AbsorbProfileRequest, MergeMemberRequest, ReleaseProfileRequest};

/// Adds a profile to that of the surviving identity, and takes it away again.
#[derive(Debug)]
pub(crate) struct JoinProfiles;

#[async_trait]
impl MoveToOwner for JoinProfiles {
    fn processor(&self) -> &'static str {
        "profiles"
    }

    async fn move_to_owner(&self, work: &Work, thing: &OwnerMove<'_>) -> Result<()> {
        let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
        let (merge_id, step) = (thing.merge.to_owned(), format!("profile {}", thing.id));
        if thing.undone {
            let request = ReleaseProfileRequest {
                identity_id: thing.from.to_owned(),
                merged_identity_id: thing.id.to_owned(),
                merge_id,
            };
            profiles.release_profile(work.new_request(request, &step)).await?;
        } else {
            let request = AbsorbProfileRequest {
                identity_id: thing.to.to_owned(),
                merged_identity_id: thing.id.to_owned(),
                merge_id,
            };
            profiles.absorb_profile(work.new_request(request, &step)).await?;
        }
        Ok(())
    }
}

/// Puts the surviving identity in the place of the merged one in a relation, and takes it out again.
#[derive(Debug)]
pub(crate) struct MergeMembers;

#[async_trait]
impl MoveToOwner for MergeMembers {
    fn processor(&self) -> &'static str {
        "relations"
    }

    async fn move_to_owner(&self, work: &Work, thing: &OwnerMove<'_>) -> Result<()> {
        let (merged, survivor) = if thing.undone { (thing.to, thing.from) } else { (thing.from, thing.to) };
        let request = MergeMemberRequest {
            relation_id: thing.id.to_owned(),
            merged_identity_id: merged.to_owned(),
            surviving_identity_id: survivor.to_owned(),
            merge_id: thing.merge.to_owned(),
            undone: thing.undone,
        };
        let mut relations = RelationServiceClient::new(work.peer_channel("members"));
        relations.merge_member(work.new_request(request, &format!("relation {}", thing.id))).await?;
        Ok(())
    }
}
