//! Shares drawn from a transaction: refunds from a payment, charges from an authorization. A share is reserved before
//! the vendor is asked and released when the vendor refuses. So all shares together never exceed the transaction.

use pavise_kernel::common::v1::Money;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{ErrorReason, Transaction, TransactionStatus, TransactionType};
use crate::shared::money;

/// The amount of `parent` that a child of type `kind` can still draw, in minor units.
pub(crate) fn drawable_amount(parent: &Transaction, kind: TransactionType) -> i64 {
    let drawn = match kind {
        TransactionType::Refund => parent.refunded_amount.as_ref(),
        _ => parent.captured_amount.as_ref(),
    };
    money::to_minor_units(parent.amount.as_ref()).saturating_sub(money::to_minor_units(drawn))
}

/// Reserves `wanted`, or all that is left, on `parent` for a child of type `kind`. Answers the amount.
///
/// # Errors
/// `NOT_REFUNDABLE`, `REFUND_EXCEEDS_PAYMENT`, `NOT_CAPTURABLE`, `CURRENCY_MISMATCH`, `INVALID_FIELD`.
pub(crate) fn reserve_share(parent: &mut Transaction, kind: TransactionType, wanted: Option<Money>) -> Result<Money> {
    let refund = kind == TransactionType::Refund;
    let drawable = match parent.r#type() {
        TransactionType::Charge | TransactionType::Sale => refund,
        TransactionType::Authorize => kind == TransactionType::Charge,
        TransactionType::Verify | TransactionType::Refund | TransactionType::Unspecified => false,
    };
    // Money that was taken back by the bank is not given back once more.
    let standing = parent.status() == TransactionStatus::Approved && parent.reversed_at.is_none();
    let whole = parent.amount.filter(|_| drawable && standing);
    let Some(whole) = whole else {
        let (reason, done) =
            if refund { (ErrorReason::NotRefundable, "refunded") } else { (ErrorReason::NotCapturable, "charged") };
        let message =
            format!("a {} that is {} cannot be {done}", parent.r#type().spelling(), parent.status().spelling());
        return Err(Error::new(reason, message));
    };
    let most = drawable_amount(parent, kind);
    let amount = match wanted {
        Some(wanted) => money::check_positive("amount", Some(wanted))?,
        None => money::in_same_currency(&whole, most),
    };
    money::check_currency("payment", whole.currency, &amount)?;
    if amount.amount > most || most == 0 {
        let (reason, done) = if refund {
            (ErrorReason::RefundExceedsPayment, "refunded")
        } else {
            (ErrorReason::NotCapturable, "charged")
        };
        let most = money::in_same_currency(&whole, most);
        return Err(Error::new(reason, format!("at most {} can be {done}", money::format_amount(&most)))
            .with("left", most.amount.to_string()));
    }
    draw(parent, kind, amount.amount);
    Ok(amount)
}

/// Releases the share of a refused child of type `kind` on `parent`.
pub(crate) fn release_share(parent: &mut Transaction, kind: TransactionType, amount: i64) {
    draw(parent, kind, -amount);
}

fn draw(parent: &mut Transaction, kind: TransactionType, by: i64) {
    let Some(whole) = parent.amount else { return };
    let drawn = if kind == TransactionType::Refund { &mut parent.refunded_amount } else { &mut parent.captured_amount };
    let sum = money::to_minor_units(drawn.as_ref()).saturating_add(by).max(0);
    *drawn = (sum > 0).then(|| money::in_same_currency(&whole, sum));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn usd(amount: i64) -> Money {
        Money { currency: 1, amount }
    }

    fn approved(kind: TransactionType, amount: i64) -> Transaction {
        Transaction {
            r#type: kind.into(),
            status: TransactionStatus::Approved.into(),
            amount: Some(usd(amount)),
            ..Transaction::default()
        }
    }

    #[test]
    fn only_approved_payments_are_refunded_and_only_authorizations_are_charged() {
        use TransactionType::{Authorize, Charge, Refund, Sale, Verify};
        for (parent, child, may) in [
            (Sale, Refund, true),
            (Charge, Refund, true),
            (Authorize, Charge, true),
            (Authorize, Refund, false),
            (Refund, Refund, false),
            (Verify, Refund, false),
            (Sale, Charge, false),
        ] {
            assert_eq!(
                reserve_share(&mut approved(parent, 100), child, Some(usd(1))).is_ok(),
                may,
                "{parent:?} {child:?}"
            );
        }
        for status in [
            TransactionStatus::Created,
            TransactionStatus::Timedout,
            TransactionStatus::Declined,
            TransactionStatus::HardDeclined,
        ] {
            let mut parent = Transaction { status: status.into(), ..approved(Sale, 100) };
            assert!(reserve_share(&mut parent, Refund, None).unwrap_err().is(ErrorReason::NotRefundable));
        }
    }

    #[test]
    fn another_currency_is_refused() {
        let mut parent = approved(TransactionType::Sale, 100);
        let cad = Money { currency: 2, amount: 1 };
        assert!(
            reserve_share(&mut parent, TransactionType::Refund, Some(cad))
                .unwrap_err()
                .is(ErrorReason::CurrencyMismatch)
        );
    }

    proptest! {
        /// In any order of requests and refusals, refunds never exceed the payment, and the rest can be refunded.
        #[test]
        fn refunds_never_exceed_the_payment(paid in 1_i64..10_000, wishes in proptest::collection::vec((0_i64..12_000, any::<bool>()), 0..40)) {
            let mut parent = approved(TransactionType::Sale, paid);
            let mut refunded = 0;
            for (wish, accepted) in wishes {
                let wanted = (wish > 0).then(|| usd(wish));
                let fits = if wish == 0 { refunded < paid } else { refunded + wish <= paid };
                match reserve_share(&mut parent, TransactionType::Refund, wanted) {
                    Ok(amount) => {
                        prop_assert!(fits);
                        prop_assert_eq!(amount.amount, if wish == 0 { paid - refunded } else { wish });
                        if accepted { refunded += amount.amount } else { release_share(&mut parent, TransactionType::Refund, amount.amount) }
                    }
                    Err(error) => {
                        prop_assert!(!fits);
                        prop_assert!(error.is(ErrorReason::RefundExceedsPayment));
                    }
                }
                prop_assert_eq!(money::to_minor_units(parent.refunded_amount.as_ref()), refunded);
                prop_assert_eq!(drawable_amount(&parent, TransactionType::Refund), paid - refunded);
            }
        }
    }
}
