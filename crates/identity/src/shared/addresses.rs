//! E-mail addresses that wait for their proof, and former primary addresses.
//!
//! An address becomes a name of an identity, and letters go to it, when its owner has shown a code from a letter. Until
//! then it is a claim: several identities can claim one address, and the proof of one ends the claims of the others. So
//! nobody keeps an address from its owner. The first address of a new identity lets its maker sign in by the password
//! meanwhile, as long as nobody has proved it.
//!
//! These prove an address, too: a new password by a code that was sent to it alone, and the word of a program that
//! creates an identity with the role VOUCHER.

use std::collections::BTreeMap;

use pavise_kernel::store::{Filter, fold_value};
use pavise_kernel::time::{DAY, Micros, to_micros, to_timestamp};
use pavise_kernel::{Aggregate as _, Call, Common, Derive, Error, Result, Unit, email};

use super::notices::{Channel, Letter, Notices, Template, check_ready};
use super::resets;
use super::resets::Resets;
use super::throttle::{Kind, Throttle};
use crate::contract::actions::identity_audit as actions;
use crate::contract::lookups;
use crate::contract::v1::{Email, EmailAddress, ErrorReason, Identity};

/// How long a claim waits for its proof.
pub(crate) const CLAIM: Micros = 7 * DAY;
/// How long letters go to a former primary address.
pub(crate) const FORMER: Micros = 3 * DAY;
/// How long a code is good, in machine time.
pub(crate) const CODE: Micros = DAY;
/// How many claims and former addresses an identity has at most, each.
const MOST: usize = 10;
/// How many claims to one address end with its proof. Others lapse.
const MOST_HOLDERS: u32 = 200;

/// The tools for letters with codes, and for their limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mail<'a> {
    pub(crate) notices: &'a Notices,
    pub(crate) resets: &'a Resets,
    pub(crate) rate_limit: &'a Throttle,
}

/// A claim to be made.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    pub(crate) address: String,
    /// Whether it is to become the primary one.
    pub(crate) primary: bool,
    /// The addresses whose place it takes.
    pub(crate) replaces: Vec<String>,
    /// Whether its maker signs in with it before the proof. Its id is then that of the identity.
    pub(crate) signs_in: bool,
}

/// The claims and former addresses of an identity, the oldest first.
///
/// # Errors
/// When the database does not answer.
async fn of(call: &Call, owner_id: &str) -> Result<Vec<EmailAddress>> {
    let filter = Filter { owner: Some(owner_id.to_owned()), limit: 100, ..Filter::default() };
    let rows = call.kernel().store().list(EmailAddress::TABLE, &filter).await?;
    let ids: Vec<String> = rows.into_iter().rev().map(|row| row.id).collect();
    let mut all: Vec<EmailAddress> = call.find_many(&ids).await?;
    all.retain(|address| is_open(address, call.now()));
    Ok(all)
}

/// The open claims of an identity and the held change of its names, the oldest first.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_claims(call: &Call, owner_id: &str) -> Result<Vec<EmailAddress>> {
    let mut all = of(call, owner_id).await?;
    all.retain(|address| !address.former);
    Ok(all)
}

/// Whether the address of the sign-up of an identity waits for its proof still.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn is_waiting(call: &Call, owner_id: &str) -> Result<bool> {
    let claim = call.find_unscoped::<EmailAddress>(owner_id).await?;
    Ok(claim.is_some_and(|claim| is_open(&claim, call.now())))
}

/// The open claims and former addresses with that address, newest first, without held changes of names.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_holders(call: &Call, address: &str) -> Result<Vec<EmailAddress>> {
    let lookup = EmailAddress::TABLE
        .lookup(lookups::email_address::ADDRESS)
        .ok_or_else(|| Error::internal("addresses have no lookup"))?;
    let lookups = vec![(lookup, fold_value(lookup, address).into_owned())];
    let filter = Filter { lookups, limit: MOST_HOLDERS, ..Filter::default() };
    let rows = call.kernel().store().list(EmailAddress::TABLE, &filter).await?;
    let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
    let mut all: Vec<EmailAddress> = call.find_many(&ids).await?;
    all.retain(|address| is_open(address, call.now()) && !address.holds_names);
    Ok(all)
}

