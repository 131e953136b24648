//! The one place through which every use of a payment method passes.
//!
//! It answers two questions. May this payer use this method: their own, or for a plan of the group that added it, active,
//! not expired, not cooling down, of a vendor that this server can ask? And is the amount owed: by an order or an
//! invoice of this payer, in its currency, up to what is open on it? Calls that only name a method for later charges ask
//! the first question ([`admit_naming`]). Calls that ask a vendor ask both ([`admit_use`]).
//!
//! A vendor takes nothing but an [`AdmittedUse`], which only this module makes. So a new call cannot charge a method
//! without passing here.

pub(crate) mod admitted;
mod debt;
mod method;

use pavise_kernel::{Call, Result, Unit};

use super::transactions::plan::Plan;
use crate::contract::v1::{PaymentMethod, Transaction, TransactionType};
use crate::shared::tools::Tools as _;

pub(crate) use admitted::AdmittedUse;
pub(crate) use debt::{check_invoice, find_group, load_order};
pub(crate) use method::{UsableWhen, admit_naming};

/// A use of a payment method that may be recorded as a transaction.
#[derive(Debug)]
#[must_use = "an admitted use is recorded as a transaction"]
pub(crate) struct Admission {
    method: PaymentMethod,
}

/// Admits a planned transaction of `payer`, or refuses it. The commit of `unit` relies on what was read.
///
/// # Errors
/// `NOT_FOUND` for a method, an order or an invoice of somebody else, `PAYMENT_METHOD_INACTIVE`,
/// `PAYMENT_METHOD_EXPIRED`, `PAYMENT_METHOD_COOLING_DOWN`, `PAYMENT_METHOD_NOT_CHARGEABLE`, `VENDOR_NOT_CONFIGURED`,
/// `NOT_OWED`, `PAYMENT_EXCEEDS_OPEN_AMOUNT`, `CURRENCY_MISMATCH`.
pub(crate) async fn admit_use(call: &Call, unit: &mut Unit<'_>, payer: &str, plan: &Plan) -> Result<Admission> {
    check_use(call, unit, payer, plan, "").await.map(|method| Admission { method })
}

/// Admits a recorded transaction once more, before it is sent late: its method may have been deleted, and its order
/// paid in another way.
///
/// # Errors
/// As [`admit_use`].
pub(crate) async fn admit_again(call: &Call, recorded: &Transaction) -> Result<AdmittedUse> {
    let plan = Plan::from_recorded(recorded);
    // Nothing is committed: the transaction is recorded already.
    let mut unit = call.unit();
    let method = check_use(call, &mut unit, &recorded.owner_id, &plan, &recorded.id).await?;
    Ok(Admission { method }.into_use(recorded))
}

impl Admission {
    /// The method.
    pub(crate) fn method(&self) -> &PaymentMethod {
        &self.method
    }

    /// The use, once it is recorded.
    pub(crate) fn into_use(self, recorded: &Transaction) -> AdmittedUse {
        AdmittedUse::new(self.method, recorded)
    }
}

/// Checks the method, and the debt of a payment. `except` is the transaction itself, if it is recorded already.
async fn check_use(call: &Call, unit: &mut Unit<'_>, payer: &str, plan: &Plan, except: &str) -> Result<PaymentMethod> {
    let method = method::load_method(call, payer, plan).await?;
    method::check_kind(&method)?;
    match plan.kind {
        // A refund goes back to where the payment came from: also to a method that is INACTIVE, has expired or is in
        // cooldown. The payment bounds its amount.
        TransactionType::Refund => {}
        TransactionType::Verify => {
            method::check_standing(call, &method)?;
            method::check_verifiable(call, &method)?;
        }
        // The authorization was admitted for its order, and bounds the amount.
        TransactionType::Charge if !plan.parent.is_empty() => method::check_standing(call, &method)?,
        TransactionType::Authorize | TransactionType::Charge | TransactionType::Sale | TransactionType::Unspecified => {
            method::check_standing(call, &method)?;
            debt::check_debt(call, unit, payer, plan, &method, except).await?;
        }
    }
    call.vendors()?.get(method.vendor())?;
    Ok(method)
}
