//! Adding a payment method: by the member, by his group, by nobody yet.

use pavise_kernel::caller::Realm;
use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Error, Result, postal};
use prost_types::Timestamp;

use super::defaults;
use crate::contract::v1::{Card, NewPaymentMethod, PaymentMethod, PaymentMethodType, Vendor};
use crate::retry::contended;

/// Adds a payment method of the member whom the call names. The first one is his default. That another is billed is not for
/// a member to say.
pub(super) async fn for_member(call: &Call, new: NewPaymentMethod) -> Result<PaymentMethod> {
    if new.r#type() == PaymentMethodType::PremiumBilling && call.caller().realm == Realm::User {
        let why = "must not be PREMIUM_BILLING: the group that is billed adds it for its members";
        return Err(Error::field("payment_method.type", why));
    }
    let entity = PaymentMethod { owner_id: call.owner().to_owned(), ..checked(call, new).await? };
    contended(call, || async {
        let mut unit = call.unit();
        let others = defaults::active(call).await?;
        let wanted = entity.is_default || !others.iter().any(|other| other.is_default);
        if wanted {
            defaults::clear(&mut unit, &others)?;
        }
        let made = unit.create(PaymentMethod { is_default: wanted, ..entity.clone() })?;
        unit.answer(made).await
    })
    .await
}

/// Adds a payment method for a member by his group. What is his default stays his choice.
pub(super) async fn by_group(call: &Call, new: NewPaymentMethod, group: String) -> Result<PaymentMethod> {
    let entity = checked(call, new).await?;
    call.create(PaymentMethod { owner_id: call.owner().to_owned(), group_id: group, is_default: false, ..entity }).await
}

/// Adds a payment method that nobody owns yet.
pub(super) async fn for_nobody(call: &Call, new: NewPaymentMethod) -> Result<PaymentMethod> {
    if !chargeable(new.r#type()) {
        return Err(Error::field("payment_method.type", "must be CREDIT_CARD or BANK_DRAFT before somebody has signed in"));
    }
    let entity = checked(call, new).await?;
    call.create(PaymentMethod { is_default: false, ..entity }).await
}

/// Whether a vendor charges methods of that type.
pub(crate) fn chargeable(kind: PaymentMethodType) -> bool {
    matches!(kind, PaymentMethodType::CreditCard | PaymentMethodType::BankDraft)
}

