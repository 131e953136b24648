//! Checks the people who are added.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::people::check_people;
use crate::contract::v1::{BulkAddMembersRequest, Relation};

impl CheckRequest<BulkAddMembersRequest> for Relation {
    async fn check_request(call: &Call, _: Option<&Self>, request: &BulkAddMembersRequest) -> Result<()> {
        let members = request.members.iter().enumerate();
        let named = members.map(|(at, member)| (format!("members[{at}].identity_id"), member.identity_id.as_str()));
        check_people(call, named.collect()).await
    }
}
