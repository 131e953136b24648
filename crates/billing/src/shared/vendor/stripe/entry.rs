//! Cards and accounts that members enter on Stripe's page: a Checkout Session that sets a payment method up.

use pavise_kernel::common::v1::Currency;
use pavise_kernel::{Error, Result};

use super::adapter::{StripeVendor, read_object};
use super::client::ApiRequest;
use super::objects::{Expandable, Method, NamedObject, Session};
use super::token::{CANADIAN_DRAFT, entry_word, write_token};
use crate::contract::v1::{BankAccount, BankAccountType, Card, CardType};
use crate::shared::vendor::port::EntryPage;
use crate::shared::vendor::{EnteredMethod, EntryState, EntryWish};

impl StripeVendor {
    /// Opens a session for a customer of its own. Nothing of the member is sent but our reference.
    pub(super) async fn open_session(&self, wish: &EntryWish) -> Result<EntryPage> {
        let refused = |error: &dyn std::fmt::Debug| Error::unavailable("the payment vendor", format!("{error:?}"));
        let ask = ApiRequest::post("/v1/customers".to_owned())
            .with("metadata[entry_id]", wish.reference.as_str())
            .once(format!("{}-customer", wish.reference));
        let customer: NamedObject = self.client.ask(&ask).await?.map_err(|error| refused(&error))?;
        let back = format!("{}{}", self.public_url, wish.return_path);
        let kind = entry_word(wish.kind, wish.currency);
        let mut ask = ApiRequest::post("/v1/checkout/sessions".to_owned())
            .with("mode", "setup")
            .with("customer", customer.id)
            .with("payment_method_types[]", kind)
            .with("client_reference_id", wish.reference.as_str())
            .with("success_url", format!("{back}?hostedEntry={}", wish.reference))
            .with("cancel_url", back)
            .once(format!("{}-session", wish.reference));
        if kind == CANADIAN_DRAFT {
            // One agreement for all bills, whenever they come. The member signs in at the bank: small amounts that are to be
            // read from a statement would take days.
            ask = ask
                .with("payment_method_options[acss_debit][currency]", "cad")
                .with("payment_method_options[acss_debit][mandate_options][payment_schedule]", "sporadic")
                .with("payment_method_options[acss_debit][mandate_options][transaction_type]", "personal")
                .with("payment_method_options[acss_debit][verification_method]", "instant");
        }
        let session: Session = self.client.ask(&ask).await?.map_err(|error| refused(&error))?;
        if !is_address(&session.url) {
            return Err(Error::unavailable("the payment vendor", "the session has no page"));
        }
        Ok(EntryPage { session_id: session.id, redirect_to_url: session.url })
    }

    /// Reads what became of a session.
    pub(super) async fn read_session(&self, session_id: &str) -> Result<EntryState> {
        let ask = ApiRequest::get(format!("/v1/checkout/sessions/{session_id}"))
            .with("expand[]", "setup_intent.payment_method");
        let Some(session) = read_object::<Session>(self.client.ask(&ask).await?)? else {
            return Ok(EntryState::Expired);
        };
        match session.status.as_str() {
            "expired" => return Ok(EntryState::Expired),
            "complete" => {}
            _ => return Ok(EntryState::Open),
        }
        // The page is filled in before the card or the account is set up.
        let setup = session.setup_intent.and_then(Expandable::object);
        let setup = setup.filter(|setup| ["succeeded", "processing"].contains(&setup.status.as_str()));
        let entered = setup.and_then(|setup| {
            let method = setup.payment_method.and_then(Expandable::object)?;
            read_method(&session.customer, &setup.mandate, method)
        });
        Ok(entered.map_or(EntryState::Open, EntryState::Entered))
    }
}

/// The address of a page: of the vendor, or on this machine in a test.
fn is_address(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://127.0.0.1:")
}

