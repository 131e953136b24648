//! Notes the identities that were made for invited people, and forgets those whose roles are gone.

use pavise_kernel::{Edit, EditContext, Result, email};

use crate::contract::v1::{AuthorizedIdentity, Group, RecordGrantedRolesRequest};

impl Edit<RecordGrantedRolesRequest> for Group {
    fn edit(&mut self, request: &RecordGrantedRolesRequest, _: &EditContext) -> Result<()> {
        for invited in &request.invited {
            let is_held = self.authorized_identities.iter().any(|person| person.identity_id == invited.identity_id);
            let person = self.authorized_identities.iter_mut().find(|person| person.id == invited.id);
            // The address can have been corrected since: that of another person.
            let is_theirs = |person: &AuthorizedIdentity| email::is_same(&person.email, &invited.email);
            if let Some(person) = person.filter(|person| person.identity_id.is_empty() && !is_held && is_theirs(person))
            {
                person.identity_id.clone_from(&invited.identity_id);
            }
        }
        self.former_identity_ids.retain(|id| !request.former_identity_ids.contains(id));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::InvitedIdentity;

    #[test]
    fn an_identity_is_noted_for_the_address_that_was_invited() {
        let person = |id: &str, email: &str| AuthorizedIdentity {
            id: id.into(),
            email: email.into(),
            ..AuthorizedIdentity::default()
        };
        let invited = |id: &str, identity_id: &str, email: &str| InvitedIdentity {
            id: id.into(),
            identity_id: identity_id.into(),
            email: email.into(),
        };
        let mut group = Group {
            authorized_identities: vec![person("a", "ann@example.com"), person("b", "corrected@example.com")],
            former_identity_ids: vec!["old".into(), "older".into()],
            ..Group::default()
        };
        let request = RecordGrantedRolesRequest {
            invited: vec![invited("a", "ann", "Ann@Example.com"), invited("b", "mistaken", "mistyped@example.com")],
            former_identity_ids: vec!["old".into()],
            ..RecordGrantedRolesRequest::default()
        };
        group.edit(&request, &EditContext::at(0)).unwrap();
        let noted: Vec<&str> = group.authorized_identities.iter().map(|one| one.identity_id.as_str()).collect();
        assert_eq!(noted, ["ann", ""]);
        assert_eq!(group.former_identity_ids, ["older"]);
    }
}
