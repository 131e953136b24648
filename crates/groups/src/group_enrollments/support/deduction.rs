//! The parts of an employee and their employer in the price of plans, for each pay.

use pavise_kernel::common::v1::{Currency, Money};

use crate::contract::v1::{EmployerShare, EnrollmentTerms, PayType};

/// The months of a year.
const MONTHS: i128 = 12;

/// The price of a plan or a supplement for a month, in minor units, and the tier of its plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MonthlyPrice {
    pub(crate) tier_id: String,
    pub(crate) amount: i64,
}

/// The employee's and the employer's part of each pay.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PayParts {
    /// The amount that is taken from the pay; none where nothing is.
    pub(crate) deduction: Option<Money>,
    /// The employer's part of each pay, or of each month where nothing is deducted; none where it is nothing.
    pub(crate) employer: Option<Money>,
}

/// Computes the parts. A pay has the twelve monthly prices of a year divided by its deductions, rounded up. The odd cent of a
/// shared pay is the employer's.
pub(crate) fn compute_parts(terms: &EnrollmentTerms, currency: Currency, prices: &[MonthlyPrice]) -> PayParts {
    let monthly: i128 = prices.iter().map(|price| i128::from(price.amount.max(0))).sum();
    let money = |amount: i128| {
        let amount = i64::try_from(amount).ok().filter(|amount| *amount > 0)?;
        Some(Money { currency: currency.into(), amount })
    };
    let deductions = i128::from(terms.deductions_per_year);
    match terms.pay_type() {
        PayType::Fringe => PayParts { deduction: None, employer: money(monthly) },
        PayType::Payroll | PayType::PartialFringe if deductions > 0 => {
            let pay = (MONTHS * monthly + deductions - 1) / deductions;
            let shared = terms.pay_type() == PayType::PartialFringe && monthly > 0;
            let employee = if shared { pay * employees_hundredths(terms, prices) / (monthly * 100) } else { pay };
            PayParts { deduction: money(employee), employer: money(pay - employee) }
        }
        PayType::Payroll | PayType::PartialFringe | PayType::SelfPay | PayType::None | PayType::Unspecified => {
            PayParts::default()
        }
    }
}

/// The employee's part of the monthly prices, in hundredths of a minor unit.
fn employees_hundredths(terms: &EnrollmentTerms, prices: &[MonthlyPrice]) -> i128 {
    // An amount is for a plan once, also beside its supplements.
    let mut left: Vec<(&EmployerShare, i128)> = terms
        .employer_shares
        .iter()
        .map(|share| (share, i128::from(share.amount.map_or(0, |money| money.amount))))
        .collect();
    let mut employee = 0;
    for price in prices {
        let amount = i128::from(price.amount.max(0));
        let exact = left.iter().position(|(share, _)| share.tier_id == price.tier_id);
        let of_all = || left.iter().position(|(share, _)| share.tier_id.is_empty());
        let employer = match exact.or_else(of_all).and_then(|at| left.get_mut(at)) {
            None => 0,
            Some((share, rest)) if share.amount.is_some() => {
                let paid = (*rest).min(amount);
                *rest -= paid;
                paid * 100
            }
            Some((share, _)) => amount * i128::from(share.percent),
        };
        employee += amount * 100 - employer;
    }
    employee
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(
        pay_type: PayType,
        deductions_per_year: i32,
        shares: &[EmployerShare],
        prices: &[(&str, i64)],
    ) -> [i64; 2] {
        let terms = EnrollmentTerms {
            pay_type: pay_type.into(),
            deductions_per_year,
            employer_shares: shares.to_vec(),
            ..EnrollmentTerms::default()
        };
        let prices: Vec<_> =
            prices.iter().map(|(tier, amount)| MonthlyPrice { tier_id: (*tier).to_owned(), amount: *amount }).collect();
        let made = compute_parts(&terms, Currency::Usd, &prices);
        [made.deduction, made.employer].map(|part| part.map_or(0, |money| money.amount))
    }

    fn percent(percent: i32) -> EmployerShare {
        EmployerShare { percent, ..EmployerShare::default() }
    }

    fn fixed(tier: &str, amount: i64) -> EmployerShare {
        let amount = Some(Money { currency: Currency::Usd.into(), amount });
        EmployerShare { tier_id: tier.to_owned(), percent: 0, amount }
    }

    #[test]
    fn a_year_of_deductions_is_a_year_of_prices_rounded_up() {
        assert_eq!(parts(PayType::Payroll, 24, &[], &[("one", 2995)]), [1498, 0]);
        assert_eq!(parts(PayType::Payroll, 26, &[], &[("one", 2995)]), [1383, 0]);
        assert_eq!(parts(PayType::Payroll, 12, &[], &[("one", 2995)]), [2995, 0]);
        assert_eq!(parts(PayType::Payroll, 52, &[], &[("one", 2995)]), [692, 0]);
    }

    #[test]
    fn the_odd_cent_of_a_shared_pay_is_the_employers() {
        assert_eq!(parts(PayType::PartialFringe, 24, &[percent(50)], &[("one", 2995)]), [749, 749]);
        assert_eq!(parts(PayType::PartialFringe, 12, &[percent(50)], &[("one", 2995)]), [1497, 1498]);
        assert_eq!(parts(PayType::PartialFringe, 24, &[percent(100)], &[("one", 2995)]), [0, 1498]);
        assert_eq!(parts(PayType::PartialFringe, 24, &[], &[("one", 2995)]), [1498, 0]);
    }

    #[test]
    fn an_amount_is_for_a_plan_once_and_a_tier_before_all_tiers() {
        let shares = [percent(50), fixed("family", 1000)];
        assert_eq!(parts(PayType::PartialFringe, 12, &shares, &[("family", 2995)]), [1995, 1000]);
        assert_eq!(parts(PayType::PartialFringe, 12, &shares, &[("family", 600), ("family", 600)]), [200, 1000]);
        assert_eq!(parts(PayType::PartialFringe, 12, &shares, &[("single", 2000)]), [1000, 1000]);
    }

    #[test]
    fn nothing_is_deducted_where_the_employer_or_the_member_pays() {
        assert_eq!(parts(PayType::Fringe, 0, &[], &[("one", 2995), ("one", 500)]), [0, 3495]);
        assert_eq!(parts(PayType::SelfPay, 0, &[], &[("one", 2995)]), [0, 0]);
        assert_eq!(parts(PayType::PartialFringe, 24, &[percent(50)], &[]), [0, 0]);
    }
}
