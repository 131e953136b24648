//! The payment method of an order.

use pavise_kernel::{Call, Error, Result, time};
use tonic::Code;

use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::{self, GetPaymentMethodRequest, PaymentMethodStatus, PaymentMethodType};
use crate::contract::roles;
use crate::contract::v1::{ErrorReason, Order, PaymentMethod};

/// Loads the payment method of the buyer and checks that it can pay the order.
///
/// # Errors
/// `INVALID_FIELD` for a payment method of somebody else, `PAYMENT_METHOD_NOT_USABLE`.
pub(crate) async fn load_payment_method(call: &Call, order: &Order, id: &str) -> Result<PaymentMethod> {
    let mut billing = PaymentMethodServiceClient::new(call.peer_channel("billing"));
    let request = GetPaymentMethodRequest { identity_id: order.owner_id.clone(), payment_method_id: id.to_owned() };
    let method = match billing.get_payment_method(call.peer_request(request, "payment_method")).await {
        Ok(method) => method.into_inner(),
        Err(status) if status.code() == Code::NotFound => {
            return Err(Error::field("payment_method_id", "is no payment method of the buyer"));
        }
        Err(status) => return Err(status.into()),
    };
    // An administrator who buys for a member charges a payment method of the group, never one of the member.
    let for_member = call.has_role(roles::GROUP_ADMIN) && call.caller().identity != order.owner_id;
    if for_member && method.group_id != order.group_id {
        return Err(Error::new(
            ErrorReason::PaymentMethodNotUsable,
            "the payment method was not added through the group",
        ));
    }
    check_payment_method(order, &method, call.now())
}

/// Checks that a payment method can pay an order. Answers its kind.
fn check_payment_method(order: &Order, method: &billing::PaymentMethod, now: time::Micros) -> Result<PaymentMethod> {
    let status = method.status().spelling();
    let refused = |why: String| Err(Error::new(ErrorReason::PaymentMethodNotUsable, why).with("status", status));
    if method.status() != PaymentMethodStatus::Active {
        return refused(format!("the payment method is {status}"));
    }
    if method.cooldown_until.as_ref().is_some_and(|until| time::to_micros(until) > now) {
        return refused(
            "the payment method was refused for good and cannot be tried again yet; use another".to_owned(),
        );
    }
    let group = &method.group_id;
    if !group.is_empty() && *group != order.group_id {
        return refused("the payment method was added by a group and pays orders of that group only".to_owned());
    }
    match method.r#type() {
        PaymentMethodType::CreditCard => Ok(PaymentMethod::CreditCard),
        PaymentMethodType::BankDraft => Ok(PaymentMethod::BankDraft),
        PaymentMethodType::PremiumBilling if !group.is_empty() => Ok(PaymentMethod::PremiumBilling),
        PaymentMethodType::PremiumBilling => {
            refused("PREMIUM_BILLING pays orders of the group that added it only".to_owned())
        }
        PaymentMethodType::Check | PaymentMethodType::Unspecified => {
            refused("an order cannot be paid by CHECK".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_pays_no_order_and_a_group_pays_only_its_own() {
        let method = |kind: PaymentMethodType| billing::PaymentMethod {
            r#type: kind.into(),
            status: PaymentMethodStatus::Active.into(),
            ..billing::PaymentMethod::default()
        };
        let group = Order { group_id: "g".into(), ..Order::default() };
        let of =
            |group: &str, kind: PaymentMethodType| billing::PaymentMethod { group_id: group.into(), ..method(kind) };
        assert_eq!(
            check_payment_method(&Order::default(), &method(PaymentMethodType::CreditCard), 0).unwrap(),
            PaymentMethod::CreditCard
        );
        assert_eq!(
            check_payment_method(&group, &method(PaymentMethodType::CreditCard), 0).unwrap(),
            PaymentMethod::CreditCard
        );
        assert_eq!(
            check_payment_method(&group, &of("g", PaymentMethodType::PremiumBilling), 0).unwrap(),
            PaymentMethod::PremiumBilling
        );
        assert!(check_payment_method(&Order::default(), &method(PaymentMethodType::PremiumBilling), 0).is_err());
        assert!(
            check_payment_method(&group, &method(PaymentMethodType::PremiumBilling), 0).is_err(),
            "the group did not add it"
        );
        for kind in [PaymentMethodType::CreditCard, PaymentMethodType::BankDraft, PaymentMethodType::PremiumBilling] {
            check_payment_method(&group, &of("g", kind), 0).unwrap();
            assert!(
                check_payment_method(&Order::default(), &of("g", kind), 0).is_err(),
                "the group pays no private order: {kind:?}"
            );
            assert!(check_payment_method(&group, &of("h", kind), 0).is_err(), "nor one of another group: {kind:?}");
        }
        assert!(check_payment_method(&group, &method(PaymentMethodType::Check), 0).is_err());
        let cooling = billing::PaymentMethod {
            cooldown_until: Some(time::to_timestamp(2)),
            ..method(PaymentMethodType::CreditCard)
        };
        assert!(check_payment_method(&group, &cooling, 1).is_err());
        check_payment_method(&group, &cooling, 2).unwrap();
    }
}
