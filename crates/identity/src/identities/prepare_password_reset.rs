//! Looks up the name that a reset was asked for, and sends the code.

use pavise_kernel::time::{to_micros, to_timestamp};
use pavise_kernel::{Call, Result};

use super::support::name::{EMAIL, one_name};
use crate::contract::v1::{Credential, Identity, PasswordReset, PasswordResetStatus, PreparePasswordResetRequest};
use crate::shared::addresses;
use crate::shared::notices::{Letter, Template};
use crate::shared::resets;
use crate::shared::resets::{GOOD_FOR, WantedReset};
use crate::shared::tools::Tools as _;

pub(crate) async fn prepare_password_reset(call: &Call, request: PreparePasswordResetRequest) -> Result<PasswordReset> {
    let service = &*call.identities()?;
    let reset: PasswordReset = call.get(&request.password_reset_id).await?;
    if reset.status() != PasswordResetStatus::Requested {
        return call.answer_unchanged(reset).await;
    }
    // An old request is ignored: its sender has asked again by now.
    let old = call.now().saturating_sub(reset.created_at.as_ref().map_or(0, to_micros)) >= GOOD_FOR;
    let wanted = service.resets.open(&reset).filter(|_| !old);
    let found = match &wanted {
        Some(wanted) => find_receiver(call, wanted).await?,
        None => None,
    };
    let mut unit = call.unit();
    let ignored =
        PasswordReset { status: PasswordResetStatus::Ignored.into(), sealed_name: Vec::new(), ..reset.clone() };
    let Some(Receiver { identity, letters, email_address_id }) = found.filter(|found| !found.letters.is_empty()) else {
        let ignored = unit.update(&reset, ignored)?;
        return unit.commit_answer(ignored).await;
    };
    for earlier in resets::find_good(call, &identity.id).await? {
        unit.update(&earlier, resets::close_reset(&earlier, PasswordResetStatus::Void))?;
    }
    let code = service.resets.new_code();
    let code_hash = resets::digest_code(&reset.id, &code);
    let asked = wanted.map(|wanted| wanted.locale).unwrap_or_default();
    for letter in letters {
        let locale = if letter.locale.is_empty() { asked.clone() } else { letter.locale };
        let values = [("user".to_owned(), identity.id.clone())].into();
        let letter = Letter { locale, values, code: Some(resets::format_code(&code)), ..letter };
        service.notices.enqueue_letter(call, &mut unit, letter)?;
    }
    let sent = PasswordReset {
        owner_id: identity.id,
        status: PasswordResetStatus::Sent.into(),
        code_hash,
        email_address_id,
        expires_at: Some(to_timestamp(call.machine_now().saturating_add(GOOD_FOR))),
        ..ignored
    };
    let sent = unit.update(&reset, sent)?;
    unit.commit_answer(sent).await
}

/// Where a code goes, and to whose password it belongs.
struct Receiver {
    identity: Identity,
    letters: Vec<Letter>,
    /// The claim or former address that the code goes to alone; empty when it goes to the identity's own addresses.
    email_address_id: String,
}

/// The identity of the name, with letters to its primary address and to former ones. By a former address, the letter goes
/// there alone: the owner undoes a change of their addresses with it. A claim gets one only if its identity has no
/// password, because somebody else made it for the owner of the address.
async fn find_receiver(call: &Call, wanted: &WantedReset) -> Result<Option<Receiver>> {
    let (lookup, name) = one_name(&wanted.email, &wanted.username)?;
    if let Some(identity) = call.find_unscoped_by::<Identity>(lookup, name).await? {
        let letters = addresses::build_letters(call, &identity, Template::PasswordReset).await?;
        return Ok(Some(Receiver { identity, letters, email_address_id: String::new() }));
    }
    if lookup != EMAIL {
        return Ok(None);
    }
    let mut holders = addresses::load_holders(call, name).await?;
    holders.sort_by_key(|holder| !holder.former);
    for holder in holders {
        let has_password = call.find_unscoped::<Credential>(&holder.owner_id).await?.is_some();
        let Some(identity) = call.find_unscoped::<Identity>(&holder.owner_id).await? else { continue };
        if holder.former || !has_password {
            let letters = vec![Letter::at(&identity, holder.address, Template::PasswordReset)];
            return Ok(Some(Receiver { identity, letters, email_address_id: holder.id }));
        }
    }
    Ok(None)
}
