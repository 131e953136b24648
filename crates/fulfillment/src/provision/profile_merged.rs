//! Moves a provision on after its colliding identities were merged.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::collisions::decide_collisions;
use super::support::lifecycle::{Event, apply_event};
use crate::contract::v1::{ProfileMergedRequest, Provision};

impl Edit<ProfileMergedRequest> for Provision {
    /// Records the merge. Each decision names the identity that is left.
    fn edit(&mut self, request: &ProfileMergedRequest, context: &EditContext) -> Result<()> {
        if !request.identity_merge_id.is_empty() {
            self.identity_merge_id.clone_from(&request.identity_merge_id);
        }
        if self.identity_merge_id.is_empty() {
            return Err(Error::missing_field("identity_merge_id"));
        }
        if let Some(at) = request.decisions.iter().position(|decision| !decision.email.is_empty()) {
            return Err(Error::field(format!("decisions[{at}].email"), "a merge leaves an identity, not an address"));
        }
        decide_collisions(self, &request.decisions, context.timestamp())?;
        apply_event(self, Event::ProfileMerged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{
        ProfileCollision, ProfileDecision, ProfileReview, ProvisionAuthorizedUser, ProvisionStatus,
    };

    fn colliding() -> Provision {
        let collision = ProfileCollision {
            authorized_user_id: "1".to_owned(),
            identity_id: "known".to_owned(),
            ..Default::default()
        };
        Provision {
            status: ProvisionStatus::PendingProfileReview.into(),
            authorized_users: vec![ProvisionAuthorizedUser { id: "1".to_owned(), ..Default::default() }],
            profile_review: Some(ProfileReview { collisions: vec![collision], reviewed_at: None }),
            ..Default::default()
        }
    }

    #[test]
    fn a_merge_has_an_id_and_leaves_identities() {
        let merged = |request: ProfileMergedRequest| {
            let mut provision = colliding();
            provision.edit(&request, &EditContext::at(0)).map(|()| provision)
        };
        assert!(merged(ProfileMergedRequest::default()).is_err());
        let by = |email: &str| {
            let (id, email) = ("1".to_owned(), email.to_owned());
            let decision =
                ProfileDecision { authorized_user_id: id, email, identity_id: "left".to_owned(), ..Default::default() };
            let decisions = vec![decision];
            ProfileMergedRequest { identity_merge_id: "merge".to_owned(), decisions, ..Default::default() }
        };
        assert!(merged(by("a@x.org")).is_err());
        let provision = merged(by("")).unwrap();
        assert_eq!((provision.status(), provision.identity_merge_id.as_str()), (ProvisionStatus::InProgress, "merge"));
        assert_eq!(provision.authorized_users.first().unwrap().identity_id, "left");
    }
}
