//! Checks the data of the employee on an enrollment.

use pavise_kernel::{Call, CheckRequest, Common, Error, Result};
use tonic::Request;

use crate::contract::billing::GetPaymentMethodRequest;
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{GroupEnrollment, UpdateGroupEnrollmentRequest};
use crate::employees::support::check_pay_period;
use crate::shared::group::load_group;

impl CheckRequest<UpdateGroupEnrollmentRequest> for GroupEnrollment {
    async fn check_request(
        call: &Call,
        enrollment: Option<&Self>,
        request: &UpdateGroupEnrollmentRequest,
    ) -> Result<()> {
        let Some(enrollment) = enrollment else { return Ok(()) };
        if !request.pay_period_id.is_empty() {
            let group = load_group(call, &enrollment.group_id).await?;
            check_pay_period(&group, &enrollment.division_id, &request.pay_period_id)?;
        }
        if request.payment_method_id.is_empty() {
            return Ok(());
        }
        let mut methods = PaymentMethodServiceClient::new(call.peer_channel("billing"));
        let ask = GetPaymentMethodRequest {
            identity_id: enrollment.owner_id.clone(),
            payment_method_id: request.payment_method_id.clone(),
        };
        match methods.get_payment_method(Request::new(ask)).await.map_err(Error::from) {
            // The employer's methods pay for what the employer pays.
            Ok(method) if method.get_ref().group_id.is_empty() => Ok(()),
            Ok(_) => Err(Error::field("payment_method_id", "is a payment method of the employer")),
            Err(error) if error.is(Common::NotFound) => {
                Err(Error::field("payment_method_id", "is no payment method of the employee"))
            }
            Err(error) => Err(error),
        }
    }
}
