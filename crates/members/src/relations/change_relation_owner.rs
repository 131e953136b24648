//! Gives a relation to another identity, in the place of the primary member.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::people::check_people;
use crate::contract::v1::{ChangeRelationOwnerRequest, Relation};

impl Edit<ChangeRelationOwnerRequest> for Relation {
    fn edit(&mut self, request: &ChangeRelationOwnerRequest, _context: &EditContext) -> Result<()> {
        if request.new_owner_id == self.owner_id {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.owner_id, request.new_owner_id.clone());
        self.members.retain(|member| ![&before, &self.owner_id].contains(&&member.identity_id));
        self.add_primary();
        Ok(())
    }
}

impl CheckRequest<ChangeRelationOwnerRequest> for Relation {
    async fn check_request(call: &Call, _: Option<&Self>, request: &ChangeRelationOwnerRequest) -> Result<()> {
        check_people(call, vec![("new_owner_id".to_owned(), request.new_owner_id.as_str())]).await
    }
}
