//! Changes what the people of a relation have in common.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Relation, UpdateTypeRequest};

impl Edit<UpdateTypeRequest> for Relation {
    /// The primary member of a business is its OWNER, and PRIMARY elsewhere.
    fn edit(&mut self, request: &UpdateTypeRequest, _context: &EditContext) -> Result<()> {
        self.r#type = request.r#type;
        let primary = self.primary_type();
        let owner = self.owner_id.clone();
        if let Some(member) = self.members.iter_mut().find(|member| member.identity_id == owner) {
            member.permission_type = primary.into();
        }
        Ok(())
    }
}
