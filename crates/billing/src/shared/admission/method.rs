//! Whether a payer may use a payment method.

use pavise_kernel::common::v1::Currency;
use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{BankAccount, ErrorReason, PaymentMethod, PaymentMethodStatus, TransactionType};
use crate::payment_methods::support::cooldown::check_not_cooling_down;
use crate::payment_methods::support::{card, kind};
use crate::shared::transactions::plan::Plan;

/// When a method that is named for later charges has to be usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UsableWhen {
    /// Now.
    Now,
    /// At the next charge. A plan that is paid for is set up, even if its card was deleted meanwhile.
    AtCharge,
}

/// Admits a method that an invoice or a subscription of the member names for its charges. `group` finds the group of the
/// plan that it pays for, empty for none; only a method of a group asks for it.
///
/// # Errors
/// `NOT_FOUND` for a method of somebody else, `PAYMENT_METHOD_NOT_CHARGEABLE` for one of another group,
/// `PAYMENT_METHOD_INACTIVE`, `PAYMENT_METHOD_EXPIRED`, `PAYMENT_METHOD_COOLING_DOWN`.
pub(crate) async fn admit_naming(
    call: &Call,
    id: &str,
    group: impl Future<Output = Result<String>> + Send,
    standing: UsableWhen,
) -> Result<()> {
    let method = load_owned(call, call.owner(), id).await?;
    if !method.group_id.is_empty() {
        check_pays_for(&method, &group.await?)?;
    }
    if standing == UsableWhen::Now { check_standing(call, &method) } else { Ok(()) }
}

/// Loads the method of a plan. A refund belongs to the member who paid; their method may have another owner by now.
pub(super) async fn load_method(call: &Call, payer: &str, plan: &Plan) -> Result<PaymentMethod> {
    if plan.kind != TransactionType::Refund {
        return load_owned(call, payer, &plan.payment_method_id).await;
    }
    let found: Option<PaymentMethod> = call.find_unscoped(&plan.payment_method_id).await?;
    found.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, &plan.payment_method_id))
}

/// Loads a payment method of `payer`.
pub(super) async fn load_owned(call: &Call, payer: &str, id: &str) -> Result<PaymentMethod> {
    let found: Option<PaymentMethod> = call.find_unscoped(id).await?;
    let own = found.filter(|method| !payer.is_empty() && method.owner_id == payer);
    own.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, id))
}

/// Refuses a method that is charged through no vendor.
pub(super) fn check_kind(method: &PaymentMethod) -> Result<()> {
    if kind::is_chargeable(method.r#type()) {
        return Ok(());
    }
    let message = format!("a {} is not charged through a vendor", method.r#type().spelling());
    Err(Error::new(ErrorReason::PaymentMethodNotChargeable, message))
}

/// Refuses a method that cannot be used now.
pub(super) fn check_standing(call: &Call, method: &PaymentMethod) -> Result<()> {
    if method.status() != PaymentMethodStatus::Active {
        return Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"));
    }
    if method.card.as_ref().is_some_and(|card| card::is_expired(card, call.today())) {
        return Err(Error::new(ErrorReason::PaymentMethodExpired, "the card has expired"));
    }
    check_not_cooling_down(method, call.now(), "it can be tried again")
}

/// Refuses a draft in another currency than the account's bank pays.
pub(super) fn check_currency(method: &PaymentMethod, currency: i32) -> Result<()> {
    let of_account = method.bank_account.as_ref().map_or(Currency::Unspecified, BankAccount::currency);
    if of_account == Currency::Unspecified || i32::from(of_account) == currency {
        return Ok(());
    }
    let why = format!("drafts on the account are made in {} only", of_account.spelling());
    Err(Error::new(ErrorReason::PaymentMethodNotChargeable, why))
}

/// Refuses a method of a group for anything outside that group: a group pays for its own plans only.
pub(super) fn check_pays_for(method: &PaymentMethod, group_id: &str) -> Result<()> {
    if method.group_id.is_empty() || method.group_id == group_id {
        return Ok(());
    }
    let why = "the payment method was added by a group and pays for plans of that group only";
    Err(Error::new(ErrorReason::PaymentMethodNotChargeable, why))
}

/// Refuses a member who verifies a method of their group: it is the group's to try.
pub(super) fn check_verifiable(call: &Call, method: &PaymentMethod) -> Result<()> {
    if method.group_id.is_empty() || !call.has_role(roles::MEMBER) {
        return Ok(());
    }
    let why = "the payment method was added by a group, which alone verifies it";
    Err(Error::new(ErrorReason::PaymentMethodNotChargeable, why))
}
