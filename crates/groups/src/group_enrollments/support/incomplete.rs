//! The parts that a submitted enrollment needs.

use pavise_kernel::Error;

use crate::contract::v1::{EnrollmentTerms, ErrorReason, GroupEnrollment, PayType};

/// Whether plans are paid by deductions.
pub(crate) fn is_deducted(pay_type: PayType) -> bool {
    matches!(pay_type, PayType::Payroll | PayType::PartialFringe)
}

/// Whether the employee pays by themselves.
pub(crate) fn is_paid_by_employee(pay_type: PayType) -> bool {
    matches!(pay_type, PayType::SelfPay | PayType::None | PayType::Unspecified)
}

/// The refusal of an enrollment that lacks something.
pub(crate) fn incomplete_error(enrollment: &GroupEnrollment, terms: &EnrollmentTerms) -> Option<Error> {
    let pay_type = terms.pay_type();
    let missing = [
        (enrollment.offers.is_empty(), "offers", "choose an offer"),
        (enrollment.personal_info.is_none(), "personal_info", "say who the employee is"),
        (enrollment.address.is_none(), "address", "say where the employee lives"),
        (
            is_paid_by_employee(pay_type) && enrollment.payment_method_id.is_empty(),
            "payment_method_id",
            "say what the employee pays with",
        ),
        (
            is_deducted(pay_type) && terms.deductions_per_year == 0,
            "pay_period_id",
            "say in which rhythm the employee is paid",
        ),
    ];
    let mut missing = missing.into_iter().filter(|(is_missing, ..)| *is_missing).peekable();
    let (_, _, first) = missing.peek()?;
    let error = Error::new(ErrorReason::EnrollmentIncomplete, format!("the enrollment is incomplete: {first}"));
    Some(missing.fold(error, |error, (_, field, why)| error.violation(field, why)))
}
