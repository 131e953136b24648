//! Makes another person the primary member, to whom the relation then belongs.

use pavise_kernel::common::v1::RelationType;
use pavise_kernel::{Edit, EditContext, Result};

use super::support::seen::unknown_member_error;
use crate::contract::v1::{Relation, RelationKind, UpdatePrimaryMemberRequest};

impl Edit<UpdatePrimaryMemberRequest> for Relation {
    fn edit(&mut self, request: &UpdatePrimaryMemberRequest, _context: &EditContext) -> Result<()> {
        if !self.has_active(&request.member_id) {
            return Err(unknown_member_error("member_id"));
        }
        if request.member_id == self.owner_id {
            return Ok(());
        }
        let (primary, former) = match self.r#type() {
            RelationKind::Business => (RelationType::Owner, RelationType::CoOwner),
            _ => (RelationType::Primary, RelationType::Secondary),
        };
        for member in &mut self.members {
            if member.identity_id == request.member_id {
                member.permission_type = primary.into();
            } else if member.permission_type() == primary {
                member.permission_type = former.into();
            }
        }
        self.owner_id.clone_from(&request.member_id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{MemberStatus, RelationMember};

    #[test]
    fn the_primary_members_trade_places() {
        let member = |identity: &str, of: RelationType| RelationMember {
            identity_id: identity.into(),
            permission_type: of.into(),
            status: MemberStatus::Active.into(),
            ..RelationMember::default()
        };
        let mut family = Relation {
            owner_id: "ada".into(),
            r#type: RelationKind::Family.into(),
            members: vec![member("ada", RelationType::Primary), member("ben", RelationType::Spouse)],
            ..Relation::default()
        };
        let ask = |member: &str| UpdatePrimaryMemberRequest { member_id: member.into(), ..Default::default() };
        assert!(family.edit(&ask("nobody"), &EditContext::at(0)).is_err());
        family.edit(&ask("ben"), &EditContext::at(0)).unwrap();
        let types: Vec<RelationType> = family.members.iter().map(RelationMember::permission_type).collect();
        assert_eq!((family.owner_id.as_str(), types), ("ben", vec![RelationType::Secondary, RelationType::Primary]));
    }
}
