//! Answers a relation to its people.

use pavise_kernel::{Call, Result};

use super::support::seen::read_relation;
use crate::contract::v1::{GetRelationRequest, Relation};

pub(crate) async fn get_relation(call: &Call, request: GetRelationRequest) -> Result<Relation> {
    read_relation(call, &request.relation_id, &request.identity_id).await
}
