//! Makes a relation.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::people::check_people;
use crate::contract::v1::{CreateRelationRequest, Relation, RelationMember};

impl Edit<CreateRelationRequest> for Relation {
    /// The primary member comes first, whether the request names them or not.
    fn edit(&mut self, _request: &CreateRelationRequest, _context: &EditContext) -> Result<()> {
        self.add_primary();
        Ok(())
    }
}

impl CheckRequest<CreateRelationRequest> for Relation {
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateRelationRequest) -> Result<()> {
        let members = request.members.iter().enumerate();
        let named = members.map(|(at, member)| (format!("members[{at}].identity_id"), member.identity_id.as_str()));
        let owner = ("identity_id".to_owned(), request.identity_id.as_str());
        check_people(call, named.chain([owner]).collect()).await
    }
}

impl Relation {
    /// Adds the owner as the primary member, unless they are there.
    pub(super) fn add_primary(&mut self) {
        if self.find_member(&self.owner_id).is_none() {
            let primary = RelationMember {
                identity_id: self.owner_id.clone(),
                permission_type: self.primary_type().into(),
                ..RelationMember::default()
            };
            self.members.insert(0, primary);
        }
    }
}
