//! Changes a person of a relation.

use pavise_kernel::common::v1::RelationType;
use pavise_kernel::{Edit, EditContext, Result};

use super::support::seen::unknown_member_error;
use crate::contract::v1::{MemberStatus, Relation, UpdateMemberRequest};

impl Edit<UpdateMemberRequest> for Relation {
    fn edit(&mut self, request: &UpdateMemberRequest, context: &EditContext) -> Result<()> {
        let update = request.update.unwrap_or_default();
        let found = self.members.iter_mut().find(|member| member.identity_id == request.member_id);
        let member = found.ok_or_else(|| unknown_member_error("member_id"))?;
        if update.permission_type() != RelationType::Unspecified {
            member.permission_type = update.permission_type;
        }
        if update.status() != MemberStatus::Unspecified && update.status != member.status {
            member.status = update.status;
            // One who comes back does so today.
            if update.status() == MemberStatus::Active {
                member.since = Some(context.today());
            }
        }
        Ok(())
    }
}
