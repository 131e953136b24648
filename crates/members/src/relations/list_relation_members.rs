//! Answers the people of a relation to its people.

use pavise_kernel::{Call, Result};

use super::support::seen::read_relation;
use crate::contract::v1::{ListRelationMembersRequest, ListRelationMembersResponse};

pub(crate) async fn list_relation_members(
    call: &Call,
    request: ListRelationMembersRequest,
) -> Result<ListRelationMembersResponse> {
    let relation = read_relation(call, &request.relation_id, &request.identity_id).await?;
    Ok(ListRelationMembersResponse { members: relation.members })
}
