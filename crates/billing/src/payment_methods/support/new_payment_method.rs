//! A payment method that a caller adds.

use pavise_kernel::{Call, Error, Result};

use super::{card, vendor_token};
use crate::contract::v1::{NewPaymentMethod, PaymentMethod, PaymentMethodType, Vendor};
use crate::shared::tools::Tools as _;

/// Makes the entity of a request, after the checks between its fields. A cooldown of the same token elsewhere holds
/// for it, too.
pub(crate) async fn build_payment_method(call: &Call, new: NewPaymentMethod) -> Result<PaymentMethod> {
    check_details(&new)?;
    if let Some(card) = &new.card {
        card::check_expiry("payment_method.card.expiry_year", card, call.today())?;
    }
    if new.vendor() != Vendor::Unspecified {
        vendor_token::check_token("payment_method.vendor_token", &new.vendor_token)?;
        // A method that no charge could use is refused now, and not at the purchase.
        call.vendors()?.get(new.vendor())?;
        vendor_token::check_origin(call, "payment_method.vendor_token", new.vendor())?;
    }
    let cooldown_until = vendor_token::find_cooldown(call, new.vendor, &new.vendor_token).await?;
    Ok(PaymentMethod {
        r#type: new.r#type,
        vendor: new.vendor,
        vendor_token: new.vendor_token,
        card: new.card,
        bank_account: new.bank_account,
        billing_address: new.billing_address,
        is_default: new.is_default,
        friendly_id_type: new.friendly_id_type,
        friendly_id: new.friendly_id,
        cooldown_until,
        ..PaymentMethod::default()
    })
}

/// Checks that vendor and details are those of the type.
fn check_details(new: &NewPaymentMethod) -> Result<()> {
    let kind = new.r#type();
    let (card, account) = (kind == PaymentMethodType::CreditCard, kind == PaymentMethodType::BankDraft);
    let rule = |field: &str, has: bool, wanted: bool| match (has, wanted) {
        (false, true) => {
            Err(Error::field(format!("payment_method.{field}"), format!("is required for {}", kind.spelling())))
        }
        (true, false) => {
            Err(Error::field(format!("payment_method.{field}"), format!("does not belong to {}", kind.spelling())))
        }
        _ => Ok(()),
    };
    rule("card", new.card.is_some(), card)?;
    rule("bank_account", new.bank_account.is_some(), account)?;
    rule("vendor", new.vendor() != Vendor::Unspecified, card || account)?;
    rule("vendor_token", !new.vendor_token.is_empty(), card || account)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{BankAccount, Card};

    #[test]
    fn each_type_takes_its_own_details() {
        let card = Some(Card::default());
        let account = Some(BankAccount::default());
        let new = |kind: PaymentMethodType,
                   vendor: Vendor,
                   token: &str,
                   card: &Option<Card>,
                   account: &Option<BankAccount>| {
            NewPaymentMethod {
                r#type: kind.into(),
                vendor: vendor.into(),
                vendor_token: token.to_owned(),
                card: card.clone(),
                bank_account: account.clone(),
                ..NewPaymentMethod::default()
            }
        };
        let check = |new: NewPaymentMethod| check_details(&new);
        assert!(check(new(PaymentMethodType::CreditCard, Vendor::Test, "t", &card, &None)).is_ok());
        assert!(check(new(PaymentMethodType::BankDraft, Vendor::Test, "t", &None, &account)).is_ok());
        assert!(check(new(PaymentMethodType::Check, Vendor::Unspecified, "", &None, &None)).is_ok());
        assert!(check(new(PaymentMethodType::CreditCard, Vendor::Test, "", &card, &None)).is_err(), "no token");
        assert!(
            check(new(PaymentMethodType::CreditCard, Vendor::Test, "t", &None, &account)).is_err(),
            "an account is no card"
        );
        assert!(
            check(new(PaymentMethodType::Check, Vendor::Test, "t", &None, &None)).is_err(),
            "a cheque has no vendor"
        );
        assert!(
            check(new(PaymentMethodType::PremiumBilling, Vendor::Unspecified, "", &card, &None)).is_err(),
            "nothing to charge"
        );
    }
}