/// Adds claims of an identity to a commit, each with a letter. The first letters to an address go at once; then none goes
/// for a while, and the owner asks for a code later.
///
/// # Errors
/// `ALREADY_EXISTS` when another identity has proved one, `TOO_MANY_EMAILS`.
pub(crate) async fn add_claims(
    mail: Mail<'_>,
    call: &Call,
    unit: &mut Unit<'_>,
    identity: &Identity,
    wanted: Vec<Claim>,
) -> Result<()> {
    let mut known = load_claims(call, &identity.id).await?;
    known.retain(|known| {
        !known.holds_names && !wanted.iter().any(|claim| email::is_same(&claim.address, &known.address))
    });
    if identity.emails.len() + known.len() + wanted.len() > MOST {
        let message = format!("an identity has at most {MOST} e-mail addresses; remove one first");
        return Err(Error::new(ErrorReason::TooManyEmails, message));
    }
    for before in load_claims(call, &identity.id).await? {
        // The address of the sign-up goes on waiting.
        if wanted.iter().any(|claim| email::is_same(&claim.address, &before.address)) && before.id != identity.id {
            unit.remove_as(before, actions::EMAIL_CLAIM_ENDED)?;
        }
    }
    let own = load_claims(call, &identity.id).await?.into_iter().find(|known| known.id == identity.id);
    for claim in wanted {
        if own.as_ref().is_some_and(|own| email::is_same(&own.address, &claim.address)) {
            continue;
        }
        check_free(call, &claim.address).await?;
        let id = if claim.signs_in { identity.id.clone() } else { call.new_id() };
        let mut address = EmailAddress {
            id,
            owner_id: identity.id.clone(),
            sign_in_address: if claim.signs_in { claim.address.clone() } else { String::new() },
            address: claim.address,
            expires_at: Some(to_timestamp(call.now().saturating_add(CLAIM))),
            primary: claim.primary,
            replaces: claim.replaces,
            ..EmailAddress::default()
        };
        if check_ready(call, Channel::Email, &address.address).await.is_ok()
            && check_rate_limit(mail, call, &address.address).is_ok()
        {
            send_claim_code(mail, call, unit, identity, &mut address)?;
        }
        unit.create_as(address, actions::EMAIL_CLAIMED)?;
    }
    Ok(())
}

/// Refuses an address that an identity has proved.
async fn check_free(call: &Call, address: &str) -> Result<()> {
    match call.find_id_by::<Identity>(lookups::identity::EMAILS_ADDRESS, address).await? {
        Some(_) => Err(Error::new(Common::AlreadyExists, "this e-mail address is another identity's")),
        None => Ok(()),
    }
}

/// Limits letters to one address, whoever asks for them.
///
/// # Errors
/// `SIGN_IN_THROTTLED`.
pub(crate) fn check_rate_limit(mail: Mail<'_>, call: &Call, address: &str) -> Result<()> {
    mail.rate_limit.count_attempt(&Throttle::key(Kind::Account, &format!("codes {address}")), call.machine_now())
}

/// Puts a new code into a claim, and its letter into a commit, which also has to write the claim.
///
/// # Errors
/// Those of [`Notices::enqueue_letter`].
pub(crate) fn send_claim_code(
    mail: Mail<'_>,
    call: &Call,
    unit: &mut Unit<'_>,
    identity: &Identity,
    address: &mut EmailAddress,
) -> Result<()> {
    let code = mail.resets.new_code();
    address.code_hash = resets::digest_code(&address.id, &code);
    address.code_expires_at = Some(to_timestamp(call.machine_now().saturating_add(CODE)));
    address.attempts = 0;
    let (template, values) = match address.holds_names {
        true => (Template::NamesHeld, list_name_changes(address)),
        false => (Template::EmailCode, BTreeMap::new()),
    };
    let code = Some(resets::format_code(&code));
    let letter = Letter { values, code, ..Letter::at(identity, address.address.clone(), template) };
    mail.notices.enqueue_letter(call, unit, letter)
}

