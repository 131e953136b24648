//! Seals the secret of an authenticator app with the first of two key secrets.

use pavise_kernel::{Call, Error, Result};

use super::support::prove::{sealed_for, unreadable_error};
use crate::contract::v1::{AuthenticatorApp, Factor, ResealFactorRequest};
use crate::shared::tools::Tools as _;

pub(crate) async fn reseal_factor(call: &Call, request: ResealFactorRequest) -> Result<Factor> {
    let service = call.factors()?;
    let factor: Factor = call.get(&request.factor_id).await?;
    let app = factor.authenticator.clone().unwrap_or_default();
    if app.sealed_secret.is_empty() || service.seal.is_current(&app.sealed_secret) {
        return call.answer_unchanged(factor).await;
    }
    let bound = sealed_for(&factor.id);
    let secret = service.seal.open(&bound, &app.sealed_secret).ok_or_else(unreadable_error)?;
    let sealed_secret = service
        .seal
        .close(&bound, &secret, call.kernel().ids())
        .ok_or_else(|| Error::internal("the secret of an authenticator could not be sealed"))?;
    let mut unit = call.unit();
    let after = Factor { authenticator: Some(AuthenticatorApp { sealed_secret, ..app }), ..factor.clone() };
    let after = unit.update(&factor, after)?;
    unit.commit_answer(after).await
}
