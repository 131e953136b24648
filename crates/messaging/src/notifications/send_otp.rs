//! Has the identity domain send the code of a factor.

use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::identity::factor_service_client::FactorServiceClient;
use crate::contract::identity::{Factor, FactorStatus, FactorType, ListFactorsRequest, SendFactorCodeRequest};
use crate::contract::v1::{ErrorReason, NotificationType, SendOtpRequest, SendOtpResponse};

pub(crate) async fn send_otp(call: &Call, request: SendOtpRequest) -> Result<SendOtpResponse> {
    let wanted = match request.r#type() {
        NotificationType::Unspecified => None,
        NotificationType::Email => Some(FactorType::Email),
        NotificationType::Sms => Some(FactorType::Sms),
        NotificationType::Push | NotificationType::Pulse => {
            return Err(Error::field("type", "codes are sent by mail or by text message"));
        }
    };
    let identity_id = request.identity_id;
    let mut factors = FactorServiceClient::new(call.peer_channel("identity"));
    let list = ListFactorsRequest { identity_id: identity_id.clone(), page_size: 500, ..ListFactorsRequest::default() };
    let all = factors.list_factors(Request::new(list)).await?.into_inner().factors;
    let gets_codes = |factor: &&Factor| {
        let is_wanted = wanted.is_none_or(|wanted| factor.r#type() == wanted);
        factor.status() == FactorStatus::Active
            && matches!(factor.r#type(), FactorType::Email | FactorType::Sms)
            && is_wanted
    };
    let factor = all.iter().filter(gets_codes).max_by_key(|factor| factor.primary);
    let factor = factor.ok_or_else(|| {
        Error::new(ErrorReason::NoFactorForCodes, "the identity has no factor whose codes are sent this way")
    })?;
    let factor_id = factor.id.clone();
    if !call.validate_only() {
        let send = SendFactorCodeRequest { identity_id, factor_id: factor_id.clone() };
        factors.send_factor_code(call.peer_request(send, "code")).await?;
    }
    Ok(SendOtpResponse { factor_id })
}