/// Lists what a held change adds and removes, and which address becomes the primary one, for its letter.
fn list_name_changes(held: &EmailAddress) -> BTreeMap<String, String> {
    let listed = |names: Vec<&str>| if names.is_empty() { "–".to_owned() } else { names.join(", ") };
    let removed = held.replaces.iter().chain(&held.removes_usernames).map(String::as_str).collect();
    let primary = Some(held.makes_primary.as_str()).filter(|address| !address.is_empty());
    [
        ("added", listed(held.adds_usernames.iter().map(String::as_str).collect())),
        ("removed", listed(removed)),
        ("primary", listed(primary.into_iter().collect())),
    ]
    .map(|(gap, value)| (gap.to_owned(), value))
    .into()
}

/// Whether that is the code of the claim, and is good still.
pub(crate) fn is_code(address: &EmailAddress, code: &str, now: Micros) -> bool {
    let fresh = address.code_expires_at.as_ref().is_some_and(|at| now < to_micros(at));
    fresh && resets::has_digest(&address.id, &address.code_hash, code)
}

/// The identity with a claimed address among its names. Every claim to the address ends in the same commit.
///
/// # Errors
/// `ALREADY_EXISTS` when another identity has proved it, or the error of a rule of identities.
pub(crate) async fn prove_claim(
    call: &Call,
    unit: &mut Unit<'_>,
    before: &Identity,
    claim: &EmailAddress,
) -> Result<Identity> {
    let mut after = before.clone();
    after.emails.retain(|email| !has(&claim.replaces, &email.address));
    after.emails.push(Email {
        address: claim.address.clone(),
        primary: claim.primary,
        verified_at: Some(call.timestamp()),
        ..Email::default()
    });
    end_claims(call, unit, &before.id, &claim.address).await?;
    keep_former(call, unit, before, &after).await?;
    unit.update_as(before, after, actions::EMAIL_PROVED)
}

/// The identity with a former address as its primary one again. The addresses that were added since are gone: who took
/// the account over may have added them.
///
/// # Errors
/// When the database does not answer, or the error of a rule of identities.
pub(crate) async fn restore_former(
    call: &Call,
    unit: &mut Unit<'_>,
    before: &Identity,
    former: &EmailAddress,
) -> Result<Identity> {
    if call.find_id_by::<Identity>(lookups::identity::EMAILS_ADDRESS, &former.address).await?.is_some() {
        return Ok(before.clone());
    }
    let since = former.created_at.as_ref().map_or(0, to_micros);
    let mut after = before.clone();
    after.emails.retain(|email| email.added_at.as_ref().map_or(0, to_micros) < since);
    after.emails.push(Email {
        address: former.address.clone(),
        primary: true,
        verified_at: Some(call.timestamp()),
        ..Email::default()
    });
    // Letters go no more to the addresses that were primary since, and what others changed since is held no more.
    for other in of(call, &before.id).await?.into_iter().filter(|other| other.id != former.id) {
        let over = other.former && other.created_at.as_ref().map_or(0, to_micros) >= since;
        if over || other.holds_names {
            unit.remove_as(other, actions::EMAIL_CLAIM_ENDED)?;
        }
    }
    end_claims(call, unit, &before.id, &former.address).await?;
    unit.update_as(before, after, actions::EMAIL_PROVED)
}

/// Ends every claim to an address, and the owner's own former one.
async fn end_claims(call: &Call, unit: &mut Unit<'_>, owner_id: &str, address: &str) -> Result<()> {
    for other in load_holders(call, address).await? {
        if !other.former || other.owner_id == owner_id {
            unit.remove_as(other, actions::EMAIL_CLAIM_ENDED)?;
        }
    }
    Ok(())
}

