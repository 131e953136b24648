//! The table of the reasons for which banks decline, by Stripe's words.
//!
//! Hard is a decline that no later try changes: the card or the account is gone, or its bank forbids charges by us. All
//! others are soft, words that are not listed too. docs/billing/stripe.md has the same table.

use super::objects::LastError;
use crate::contract::v1::DeclineReason as Why;
use crate::shared::vendor::Decision;

/// The hard declines.
const HARD: &[(&str, Why)] = &[
    ("account_closed", Why::ClosedAccount),
    ("bank_account_closed", Why::ClosedAccount),
    ("bank_account_restricted", Why::ClosedAccount),
    ("bank_account_unusable", Why::ClosedAccount),
    ("debit_not_authorized", Why::ClosedAccount),
    ("do_not_try_again", Why::Other),
    ("fraudulent", Why::StolenCard),
    ("highest_risk_level", Why::StolenCard),
    ("incorrect_number", Why::UnknownToken),
    ("invalid_account", Why::ClosedAccount),
    ("invalid_account_number", Why::ClosedAccount),
    ("invalid_number", Why::UnknownToken),
    ("lost_card", Why::StolenCard),
    ("merchant_blacklist", Why::StolenCard),
    ("new_account_information_available", Why::ExpiredCard),
    ("no_account", Why::ClosedAccount),
    ("pickup_card", Why::StolenCard),
    ("restricted_card", Why::StolenCard),
    ("revocation_of_all_authorizations", Why::Other),
    ("revocation_of_authorization", Why::Other),
    ("stolen_card", Why::StolenCard),
    ("stop_payment_order", Why::Other),
];

/// The soft declines that have a reason of their own.
const SOFT: &[(&str, Why)] = &[
    ("authentication_required", Why::AuthenticationRequired),
    ("card_velocity_exceeded", Why::InsufficientFunds),
    ("expired_card", Why::ExpiredCard),
    ("insufficient_funds", Why::InsufficientFunds),
    ("invalid_expiry_month", Why::ExpiredCard),
    ("invalid_expiry_year", Why::ExpiredCard),
    ("mobile_device_authentication_required", Why::AuthenticationRequired),
    ("payment_intent_authentication_failure", Why::AuthenticationRequired),
    ("payment_method_unactivated", Why::UnknownToken),
    ("resource_missing", Why::UnknownToken),
    ("setup_intent_authentication_failure", Why::AuthenticationRequired),
    ("withdrawal_count_limit_exceeded", Why::InsufficientFunds),
];

/// Decides by the bank's word, or else by the API's.
pub(super) fn decide_decline(error: &LastError) -> Decision {
    let words = [error.decline_code.as_str(), error.code.as_str()];
    let find = |table: &[(&str, Why)]| {
        words.iter().find_map(|word| table.iter().find(|(known, _)| known == word).map(|(_, why)| *why))
    };
    match find(HARD) {
        Some(why) => Decision::HardDeclined(why),
        None => Decision::Declined(find(SOFT).unwrap_or(Why::Other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(code: &str, decline_code: &str) -> Decision {
        decide_decline(&LastError { code: code.to_owned(), decline_code: decline_code.to_owned() })
    }

    #[test]
    fn the_word_of_the_bank_counts_before_that_of_the_api() {
        assert_eq!(decide("card_declined", "stolen_card"), Decision::HardDeclined(Why::StolenCard));
        assert_eq!(decide("card_declined", "insufficient_funds"), Decision::Declined(Why::InsufficientFunds));
        assert_eq!(decide("expired_card", ""), Decision::Declined(Why::ExpiredCard));
        let wanted = Decision::Declined(Why::AuthenticationRequired);
        assert_eq!(decide("authentication_required", "authentication_required"), wanted);
        for unknown in ["generic_decline", "do_not_honor", "a word of tomorrow", ""] {
            assert_eq!(decide("card_declined", unknown), Decision::Declined(Why::Other), "{unknown}");
        }
    }

    #[test]
    fn a_word_has_one_meaning_and_the_page_has_them_all() {
        let page = include_str!("../../../../../../docs/billing/stripe.md");
        for (table, kind) in [(HARD, "hard"), (SOFT, "soft")] {
            for (word, why) in table {
                let both = HARD.iter().chain(SOFT).filter(|(other, _)| other == word).count();
                assert_eq!(both, 1, "{word}");
                let line = format!("| `{word}` | {kind} | {} |", why.spelling());
                assert!(page.contains(&line), "docs/billing/stripe.md lacks {line}");
            }
            assert!(table.is_sorted(), "{kind}");
        }
    }
}
