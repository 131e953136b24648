//! Ends an impersonation by the token that it gave, or for staff.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Error, Result};

use super::support::cookie;
use super::support::impersonation::into_ended;
use crate::contract::roles;
use crate::contract::v1::{
    EndImpersonationRequest, EndImpersonationResponse, ErrorReason, Impersonation, ImpersonationStatus,
};
use crate::shared::tools::Tools as _;

/// How many impersonations of one identity are looked through. Each is over within a quarter of an hour.
const MOST: u32 = 500;

pub(crate) async fn end_impersonation(
    call: &Call,
    request: EndImpersonationRequest,
) -> Result<EndImpersonationResponse> {
    let service = call.sessions()?;
    let (caller, is_staff) = (call.caller(), call.has_role(roles::STAFF));
    let found = match (&caller.actor, request.impersonation_id.as_str()) {
        (Some(_), "") => {
            vec![call.find_unscoped::<Impersonation>(&caller.session).await?.ok_or_else(not_impersonating_error)?]
        }
        (Some(_), id) if id != caller.session => return Err(Error::not_found("impersonation", id)),
        (None, "") if is_staff => find_own(call, &request.identity_id).await?,
        (None, _) if !is_staff => return Err(not_impersonating_error()),
        (_, id) => vec![call.get::<Impersonation>(id).await?],
    };
    let (mut unit, mut done) = (call.unit(), Vec::new());
    for one in found.into_iter().filter(|one| one.status() == ImpersonationStatus::Active) {
        unit.update(&one, into_ended(one.clone()))?;
        done.push(one.id);
    }
    if call.find_cookie(cookie::ACTING).is_some() {
        call.set_cookie(cookie::no_acting(service.config.secure_cookies));
    }
    unit.commit_answer(EndImpersonationResponse { ended: done }).await
}

/// The caller's own impersonations of an identity.
async fn find_own(call: &Call, identity: &str) -> Result<Vec<Impersonation>> {
    let statuses = vec![ImpersonationStatus::Active.spelling().to_owned()];
    let filter = Filter { owner: Some(identity.to_owned()), statuses, limit: MOST, ..Filter::default() };
    let rows = call.kernel().store().list(Impersonation::TABLE, &filter).await?;
    let found = call.find_many::<Impersonation>(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await?;
    Ok(found.into_iter().filter(|one| one.actor_id == call.caller().identity).collect())
}

fn not_impersonating_error() -> Error {
    Error::new(ErrorReason::NotImpersonating, "you act for nobody with this token")
}
