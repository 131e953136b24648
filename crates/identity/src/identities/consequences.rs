//! Consequences of a change of an identity: notices, ended sessions, removed credentials. A change can also be refused
//! because the caller may not grant it.

use pavise_kernel::worker::Work;
use pavise_kernel::{Call, Consequences, Error, Result, Step, Unit};

use crate::contract::v1::{Credential, ErrorReason, Identity, IdentityRealm, IdentitySettings};
use crate::contract::{actions, roles};
use crate::sessions::revoke_all;
use crate::shared::grants::GrantedRights;
use crate::shared::notices::{Letter, Template};
use crate::shared::tools::Tools as _;
use crate::shared::{addresses, grants, held_names, scopes};
use crate::{factors, identity_merge};

/// The name under which a deletion asks the other services.
const DELETION: &str = "identities.deletion";

impl Consequences for Identity {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let service = call.identities()?;
        let (before, after) = match (&step.before, &step.after) {
            (Some(before), Some(after)) => (before, after),
            (Some(before), None) => return remove_belongings(call, &mut step.unit, before).await,
            (None, _) => return Ok(()),
        };
        GrantedRights::change(before, after).check(call.caller(), call.has_role(roles::GRANTER))?;
        check_proved(before, after)?;
        if names(before) != names(after) {
            grants::check_sign_in_change(call, before)?;
        }
        if asked_for(before) != asked_for(after) {
            call.require_fresh_proof()?;
        }
        let mut after = after.clone();
        let claimed = addresses::hold_back(service.mail(), call, &mut step.unit, before, &mut after).await?;
        let held = held_names::hold_names(service.mail(), call, &mut step.unit, before, &mut after).await?;
        if names(before) != names(&after) {
            addresses::keep_former(call, &mut step.unit, before, &after).await?;
        }
        let (before, after) = (before.clone(), after);
        step.after = Some(after.clone());
        let (before, after) = (&before, &after);
        // Issued tokens still carry a right that was taken away, so the sessions end.
        if has_lost(before, after) {
            revoke_all(call, &mut step.unit, &before.id, None).await?;
        }
        for letter in all_letters(call, before, after).await? {
            service.notices.enqueue_letter(call, &mut step.unit, letter)?;
        }
        if let Some(action) = action(before, after) {
            step.set_action(action);
        }
        if held {
            step.set_action(actions::identity_audit::NAMES_HELD);
        }
        if claimed {
            step.set_action(actions::identity_audit::EMAIL_CLAIMED);
        }
        Ok(())
    }
}

/// Refuses that a member who has proved no address adds a username: it would be a second name to sign in with.
fn check_proved(before: &Identity, after: &Identity) -> Result<()> {
    let adds = after.usernames.iter().any(|name| !before.usernames.contains(name));
    let is_proved = !before.emails.is_empty() || !before.usernames.is_empty();
    if adds && !is_proved && before.realm() == IdentityRealm::User {
        return Err(Error::new(ErrorReason::ProveEmailFirst, "prove your e-mail address first"));
    }
    Ok(())
}

/// The letters that tell of a change, at the former addresses, too.
async fn all_letters(call: &Call, before: &Identity, after: &Identity) -> Result<Vec<Letter>> {
    let mut all = build_letters(before, after);
    for template in [Template::NamesChanged, Template::FactorChanged] {
        if all.iter().any(|letter| letter.template == template) {
            addresses::add_former(call, before, template, &mut all).await?;
        }
    }
    Ok(all)
}

/// Removes the sessions, the password and the factors of an identity. It is refused while the identity is in an open
/// merge, or has things that are in use.
async fn remove_belongings(call: &Call, unit: &mut Unit<'_>, identity: &Identity) -> Result<()> {
    identity_merge::check_free(call, std::slice::from_ref(&identity.id), "").await?;
    check_nothing_in_use(call, &identity.id).await?;
    revoke_all(call, unit, &identity.id, None).await?;
    addresses::remove_all(call, unit, &identity.id).await?;
    if let Some(credential) = call.find_unscoped::<Credential>(&identity.id).await? {
        unit.remove(credential)?;
    }
    factors::remove_all(call, unit, &identity.id).await
}

/// Refuses while a service has things of the identity that are in use. A service that does not answer refuses, too.
async fn check_nothing_in_use(call: &Call, identity: &str) -> Result<()> {
    let work = Work::new(call.kernel(), DELETION, format!("delete {}", call.request_id()), call.request_id());
    let mut in_use = Vec::new();
    for owned_entity in call.kernel().owned_entities() {
        let count = work.list_in_use(owned_entity, identity).await?.len();
        if count > 0 {
            in_use.push((owned_entity.processor, count));
        }
    }
    if in_use.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = in_use.iter().map(|(what, count)| format!("{what}: {count}")).collect();
    let error = Error::new(ErrorReason::IdentityInUse, format!("the identity still has {}", named.join(", ")));
    Err(in_use.into_iter().fold(error, |error, (what, count)| error.with(what, count.to_string())))
}

