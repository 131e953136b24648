//! The parts that an ACTIVE group needs.

use pavise_kernel::Error;

use crate::contract::v1::{ContactType, ErrorReason, Group, PayType};

/// The refusal of an ACTIVE group that lacks something.
pub(crate) fn incomplete_error(group: &Group) -> Option<Error> {
    let deducts = matches!(group.pay_type(), PayType::Payroll | PayType::PartialFringe);
    let has_primary = group.contacts.iter().any(|contact| contact.r#type() == ContactType::Primary);
    let missing = [
        (group.effective_date.is_none(), "effective_date", "an ACTIVE group has a first day"),
        (!has_primary, "contacts", "an ACTIVE group has a PRIMARY contact"),
        (group.offer_ids.is_empty(), "offer_ids", "an ACTIVE group has an offer"),
        (group.pay_type() == PayType::None, "pay_type", "an ACTIVE group has decided who pays"),
        (deducts && group.pay_periods.is_empty(), "pay_periods", "employees who pay by deductions have a pay period"),
    ];
    let mut missing = missing.into_iter().filter(|(is_missing, ..)| *is_missing).peekable();
    let (_, _, first) = missing.peek()?;
    let error = Error::new(ErrorReason::GroupIncomplete, format!("the group is incomplete: {first}"));
    Some(missing.fold(error, |error, (_, field, why)| error.violation(field, why)))
}
