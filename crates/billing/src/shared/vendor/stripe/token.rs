//! The token of a payment method: `customer/payment method`, and of a Canadian account `customer/payment method/mandate`. The
//! mandate is the agreement to its drafts, without which none is made.

use pavise_kernel::common::v1::Currency;

use crate::contract::v1::PaymentMethodType;

/// The API's word for drafts on accounts at banks in Canada.
pub(super) const CANADIAN_DRAFT: &str = "acss_debit";
/// The API's word for drafts on accounts at banks in the United States.
const AMERICAN_DRAFT: &str = "us_bank_account";

/// The parts of a token.
pub(super) struct TokenParts<'t> {
    pub(super) customer: &'t str,
    pub(super) method: &'t str,
    /// Empty but for a Canadian account.
    pub(super) mandate: &'t str,
}

impl<'t> TokenParts<'t> {
    /// The parts of a token.
    pub(super) fn of(token: &'t str) -> Self {
        let Some((customer, rest)) = token.split_once('/') else {
            return Self { customer: "", method: token, mandate: "" };
        };
        let (method, mandate) = rest.split_once('/').unwrap_or((rest, ""));
        Self { customer, method, mandate }
    }

    /// The API's word for a payment method of that type.
    pub(super) fn type_word(&self, kind: PaymentMethodType) -> &'static str {
        entry_word(kind, if self.mandate.is_empty() { Currency::Usd } else { Currency::Cad })
    }
}

/// Makes a token.
pub(super) fn write_token(customer: &str, method: &str, mandate: &str) -> String {
    if mandate.is_empty() { format!("{customer}/{method}") } else { format!("{customer}/{method}/{mandate}") }
}

/// The API's word for a payment method that is entered.
pub(super) fn entry_word(kind: PaymentMethodType, currency: Currency) -> &'static str {
    match (kind, currency) {
        (PaymentMethodType::BankDraft, Currency::Cad) => CANADIAN_DRAFT,
        (PaymentMethodType::BankDraft, Currency::Usd | Currency::Unspecified) => AMERICAN_DRAFT,
        _ => "card",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_with_a_mandate_is_of_a_canadian_account() {
        fn words(token: &str) -> (&str, &str, &str, [&str; 2]) {
            let parts = TokenParts::of(token);
            let kinds = [PaymentMethodType::BankDraft, PaymentMethodType::CreditCard];
            (parts.customer, parts.method, parts.mandate, kinds.map(|kind| parts.type_word(kind)))
        }
        assert_eq!(words("cus/pm"), ("cus", "pm", "", ["us_bank_account", "card"]));
        let canadian = write_token("cus", "pm", "man");
        assert_eq!(TokenParts::of(&canadian).type_word(PaymentMethodType::BankDraft), "acss_debit");
        assert_eq!((TokenParts::of(&canadian).method, TokenParts::of(&canadian).mandate), ("pm", "man"));
        assert_eq!(words("pm"), ("", "pm", "", ["us_bank_account", "card"]));
    }
}
