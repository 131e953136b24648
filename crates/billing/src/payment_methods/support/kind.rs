//! The types of payment methods.

use crate::contract::v1::PaymentMethodType;

/// Whether a vendor charges methods of the type.
pub(crate) fn is_chargeable(kind: PaymentMethodType) -> bool {
    matches!(kind, PaymentMethodType::CreditCard | PaymentMethodType::BankDraft)
}
