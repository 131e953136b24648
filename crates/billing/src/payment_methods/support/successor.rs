//! The successor of a payment method that subscriptions are paid with.

use std::future::ready;

use pavise_kernel::{Call, Error, Page, Result, Unit};

use super::card;
use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{
    ErrorReason, PaymentMethod, Subscription, SubscriptionStatus, UpdateSubscriptionPaymentMethodRequest,
};
use crate::shared::admission::{UsableWhen, admit_naming};

/// Names the successor on each subscription that is paid with the method. Answers whether there are any. A repeat goes on
/// where an interrupted call ended.
pub(crate) async fn give_successor(call: &Call, method: &PaymentMethod, successor_id: &str) -> Result<bool> {
    let paid = find_paid(call, &method.id).await?;
    for subscription in &paid {
        let group = ready(Ok(subscription.group_id.clone()));
        admit_naming(call, successor_id, group, UsableWhen::Now).await?;
    }
    if paid.is_empty() {
        admit_naming(call, successor_id, ready(Ok(String::new())), UsableWhen::Now).await?;
    }
    if call.validate_only() {
        return Ok(!paid.is_empty());
    }
    let mut subscriptions = SubscriptionServiceClient::new(call.peer_channel("billing"));
    for subscription in &paid {
        let request = UpdateSubscriptionPaymentMethodRequest {
            identity_id: subscription.owner_id.clone(),
            subscription_id: subscription.id.clone(),
            payment_method_id: successor_id.to_owned(),
        };
        subscriptions.update_subscription_payment_method(request).await?;
    }
    Ok(!paid.is_empty())
}

/// Refuses that a method becomes INACTIVE while a subscription is paid with it. One with an expired card pays for nothing.
/// The commit relies on it that no subscription names the method meanwhile.
///
/// # Errors
/// `PAYMENT_METHOD_IN_USE` with the ids of the subscriptions.
pub(crate) async fn check_unused(call: &Call, unit: &mut Unit<'_>, method: &PaymentMethod) -> Result<()> {
    if method.card.as_ref().is_some_and(|card| card::is_expired(card, call.today())) {
        return Ok(());
    }
    let mut paid = unit.expects_by::<Subscription>(lookups::PAYMENT_METHOD_ID, &method.id).await?;
    paid.retain(is_paid);
    if paid.is_empty() {
        return Ok(());
    }
    let (count, which) = if paid.len() == 1 {
        ("1".to_owned(), "subscription is")
    } else {
        (paid.len().to_string(), "subscriptions are")
    };
    let ids: Vec<&str> = paid.iter().map(|subscription| subscription.id.as_str()).collect();
    let message = format!("{count} {which} paid with the payment method; name its successor");
    Err(Error::new(ErrorReason::PaymentMethodInUse, message).with("subscription_ids", ids.join(",")))
}

/// The subscriptions that are paid with the method.
async fn find_paid(call: &Call, id: &str) -> Result<Vec<Subscription>> {
    let with = vec![(lookups::PAYMENT_METHOD_ID, id.to_owned())];
    let (mut found, _) = call.list_page::<Subscription>(Page { size: 500, token: "", filters: with }).await?;
    found.retain(is_paid);
    Ok(found)
}

/// Whether bills of the subscription are still to come.
fn is_paid(subscription: &Subscription) -> bool {
    subscription.status() != SubscriptionStatus::Cancelled
}