/// The payment method that was entered; `None` for a kind that is not known.
fn read_method(customer: &str, mandate: &str, method: Method) -> Option<EnteredMethod> {
    let name = method.billing_details.map(|holder| holder.name).unwrap_or_default();
    let holder_name = clean_name(&name);
    let card = method.card.map(|card| Card {
        brand: brand_of(&card.brand).into(),
        last4: card.last4,
        expiry_month: card.exp_month,
        expiry_year: card.exp_year,
        holder_name: holder_name.clone(),
    });
    // Without the agreement no draft is made.
    let canadian = method.acss_debit.filter(|_| !mandate.is_empty());
    let mandate = if canadian.is_some() { mandate } else { "" };
    let bank_account = match (method.us_bank_account, canadian) {
        (Some(account), _) => Some(BankAccount {
            r#type: type_of_account(&account.account_type).into(),
            routing_last4: last_four(&account.routing_number),
            last4: account.last4,
            holder_name,
            currency: Currency::Usd.into(),
        }),
        (None, Some(account)) => Some(BankAccount {
            r#type: BankAccountType::Checking.into(),
            routing_last4: last_four(&account.transit_number),
            last4: account.last4,
            holder_name,
            currency: Currency::Cad.into(),
        }),
        (None, None) => None,
    };
    if card.is_none() && bank_account.is_none() {
        return None;
    }
    Some(EnteredMethod { token: write_token(customer, &method.id, mandate), card, bank_account })
}

fn type_of_account(word: &str) -> BankAccountType {
    if word == "savings" { BankAccountType::Savings } else { BankAccountType::Checking }
}

fn last_four(number: &str) -> String {
    let digits: Vec<char> = number.chars().collect();
    digits.iter().skip(digits.len().saturating_sub(4)).collect()
}

fn brand_of(brand: &str) -> CardType {
    match brand {
        "amex" => CardType::Amex,
        "discover" => CardType::Discover,
        "mastercard" => CardType::Mastercard,
        "visa" => CardType::Visa,
        _ => CardType::Unknown,
    }
}

/// The name as the contract takes one.
fn clean_name(name: &str) -> String {
    let clean: String =
        name.chars().filter(|letter| !letter.is_control() && !"<>".contains(*letter)).take(200).collect();
    if clean.trim().is_empty() { "-".to_owned() } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_printed_details_are_read() {
        let json = r#"{"id":"pm_1","billing_details":{"name":"Ada <b>"},"card":{"brand":"visa","last4":"4242","exp_month":4,"exp_year":2031}}"#;
        let entered = read_method("cus_1", "", serde_json::from_str(json).unwrap()).unwrap();
        let card = entered.card.clone().unwrap();
        assert_eq!((entered.token.as_str(), card.last4.as_str(), card.brand()), ("cus_1/pm_1", "4242", CardType::Visa));
        assert_eq!(card.holder_name, "Ada b");
        assert!(!format!("{entered:?}").contains("pm_1"));
        let json =
            r#"{"id":"pm_2","us_bank_account":{"account_type":"savings","last4":"6789","routing_number":"110000000"}}"#;
        let account = read_method("cus_1", "", serde_json::from_str(json).unwrap()).unwrap().bank_account.unwrap();
        assert_eq!((account.routing_last4.as_str(), account.r#type()), ("0000", BankAccountType::Savings));
        assert_eq!(account.holder_name, "-");
        assert!(read_method("cus_1", "", serde_json::from_str(r#"{"id":"pm_3"}"#).unwrap()).is_none());
        let json = r#"{"id":"pm_4","acss_debit":{"institution_number":"000","last4":"6789","transit_number":"11000"}}"#;
        let canadian = |mandate: &str| read_method("cus_1", mandate, serde_json::from_str(json).unwrap());
        assert!(canadian("").is_none(), "nobody agreed to drafts");
        let entered = canadian("mandate_1").unwrap();
        let account = entered.bank_account.unwrap();
        assert_eq!((account.routing_last4.as_str(), account.currency()), ("1000", Currency::Cad));
        assert_eq!(entered.token, "cus_1/pm_4/mandate_1");
        for (url, is_one) in [("https://x", true), ("http://127.0.0.1:9/pay", true), ("http://x", false), ("", false)] {
            assert_eq!(is_address(url), is_one, "{url}");
        }
    }
}
