//! Puts the surviving identity of a merge in the place of the merged one, or undoes that.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{MergeMemberRequest, Relation, RelationMember, RelationMerge};

impl Edit<MergeMemberRequest> for Relation {
    fn edit(&mut self, request: &MergeMemberRequest, _context: &EditContext) -> Result<()> {
        if request.undone {
            self.release(request)
        } else {
            self.absorb(request)
        }
        Ok(())
    }
}

impl Relation {
    fn absorb(&mut self, request: &MergeMemberRequest) {
        let from = &request.merged_identity_id;
        if self.find_member(from).is_none() && self.owner_id != *from {
            return;
        }
        self.merges.push(RelationMerge {
            merge_id: request.merge_id.clone(),
            identity_id: from.clone(),
            owner_id: self.owner_id.clone(),
            members: self.members.clone(),
        });
        self.members = joined(&self.members, &self.owner_id, request);
        if self.owner_id == *from {
            self.owner_id.clone_from(&request.surviving_identity_id);
        }
    }

    /// Restores the people before the merge. Where they were changed since, only the merged person gets their place back.
    fn release(&mut self, request: &MergeMemberRequest) {
        let Some(place) = self.merges.iter().position(|one| one.merge_id == request.merge_id) else { return };
        let before = self.merges.remove(place);
        if self.members == joined(&before.members, &before.owner_id, request) {
            (self.members, self.owner_id) = (before.members, before.owner_id);
            return;
        }
        let both = before.members.iter().any(|member| member.identity_id == request.surviving_identity_id);
        let place = self.members.iter_mut().find(|one| one.identity_id == request.surviving_identity_id);
        if let (Some(member), false) = (place, both) {
            member.identity_id.clone_from(&request.merged_identity_id);
            if self.owner_id == request.surviving_identity_id {
                self.owner_id.clone_from(&request.merged_identity_id);
            }
        }
    }
}

/// The people with the surviving identity in the place of the merged one. Of two places the primary member's stays, else
/// the survivor's.
fn joined(members: &[RelationMember], owner: &str, request: &MergeMemberRequest) -> Vec<RelationMember> {
    let (from, to) = (&request.merged_identity_id, &request.surviving_identity_id);
    let has_both = members.iter().any(|member| member.identity_id == *to);
    let drops = if has_both && owner == from { Some(to) } else { Some(from).filter(|_| has_both) };
    let kept = members.iter().filter(|member| Some(&member.identity_id) != drops);
    let renamed = |member: &RelationMember| {
        let identity_id = if member.identity_id == *from { to.clone() } else { member.identity_id.clone() };
        RelationMember { identity_id, ..member.clone() }
    };
    kept.map(renamed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::RelationType;

    fn family(people: &[(&str, RelationType)]) -> Relation {
        let member = |(identity, of): &(&str, RelationType)| RelationMember {
            identity_id: (*identity).to_owned(),
            permission_type: (*of).into(),
            ..RelationMember::default()
        };
        let owner_id = people.first().map(|(identity, _)| (*identity).to_owned()).unwrap_or_default();
        Relation { owner_id, members: people.iter().map(member).collect(), ..Relation::default() }
    }

    fn request(from: &str, to: &str, undone: bool) -> MergeMemberRequest {
        MergeMemberRequest {
            merged_identity_id: from.into(),
            surviving_identity_id: to.into(),
            merge_id: "m".into(),
            undone,
            ..MergeMemberRequest::default()
        }
    }

    #[test]
    fn an_unmerge_restores_the_people_whoever_was_merged() {
        let people = [("ada", RelationType::Primary), ("ben", RelationType::Spouse), ("cleo", RelationType::Dependent)];
        for (from, to) in [("ada", "zoe"), ("ben", "zoe"), ("ada", "ben"), ("ben", "ada"), ("cleo", "ben")] {
            let before = family(&people);
            let mut after = before.clone();
            after.edit(&request(from, to, false), &EditContext::at(0)).unwrap();
            assert!(after.find_member(from).is_none() && after.find_member(to).is_some(), "{from} {to}");
            assert!(after.find_member(&after.owner_id).is_some(), "{from} {to}: the owner is there");
            after.edit(&request(from, to, true), &EditContext::at(0)).unwrap();
            assert_eq!(after, before, "{from} {to}");
        }
    }

    #[test]
    fn a_change_since_the_merge_stays() {
        let mut after = family(&[("ada", RelationType::Primary), ("ben", RelationType::Spouse)]);
        after.edit(&request("ben", "zoe", false), &EditContext::at(0)).unwrap();
        after.members.push(RelationMember { identity_id: "cleo".into(), ..RelationMember::default() });
        after.edit(&request("ben", "zoe", true), &EditContext::at(0)).unwrap();
        let people: Vec<&str> = after.members.iter().map(|member| member.identity_id.as_str()).collect();
        assert_eq!(people, ["ada", "ben", "cleo"]);
    }
}