/// The entity of a request, checked as far as rules between fields go.
async fn checked(call: &Call, new: NewPaymentMethod) -> Result<PaymentMethod> {
    fits(&new)?;
    postal::check_address("payment_method.billing_address", new.billing_address.as_ref())?;
    if let Some(card) = &new.card {
        unexpired("payment_method.card.expiry_year", card, call.today())?;
    }
    if new.vendor() != Vendor::Unspecified {
        token("payment_method.vendor_token", &new.vendor_token)?;
    }
    let cooldown_until = cooldown_of(call, new.vendor, &new.vendor_token).await?;
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

/// Until when a vendor's token rests by what is known of it elsewhere: somebody who adds the same card again does not escape
/// its cooldown.
pub(super) async fn cooldown_of(call: &Call, vendor: i32, token: &str) -> Result<Option<Timestamp>> {
    if token.is_empty() {
        return Ok(None);
    }
    let twin: Option<PaymentMethod> = call.find_by("vendor_token", token).await?;
    Ok(twin.filter(|twin| twin.vendor == vendor).and_then(|twin| twin.cooldown_until))
}

/// Whether vendor and details are those of the type.
fn fits(new: &NewPaymentMethod) -> Result<()> {
    let kind = new.r#type();
    let (card, account) = (kind == PaymentMethodType::CreditCard, kind == PaymentMethodType::BankDraft);
    let rule = |field: &str, has: bool, wanted: bool| match (has, wanted) {
        (false, true) => Err(Error::field(format!("payment_method.{field}"), format!("is required for {}", kind.spelling()))),
        (true, false) => Err(Error::field(format!("payment_method.{field}"), format!("does not belong to {}", kind.spelling()))),
        _ => Ok(()),
    };
    rule("card", new.card.is_some(), card)?;
    rule("bank_account", new.bank_account.is_some(), account)?;
    rule("vendor", new.vendor() != Vendor::Unspecified, card || account)?;
    rule("vendor_token", !new.vendor_token.is_empty(), card || account)
}

/// Refuses what looks like a card number: those never reach the platform.
pub(super) fn token(field: &str, token: &str) -> Result<()> {
    let digits: Vec<u32> =
        token.chars().filter(|letter| !matches!(letter, ' ' | '-')).map_while(|letter| letter.to_digit(10)).collect();
    let only_digits = digits.len() == token.chars().filter(|letter| !matches!(letter, ' ' | '-')).count();
    if only_digits && (12..=19).contains(&digits.len()) && luhn(&digits) {
        return Err(Error::field(field, "looks like a card number; send the token that the vendor's vault gave for it"));
    }
    Ok(())
}

/// The check sum that card numbers have.
fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 0 { *digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    sum.is_multiple_of(10)
}

/// Refuses a card whose last month is over.
pub(super) fn unexpired(field: &str, card: &Card, today: Date) -> Result<()> {
    if expired(card, today) { Err(Error::field(field, "the card has expired")) } else { Ok(()) }
}

/// Whether a card's last month is over.
pub(crate) fn expired(card: &Card, today: Date) -> bool {
    (card.expiry_year, card.expiry_month) < (today.year, today.month)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::BankAccount;

    #[test]
    fn a_card_number_is_refused_and_a_token_is_not() {
        for number in ["4111111111111111", "4111 1111 1111 1111", "378282246310005", "5555-5555-5555-4444"] {
            assert!(token("t", number).is_err(), "{number}");
        }
        for sent in ["test_4111111111111111", "4111110000001112", "tok_1f", "", "123", "test_bank_0001"] {
            assert!(token("t", sent).is_ok(), "{sent}");
        }
    }

    #[test]
    fn a_card_lives_to_the_end_of_its_last_month() {
        let card = Card { expiry_month: 2, expiry_year: 2026, ..Card::default() };
        assert!(!expired(&card, Date { year: 2026, month: 2, day: 28 }));
        assert!(expired(&card, Date { year: 2026, month: 3, day: 1 }));
        assert!(expired(&card, Date { year: 2027, month: 1, day: 1 }));
        assert!(!expired(&card, Date { year: 2025, month: 12, day: 31 }));
    }

    #[test]
    fn each_type_takes_its_own_details() {
        let card = Some(Card::default());
        let account = Some(BankAccount::default());
        let new = |kind: PaymentMethodType, vendor: Vendor, token: &str, card: &Option<Card>, account: &Option<BankAccount>| {
            NewPaymentMethod {
                r#type: kind.into(),
                vendor: vendor.into(),
                vendor_token: token.to_owned(),
                card: card.clone(),
                bank_account: account.clone(),
                ..NewPaymentMethod::default()
            }
        };
        assert!(fits(&new(PaymentMethodType::CreditCard, Vendor::Test, "t", &card, &None)).is_ok());
        assert!(fits(&new(PaymentMethodType::BankDraft, Vendor::Test, "t", &None, &account)).is_ok());
        assert!(fits(&new(PaymentMethodType::Check, Vendor::Unspecified, "", &None, &None)).is_ok());
        assert!(fits(&new(PaymentMethodType::CreditCard, Vendor::Test, "", &card, &None)).is_err(), "no token");
        assert!(fits(&new(PaymentMethodType::CreditCard, Vendor::Test, "t", &None, &account)).is_err(), "an account is no card");
        assert!(fits(&new(PaymentMethodType::Check, Vendor::Test, "t", &None, &None)).is_err(), "a cheque has no vendor");
        assert!(
            fits(&new(PaymentMethodType::PremiumBilling, Vendor::Unspecified, "", &card, &None)).is_err(),
            "nothing to charge"
        );
    }
}
