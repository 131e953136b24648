//! Changes of a person's names by somebody else, which wait until the owner confirms them.
//!
//! A change that an owner makes of their names takes effect at once, and a new address waits for its proof, whoever adds it
//! ([`super::addresses`]). All other changes by somebody else are kept beside the claims. A letter to the primary address
//! says what changes, and has a code, with which the owner confirms it. Without a proved address nobody could confirm it,
//! so it is refused.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Common, Derive, Error, Invariants, Result, Unit};

use super::addresses::{self, CLAIM, Mail};
use super::notices::{Channel, check_ready};
use crate::contract::actions::identity_audit as actions;
use crate::contract::lookups;
use crate::contract::v1::{EmailAddress, ErrorReason, Identity, IdentityRealm};

/// Takes out of a change by somebody else what the owner has to confirm, and adds the held change to the commit. Answers
/// whether there was any.
///
/// # Errors
/// `PROVE_EMAIL_FIRST` when the identity has proved no address, `ALREADY_EXISTS` when another has a username, or the error
/// of a rule of identities.
pub(crate) async fn hold_names(
    mail: Mail<'_>,
    call: &Call,
    unit: &mut Unit<'_>,
    before: &Identity,
    after: &mut Identity,
) -> Result<bool> {
    if call.caller().identity == before.id || before.realm() == IdentityRealm::Machine {
        return Ok(false);
    }
    let mut wanted = after.clone();
    Derive::derive(&mut wanted, Some(before), &call.timestamp())?;
    let change = compare_names(before, &wanted);
    if change == EmailAddress::default() {
        return Ok(false);
    }
    Invariants::check(&wanted)?;
    check_free(call, before, &change.adds_usernames).await?;
    let Some(address) = before.primary_email() else {
        let message = "the identity has proved no e-mail address, so that its owner cannot confirm the change";
        return Err(Error::new(ErrorReason::ProveEmailFirst, message));
    };
    after.emails.clone_from(&before.emails);
    after.usernames.clone_from(&before.usernames);
    keep(mail, call, unit, before, EmailAddress { address: address.to_owned(), ..change }).await?;
    Ok(true)
}

/// The identity with a change that its owner confirmed.
///
/// # Errors
/// `ALREADY_EXISTS` when another identity has a username by now, or the error of a rule of identities.
pub(crate) async fn confirm_names(
    call: &Call,
    unit: &mut Unit<'_>,
    before: &Identity,
    held: EmailAddress,
) -> Result<Identity> {
    let mut after = before.clone();
    after.emails.retain(|email| !has(&held.replaces, &email.address));
    for email in &mut after.emails {
        email.primary |= email.address.eq_ignore_ascii_case(&held.makes_primary);
    }
    after.usernames.retain(|name| !held.removes_usernames.contains(name));
    after.usernames.extend(held.adds_usernames.iter().cloned());
    unit.remove_as(held, actions::EMAIL_CLAIM_ENDED)?;
    addresses::keep_former(call, unit, before, &after).await?;
    unit.update_as(before, after, actions::NAMES_CONFIRMED)
}

/// The differences between the names of an identity before and after a change; nothing is set without a difference.
fn compare_names(before: &Identity, after: &Identity) -> EmailAddress {
    let stays = |address: &str| after.emails.iter().any(|kept| kept.address.eq_ignore_ascii_case(address));
    let without = |names: &[String], others: &[String]| -> Vec<String> {
        names.iter().filter(|name| !others.contains(name)).cloned().collect()
    };
    let emails = before.emails.iter().map(|email| &email.address);
    let primary = after.primary_email().unwrap_or_default();
    let is_moved = !before.primary_email().unwrap_or_default().eq_ignore_ascii_case(primary);
    let change = EmailAddress {
        adds_usernames: without(&after.usernames, &before.usernames),
        removes_usernames: without(&before.usernames, &after.usernames),
        replaces: emails.filter(|address| !stays(address)).cloned().collect(),
        makes_primary: if is_moved { primary.to_owned() } else { String::new() },
        ..EmailAddress::default()
    };
    let is_same = change == EmailAddress::default();
    EmailAddress { holds_names: !is_same, ..change }
}

