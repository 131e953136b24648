//! Makes a claimed address a name of its identity, or a held change of names take effect, by the code of a letter.

use pavise_kernel::{Call, Error, Result, email};

use super::consequences::build_letters;
use crate::contract::actions;
use crate::contract::v1::{EmailAddress, ErrorReason, Identity, ProveEmailRequest};
use crate::shared::notices::Template;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;
use crate::shared::{addresses, held_names};

/// How many wrong codes end a code.
const MOST_ATTEMPTS: i32 = 20;

pub(crate) async fn prove_email(call: &Call, request: ProveEmailRequest) -> Result<Identity> {
    let service = &*call.identities()?;
    let guesses = Throttle::key(Kind::Account, &format!("proofs of {}", request.identity_id));
    service.questions.count_attempt(&guesses, call.machine_now())?;
    let claim = find_claim(call, &request.identity_id, &request.email).await?.ok_or_else(invalid_code_error)?;
    if !addresses::is_code(&claim, &request.code, call.machine_now()) {
        count(call, &claim).await?;
        return Err(invalid_code_error());
    }
    let before: Identity = call.get(&request.identity_id).await?;
    let mut unit = call.unit();
    let after = if claim.holds_names {
        // The owner of another primary address by now does not confirm it with the former one.
        if !before.primary_email().is_some_and(|address| address.eq_ignore_ascii_case(&claim.address)) {
            return Err(invalid_code_error());
        }
        held_names::confirm_names(call, &mut unit, &before, claim).await?
    } else {
        addresses::prove_claim(call, &mut unit, &before, &claim).await?
    };
    let mut told = build_letters(&before, &after);
    if !told.is_empty() {
        addresses::add_former(call, &before, Template::NamesChanged, &mut told).await?;
    }
    for letter in told {
        service.notices.enqueue_letter(call, &mut unit, letter)?;
    }
    let after = unit.commit_answer(after).await?;
    service.questions.forgive_failures(&guesses, call.machine_now());
    Ok(after)
}

/// The caller's open claim to an address.
pub(super) async fn find_claim(call: &Call, owner_id: &str, address: &str) -> Result<Option<EmailAddress>> {
    let claims = addresses::load_claims(call, owner_id).await?;
    Ok(claims.into_iter().find(|claim| email::is_same(&claim.address, address)))
}

/// Counts a wrong code; the twentieth ends the code.
async fn count(call: &Call, before: &EmailAddress) -> Result<()> {
    let attempts = before.attempts.saturating_add(1);
    let code_hash = if attempts < MOST_ATTEMPTS { before.code_hash.clone() } else { String::new() };
    let mut unit = call.unit();
    let after = EmailAddress { attempts, code_hash, ..before.clone() };
    unit.update_as(before, after, actions::identity_audit::EMAIL_CODE_REFUSED)?;
    unit.commit().await.map(drop)
}

/// The refusal of a code.
pub(super) fn invalid_code_error() -> Error {
    Error::new(ErrorReason::EmailCodeNotGood, "the code is not good, or not any more; ask for another one")
}