/// Moves the new addresses of a change into claims: they count for nothing before their proof. Addresses that they
/// replace stay until then.
///
/// # Errors
/// As [`add_claims`].
pub(crate) async fn hold_back(
    mail: Mail<'_>,
    call: &Call,
    unit: &mut Unit<'_>,
    before: &Identity,
    after: &mut Identity,
) -> Result<bool> {
    let listed = |emails: &[Email], address: &str| emails.iter().any(|email| email::is_same(&email.address, address));
    let mut settled = after.clone();
    settled.derive_emails(Some(before), &call.timestamp());
    let added: Vec<Email> =
        settled.emails.iter().filter(|email| !listed(&before.emails, &email.address)).cloned().collect();
    if added.is_empty() {
        return Ok(false);
    }
    let gone: Vec<String> = before
        .emails
        .iter()
        .filter(|email| !listed(&after.emails, &email.address))
        .map(|email| email.address.clone())
        .collect();
    after.emails.clone_from(&before.emails);
    let chosen = added.iter().position(|email| email.primary).unwrap_or(0);
    let claims = added.into_iter().enumerate().map(|(at, email)| Claim {
        address: email.address,
        primary: email.primary,
        replaces: if at == chosen { gone.clone() } else { Vec::new() },
        signs_in: false,
    });
    add_claims(mail, call, unit, before, claims.collect()).await?;
    Ok(true)
}

/// Adds to a commit that letters go to the primary address from before for three more days.
///
/// # Errors
/// When the database does not answer, or the error of a rule of identities.
pub(crate) async fn keep_former(call: &Call, unit: &mut Unit<'_>, before: &Identity, after: &Identity) -> Result<()> {
    let mut settled = after.clone();
    Derive::derive(&mut settled, Some(before), &call.timestamp())?;
    let Some(address) = before.primary_email() else { return Ok(()) };
    if settled.primary_email().is_some_and(|now| email::is_same(now, address)) {
        return Ok(());
    }
    let known = load_former(call, &before.id).await?;
    // Many changes in a row do not push the first address out.
    if known.len() >= MOST || has(&known, address) {
        return Ok(());
    }
    let former = EmailAddress {
        owner_id: before.id.clone(),
        address: address.to_owned(),
        former: true,
        expires_at: Some(to_timestamp(call.now().saturating_add(FORMER))),
        ..EmailAddress::default()
    };
    unit.create_as(former, actions::EMAIL_MADE_FORMER).map(drop)
}

/// The former addresses that letters of an identity go to as well.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_former(call: &Call, owner_id: &str) -> Result<Vec<String>> {
    let all = of(call, owner_id).await?;
    Ok(all.into_iter().filter(|address| address.former).map(|address| address.address).collect())
}

/// The letters of one text to an identity: to its primary address, and to former ones.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn build_letters(call: &Call, identity: &Identity, template: Template) -> Result<Vec<Letter>> {
    let mut letters: Vec<Letter> = Letter::for_identity(identity, template).into_iter().collect();
    add_former(call, identity, template, &mut letters).await?;
    Ok(letters)
}

/// Adds a letter of one text to each former address that has none yet.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn add_former(
    call: &Call,
    identity: &Identity,
    template: Template,
    letters: &mut Vec<Letter>,
) -> Result<()> {
    for address in load_former(call, &identity.id).await? {
        let goes = |letter: &Letter| letter.template == template && email::is_same(&letter.address, &address);
        if !letters.iter().any(goes) {
            letters.push(Letter::at(identity, address, template));
        }
    }
    Ok(())
}

/// Adds to the commit that removes an identity that its claims and former addresses go with it.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn remove_all(call: &Call, unit: &mut Unit<'_>, owner_id: &str) -> Result<()> {
    for address in of(call, owner_id).await? {
        unit.remove(address)?;
    }
    Ok(())
}

fn is_open(address: &EmailAddress, now: Micros) -> bool {
    address.expires_at.as_ref().is_some_and(|at| now < to_micros(at))
}

fn has(all: &[String], address: &str) -> bool {
    all.iter().any(|known| email::is_same(known, address))
}