/// Whether the identity lost a permission, a group or a role.
fn has_lost(before: &Identity, after: &Identity) -> bool {
    let (had, has) = (grants::by_application(&before.permissions), grants::by_application(&after.permissions));
    grants::find_beyond(&has, &had).is_some() || scopes::has_lost(before, after)
}

/// The names of the sign-in, the account elsewhere that signs in as the identity, and the addresses of letters.
fn names(identity: &Identity) -> (Vec<(&str, bool)>, &[String], &str) {
    let emails = identity.emails.iter().map(|email| (email.address.as_str(), email.primary));
    (emails.collect(), &identity.usernames, &identity.okta_id)
}

/// The letters that tell of a change, so that no account is taken over in silence. A change of names goes to each
/// removed address, or else to the primary one from before. One of the account elsewhere, which takes effect at once,
/// goes to each address. A change of the sign-in settings goes to the primary address from before.
pub(super) fn build_letters(before: &Identity, after: &Identity) -> Vec<Letter> {
    let mut letters = Vec::new();
    if names(before) != names(after) {
        let is_elsewhere = before.okta_id != after.okta_id;
        let stays = |address: &str| !is_elsewhere && after.emails.iter().any(|kept| kept.address == address);
        let gone = before.emails.iter().map(|email| &email.address).filter(|address| !stays(address));
        letters.extend(gone.filter_map(|address| {
            let address = address.clone();
            Letter::for_identity(before, Template::NamesChanged).map(|letter| Letter { address, ..letter })
        }));
        if letters.is_empty() {
            letters.extend(Letter::for_identity(before, Template::NamesChanged));
        }
    }
    if asked_for(before) != asked_for(after) {
        letters.extend(Letter::for_identity(before, Template::FactorChanged));
    }
    letters
}

/// The settings of the second factor.
fn asked_for(identity: &Identity) -> (bool, i32) {
    let settings = identity.settings.unwrap_or_default();
    (settings.multifactor_required, settings.multifactor_type)
}

/// The journal action of a change that has one of its own.
fn action(before: &Identity, after: &Identity) -> Option<&'static str> {
    let kind =
        |identity: &Identity| identity.settings.map_or(0, |IdentitySettings { multifactor_type, .. }| multifactor_type);
    if kind(before) != kind(after) {
        return Some(actions::identity_audit::MULTIFACTOR_TYPE_UPDATED);
    }
    (!before.referrer.is_empty() && after.referrer.is_empty()).then_some(actions::identity_audit::REFERRER_REMOVED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Email;

    fn ada(emails: &[&str], usernames: &[&str]) -> Identity {
        let email = |(at, address): (usize, &&str)| Email {
            address: (*address).into(),
            primary: at == 0,
            added_at: None,
            verified_at: None,
        };
        Identity {
            emails: emails.iter().enumerate().map(email).collect(),
            usernames: usernames.iter().map(|name| (*name).to_owned()).collect(),
            ..Identity::default()
        }
    }

    fn told(before: &Identity, after: &Identity) -> Vec<String> {
        build_letters(before, after).into_iter().map(|letter| letter.address).collect()
    }

    #[test]
    fn a_change_of_names_is_told_where_its_owner_reads_it() {
        let before = ada(&["a@example.com", "b@example.com"], &["ada"]);
        assert_eq!(told(&before, &before), [""; 0]);
        let more = ada(&["a@example.com", "b@example.com", "c@example.com"], &["ada"]);
        assert_eq!(told(&before, &more), ["a@example.com"]);
        assert_eq!(told(&before, &ada(&["a@example.com", "b@example.com"], &["ada", "countess"])), ["a@example.com"]);
        assert_eq!(told(&before, &ada(&["a@example.com"], &["ada"])), ["b@example.com"], "at the address that goes");
        assert_eq!(told(&before, &ada(&["x@example.com"], &["ada"])), ["a@example.com", "b@example.com"]);
        assert_eq!(
            told(&before, &ada(&["b@example.com", "a@example.com"], &["ada"])),
            ["a@example.com"],
            "primary is another"
        );
        assert_eq!(told(&ada(&[], &["ada"]), &more), [""; 0], "there was no address to tell");
        let elsewhere = Identity { okta_id: "00u1".into(), ..before.clone() };
        assert_eq!(told(&before, &elsewhere), ["a@example.com", "b@example.com"], "an account elsewhere, everywhere");
    }

    #[test]
    fn an_action_says_what_changed() {
        let with = |kind: i32, referrer: &str| Identity {
            settings: Some(IdentitySettings { multifactor_type: kind, ..IdentitySettings::default() }),
            referrer: referrer.into(),
            ..Identity::default()
        };
        assert_eq!(action(&with(1, "a friend"), &with(1, "a friend")), None);
        assert_eq!(action(&with(1, ""), &with(1, "a friend")), None);
        assert_eq!(action(&with(1, "a friend"), &with(1, "")), Some("REFERRER_REMOVED"));
        assert_eq!(action(&with(1, ""), &with(2, "")), Some("MULTIFACTOR_TYPE_UPDATED"));
        assert_eq!(action(&with(0, ""), &Identity::default()), None);
    }
}
