//! Checks the person who is added.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::people::check_people;
use crate::contract::v1::{AddMemberRequest, Relation};

impl CheckRequest<AddMemberRequest> for Relation {
    async fn check_request(call: &Call, _: Option<&Self>, request: &AddMemberRequest) -> Result<()> {
        let named = request.member.iter().map(|one| ("member.identity_id".to_owned(), one.identity_id.as_str()));
        check_people(call, named.collect()).await
    }
}
