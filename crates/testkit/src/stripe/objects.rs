//! The payment methods of the stand-in, by the names that Stripe's own test mode has.

use serde_json::{Value, json};

/// The cards: their name, and the code with which they are declined; empty for none.
pub const CARDS: [(&str, &str); 9] = [
    ("pm_card_visa", ""),
    ("pm_card_mastercard", ""),
    ("pm_card_chargeDeclined", "generic_decline"),
    ("pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"),
    ("pm_card_chargeDeclinedLostCard", "lost_card"),
    ("pm_card_chargeDeclinedStolenCard", "stolen_card"),
    ("pm_card_chargeDeclinedExpiredCard", "expired_card"),
    ("pm_card_chargeDeclinedProcessingError", "processing_error"),
    ("pm_card_authenticationRequired", "authentication_required"),
];
/// The bank account.
pub const BANK_ACCOUNT: &str = "pm_usBankAccount_success";
/// The account at a bank in Canada.
pub const CANADIAN_ACCOUNT: &str = "pm_acssDebit_success";

/// The kind of a payment method by a name, or none if there is no such name.
pub(super) fn find_kind(name: &str) -> Option<&'static str> {
    if let Some(account) = [BANK_ACCOUNT, CANADIAN_ACCOUNT].into_iter().find(|account| *account == name) {
        return Some(account);
    }
    CARDS.iter().map(|(card, _)| *card).find(|card| *card == name)
}

/// The code with which a kind is declined; empty for none.
pub(super) fn decline_of(kind: &str) -> &'static str {
    CARDS.iter().find(|(card, _)| *card == kind).map(|(_, code)| *code).unwrap_or_default()
}

/// A payment method.
pub(super) fn method(id: &str, kind: &str, customer: &Value, holder: &str) -> Value {
    let common = json!({"id": id, "object": "payment_method", "customer": customer, "livemode": false, "metadata": {},
        "billing_details": {"name": holder, "email": null, "phone": null, "address": null}, "_kind": kind, "_trusted": false});
    let details = if kind == BANK_ACCOUNT {
        json!({"type": "us_bank_account", "us_bank_account": {"account_type": "checking", "account_holder_type": "individual",
            "last4": "6789", "routing_number": "110000000", "bank_name": "STRIPE TEST BANK", "fingerprint": "f"}})
    } else if kind == CANADIAN_ACCOUNT {
        json!({"type": "acss_debit", "acss_debit": {"bank_name": "STRIPE TEST BANK", "fingerprint": "f",
            "institution_number": "000", "last4": "6789", "transit_number": "11000"}})
    } else {
        let (brand, last4) = if kind == "pm_card_mastercard" { ("mastercard", "4444") } else { ("visa", "4242") };
        json!({"type": "card", "card": {"brand": brand, "last4": last4, "exp_month": 12, "exp_year": 2030,
            "funding": "credit", "country": "US", "fingerprint": "f"}})
    };
    merged(common, details)
}

/// The error that a decline leaves on an intent.
pub(super) fn decline_error(code: &str) -> Value {
    let api = match code {
        "expired_card" | "processing_error" | "authentication_required" => code,
        _ => "card_declined",
    };
    json!({"type": "card_error", "code": api, "decline_code": code, "message": "Your card was declined."})
}

/// One object with the fields of both.
pub(super) fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(into), Value::Object(from)) = (&mut one, other) {
        into.extend(from);
    }
    one
}

/// The object as it is answered: without the stand-in's own fields.
pub(super) fn shown(object: &Value) -> Value {
    let mut object = object.clone();
    if let Value::Object(fields) = &mut object {
        fields.retain(|name, _| !name.starts_with('_'));
    }
    object
}