/// Refuses a username that another identity has.
async fn check_free(call: &Call, before: &Identity, usernames: &[String]) -> Result<()> {
    for name in usernames {
        let holder = call.find_id_by::<Identity>(lookups::identity::USERNAMES, name).await?;
        if holder.is_some_and(|holder| holder != before.id) {
            return Err(Error::new(Common::AlreadyExists, "this username is another identity's"));
        }
    }
    Ok(())
}

/// Adds a held change to the commit, with its letter. One that waits already takes the new one in: one code confirms both.
async fn keep(
    mail: Mail<'_>,
    call: &Call,
    unit: &mut Unit<'_>,
    identity: &Identity,
    change: EmailAddress,
) -> Result<()> {
    let claims = addresses::load_claims(call, &identity.id).await?;
    let known = claims.into_iter().find(|claim| claim.holds_names);
    let mut held = match &known {
        Some(known) => join(known.clone(), change),
        None => EmailAddress { id: call.new_id(), owner_id: identity.id.clone(), ..change },
    };
    held.expires_at = Some(to_timestamp(call.now().saturating_add(CLAIM)));
    // The code of the letter before was for less.
    held.code_hash.clear();
    if check_ready(call, Channel::Email, &held.address).await.is_ok()
        && addresses::check_rate_limit(mail, call, &held.address).is_ok()
    {
        addresses::send_claim_code(mail, call, unit, identity, &mut held)?;
    }
    match known {
        Some(known) => unit.update_as(&known, held, actions::NAMES_HELD).map(drop),
        None => unit.create_as(held, actions::NAMES_HELD).map(drop),
    }
}

/// A held change with a later one. What the later one takes back is held no more.
fn join(known: EmailAddress, change: EmailAddress) -> EmailAddress {
    let joined = |mut names: Vec<String>, more: &[String], back: &[String]| {
        names.retain(|name| !has(back, name) && !has(more, name));
        names.extend(more.iter().cloned());
        names
    };
    EmailAddress {
        adds_usernames: joined(known.adds_usernames, &change.adds_usernames, &change.removes_usernames),
        removes_usernames: joined(known.removes_usernames, &change.removes_usernames, &change.adds_usernames),
        replaces: joined(known.replaces, &change.replaces, &[]),
        makes_primary: if change.makes_primary.is_empty() { known.makes_primary } else { change.makes_primary },
        address: change.address,
        ..known
    }
}

fn has(all: &[String], name: &str) -> bool {
    all.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::Email;

    fn ada(emails: &[&str], usernames: &[&str]) -> Identity {
        let emails = emails.iter().enumerate();
        Identity {
            emails: emails
                .map(|(at, address)| Email { address: (*address).into(), primary: at == 0, ..Email::default() })
                .collect(),
            usernames: usernames.iter().map(|name| (*name).to_owned()).collect(),
            ..Identity::default()
        }
    }

    #[test]
    fn a_change_is_what_differs() {
        let before = ada(&["a@example.com", "b@example.com"], &["ada"]);
        assert_eq!(compare_names(&before, &before), EmailAddress::default());
        let change = compare_names(&before, &ada(&["B@example.com"], &["countess"]));
        assert!(change.holds_names);
        assert_eq!((change.adds_usernames, change.removes_usernames), (vec!["countess".into()], vec!["ada".into()]));
        assert_eq!((change.replaces, change.makes_primary.as_str()), (vec!["a@example.com".into()], "B@example.com"));
        let moved = compare_names(&before, &ada(&["b@example.com", "a@example.com"], &["ada"]));
        assert_eq!((moved.replaces.len(), moved.makes_primary.as_str()), (0, "b@example.com"));
    }

    #[test]
    fn a_later_change_joins_one_that_waits() {
        let before = ada(&["a@example.com", "b@example.com"], &["ada"]);
        let first = compare_names(&before, &ada(&["a@example.com"], &["ada", "countess"]));
        let second = compare_names(&before, &ada(&["a@example.com", "b@example.com"], &["lovelace"]));
        let both = join(first, second);
        assert_eq!((both.adds_usernames.len(), both.removes_usernames.len(), both.replaces.len()), (2, 1, 1));
        let back = EmailAddress { removes_usernames: vec!["Countess".into()], ..EmailAddress::default() };
        assert_eq!(join(both, back).adds_usernames, ["lovelace"]);
    }
}
