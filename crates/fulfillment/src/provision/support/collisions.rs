//! The decisions about authorized users who may be people whom the platform knows.

use pavise_kernel::{Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::{CollisionReason, ErrorReason, ProfileDecision, Provision};

/// Gives every colliding user an identity or another address. A collision without a decision is the same person.
pub(crate) fn decide_collisions(
    provision: &mut Provision,
    decisions: &[ProfileDecision],
    now: Timestamp,
) -> Result<()> {
    let mut review = provision.profile_review.clone().unwrap_or_default();
    if let Some(at) = decisions
        .iter()
        .position(|one| !review.collisions.iter().any(|known| known.authorized_user_id == one.authorized_user_id))
    {
        return Err(Error::field(format!("decisions[{at}].authorized_user_id"), "does not collide"));
    }
    for collision in &review.collisions {
        let id = &collision.authorized_user_id;
        let decision = decisions.iter().find(|decision| decision.authorized_user_id == *id);
        let (identity, email) = match decision {
            None => (collision.identity_id.clone(), String::new()),
            Some(decision) => (decision.identity_id.clone(), decision.email.clone()),
        };
        if let Some(decision) = decision.filter(|decision| decision.is_new_person) {
            check_new_person(decision, collision.reason())?;
            continue;
        }
        match (identity.is_empty(), email.is_empty()) {
            (false, true) => {
                let taken = provision.has_person(&identity);
                let user = provision.authorized_user(id)?;
                if taken && user.identity_id != identity {
                    return Err(Error::field(
                        "decisions",
                        format!("authorized user {id} cannot be the buyer or another authorized user"),
                    ));
                }
                user.identity_id = identity;
            }
            (true, false) => provision.authorized_user(id)?.email = email,
            (true, true) => {
                return Err(Error::new(
                    ErrorReason::CollisionUndecided,
                    format!("decide the collision of authorized user {id}"),
                ));
            }
            (false, false) => {
                return Err(Error::field(
                    "decisions",
                    format!("name an identity or an address for authorized user {id}, not both"),
                ));
            }
        }
    }
    review.reviewed_at = Some(now);
    provision.profile_review = Some(review);
    Ok(())
}

/// A new person who keeps the address: no other decision is made of them, and nobody else has the address.
fn check_new_person(decision: &ProfileDecision, reason: CollisionReason) -> Result<()> {
    let id = &decision.authorized_user_id;
    if !decision.identity_id.is_empty() || !decision.email.is_empty() {
        let why = format!("authorized user {id} is a new person: name neither an identity nor an address");
        return Err(Error::field("decisions", why));
    }
    if matches!(reason, CollisionReason::Email | CollisionReason::Unspecified) {
        return Err(Error::field("decisions", format!("authorized user {id} needs another address")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ProfileCollision, ProfileReview, ProvisionAuthorizedUser};

    fn colliding(with: &str) -> Provision {
        let user = ProvisionAuthorizedUser { id: "1".to_owned(), email: "a@x.org".to_owned(), ..Default::default() };
        let collision =
            ProfileCollision { authorized_user_id: "1".to_owned(), identity_id: with.to_owned(), ..Default::default() };
        Provision {
            owner_id: "buyer".to_owned(),
            authorized_users: vec![user],
            profile_review: Some(ProfileReview { collisions: vec![collision], reviewed_at: None }),
            ..Default::default()
        }
    }

    fn decision(identity: &str, email: &str) -> ProfileDecision {
        ProfileDecision {
            authorized_user_id: "1".to_owned(),
            identity_id: identity.to_owned(),
            email: email.to_owned(),
            ..Default::default()
        }
    }

    #[test]
    fn a_collision_without_a_decision_is_the_same_person() {
        let mut provision = colliding("known");
        decide_collisions(&mut provision, &[], Timestamp::default()).unwrap();
        assert_eq!(provision.authorized_users[0].identity_id, "known");
        assert!(provision.profile_review.unwrap().reviewed_at.is_some());
        assert_eq!(
            decide_collisions(&mut colliding(""), &[], Timestamp::default()).unwrap_err().reason(),
            "COLLISION_UNDECIDED"
        );
    }

    #[test]
    fn another_person_gets_another_address() {
        let mut provision = colliding("known");
        decide_collisions(&mut provision, &[decision("", "b@x.org")], Timestamp::default()).unwrap();
        assert_eq!(
            (provision.authorized_users[0].identity_id.as_str(), provision.authorized_users[0].email.as_str()),
            ("", "b@x.org")
        );
    }

    #[test]
    fn a_new_person_keeps_an_address_that_nobody_else_has() {
        let new = ProfileDecision { is_new_person: true, ..decision("", "") };
        let of = |reason: CollisionReason| {
            let mut provision = colliding("known");
            let review = provision.profile_review.as_mut().unwrap();
            review.collisions[0].reason = reason.into();
            provision
        };
        let mut namesake = of(CollisionReason::NameAndBirth);
        decide_collisions(&mut namesake, std::slice::from_ref(&new), Timestamp::default()).unwrap();
        let user = &namesake.authorized_users[0];
        assert_eq!((user.identity_id.as_str(), user.email.as_str()), ("", "a@x.org"));
        assert!(decide_collisions(&mut of(CollisionReason::Email), &[new], Timestamp::default()).is_err());
    }

    #[test]
    fn the_buyer_is_no_authorized_user() {
        assert!(decide_collisions(&mut colliding("buyer"), &[], Timestamp::default()).is_err());
        assert!(
            decide_collisions(&mut colliding("known"), &[decision("known", "b@x.org")], Timestamp::default()).is_err()
        );
        let stranger = ProfileDecision { authorized_user_id: "7".to_owned(), ..decision("x", "") };
        assert_eq!(
            decide_collisions(&mut colliding("known"), &[stranger], Timestamp::default()).unwrap_err().violations()[0]
                .field,
            "decisions[0].authorized_user_id"
        );
    }
}
