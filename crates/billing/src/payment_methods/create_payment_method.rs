//! Adds a payment method of a member.

use pavise_kernel::{Call, Error, Result};

use super::support::defaults;
use super::support::new_payment_method::build_payment_method;
use crate::contract::roles;
use crate::contract::v1::{CreatePaymentMethodRequest, PaymentMethod, PaymentMethodType};
use crate::shared::retry::retry_contention;

/// Adds a payment method of the member. The member's first one is the default. A member cannot add PREMIUM_BILLING,
/// because another party is billed.
pub(crate) async fn create_payment_method(call: &Call, request: CreatePaymentMethodRequest) -> Result<PaymentMethod> {
    let new = request.payment_method.unwrap_or_default();
    if new.r#type() == PaymentMethodType::PremiumBilling && call.has_role(roles::MEMBER) {
        let why = "must not be PREMIUM_BILLING: the group that is billed adds it for its members";
        return Err(Error::field("payment_method.type", why));
    }
    let entity = PaymentMethod { owner_id: call.owner().to_owned(), ..build_payment_method(call, new).await? };
    retry_contention(call, || async {
        let mut unit = call.unit();
        let others = defaults::load_active(call).await?;
        let is_default = entity.is_default || !others.iter().any(|other| other.is_default);
        if is_default {
            defaults::clear_default(&mut unit, &others)?;
        }
        let made = unit.create(PaymentMethod { is_default, ..entity.clone() })?;
        unit.commit_answer(made).await
    })
    .await
}
