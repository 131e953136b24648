//! The lines of a provision.

use pavise_kernel::common::v1::{BillingPeriod, ProvisionType};

use crate::contract::v1::ProvisionLine;

/// Numbers the lines. Fields that only the service sets are cleared.
pub(crate) fn number_lines(lines: Vec<ProvisionLine>) -> Vec<ProvisionLine> {
    let number = |(at, line): (usize, ProvisionLine)| {
        let provision_type =
            if line.provision_type == 0 { ProvisionType::Immediate.into() } else { line.provision_type };
        ProvisionLine { id: (at + 1).to_string(), provision_type, entitlement_id: String::new(), ..line }
    };
    lines.into_iter().enumerate().map(number).collect()
}

/// The billing period of the first line that renews.
pub(crate) fn billing_period_of(lines: &[ProvisionLine]) -> BillingPeriod {
    lines.iter().find(|line| line.is_recurring()).map_or(BillingPeriod::OneTime, ProvisionLine::billing_period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_cannot_set_the_entitlement_of_a_line() {
        let given = ProvisionLine { id: "9".to_owned(), entitlement_id: "mine".to_owned(), ..Default::default() };
        let lines = number_lines(vec![given]);
        assert_eq!((lines[0].id.as_str(), lines[0].entitlement_id.as_str()), ("1", ""));
        assert_eq!(lines[0].provision_type(), ProvisionType::Immediate);
    }
}
