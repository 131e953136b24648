//! PreparePasswordReset: looks up the name that was asked for, and sends the code.

use pavise_kernel::time::{micros, timestamp};
use pavise_kernel::{Call, Result};

use super::Identities;
use super::name::one_name;
use crate::contract::v1::{Identity, PasswordReset, PasswordResetStatus, PreparePasswordResetRequest};
use crate::notices::{Letter, Template};
use crate::resets::{self, GOOD_FOR, Wanted};

pub(crate) async fn prepare_password_reset(call: &Call, request: PreparePasswordResetRequest) -> Result<PasswordReset> {
    let service = &*call.provided::<Identities>()?;
    let reset: PasswordReset = call.get(&request.password_reset_id).await?;
    if reset.status() != PasswordResetStatus::Requested {
        return call.answer_unchanged(reset).await;
    }
    // An old request is ignored: its sender has asked again by now.
    let old = call.now().saturating_sub(reset.created_at.as_ref().map_or(0, micros)) >= GOOD_FOR;
    let wanted = service.resets.open(&reset).filter(|_| !old);
    let found = match &wanted {
        Some(wanted) => owner(call, wanted).await?,
        None => None,
    };
    let mut unit = call.unit();
    let ignored =
        PasswordReset { status: PasswordResetStatus::Ignored.into(), sealed_name: Vec::new(), ..reset.clone() };
    let letter =
        found.and_then(|identity| Letter::to(&identity, Template::PasswordReset).map(|letter| (identity, letter)));
    let Some((identity, letter)) = letter else {
        let ignored = unit.update(&reset, ignored)?;
        return unit.answer(ignored).await;
    };
    for earlier in resets::find_good(call, &identity.id).await? {
        unit.update(&earlier, resets::close(&earlier, PasswordResetStatus::Void))?;
    }
    let code = service.resets.new_code();
    let locale =
        if letter.locale.is_empty() { wanted.map(|wanted| wanted.locale).unwrap_or_default() } else { letter.locale };
    let values = [("user".to_owned(), identity.id.clone())].into();
    let code_hash = resets::digest(&reset.id, &code);
    service.notices.enqueue(
        call,
        &mut unit,
        Letter { locale, values, code: Some(resets::format_code(&code)), ..letter },
    )?;
    let sent = PasswordReset {
        owner_id: identity.id,
        status: PasswordResetStatus::Sent.into(),
        code_hash,
        expires_at: Some(timestamp(call.now().saturating_add(GOOD_FOR))),
        ..ignored
    };
    let sent = unit.update(&reset, sent)?;
    unit.answer(sent).await
}

async fn owner(call: &Call, wanted: &Wanted) -> Result<Option<Identity>> {
    let (lookup, name) = one_name(&wanted.email, &wanted.username)?;
    call.find_unscoped_by::<Identity>(lookup, name).await
}
