//! Problems of offers on an order.

use pavise_kernel::{Error, Result};

use crate::contract::v1::ErrorReason;

/// A reason why an offer cannot be bought as chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The index of the offer on the order.
    pub(crate) at: usize,
    /// The field of the choice: `selections[0].tier_id`.
    pub(crate) field: String,
    /// The description for the caller.
    pub(crate) description: String,
}

/// Refuses a request with problems. `path` is the place of the choices in the request.
///
/// # Errors
/// `SELECTION_REFUSED` when there is a problem.
pub(crate) fn check_sellable(path: &str, problems: &[Problem]) -> Result<()> {
    let Some(first) = problems.first() else { return Ok(()) };
    let place = |problem: &Problem| format!("{path}[{}].{}", problem.at, problem.field);
    let error = Error::new(ErrorReason::SelectionRefused, format!("{}: {}", place(first), first.description));
    Err(problems.iter().fold(error, |error, problem| error.violation(place(problem), &problem.description)))
}

/// Refuses an order with an offer that can no longer be bought.
///
/// # Errors
/// `OFFER_NOT_BUYABLE` when there is a problem.
pub(crate) fn check_still_buyable(problems: &[Problem]) -> Result<()> {
    let Some(first) = problems.first() else { return Ok(()) };
    let place = |problem: &Problem| format!("offers[{}]", problem.at);
    let message = format!("{} can no longer be bought: {}", place(first), first.description);
    let error = Error::new(ErrorReason::OfferNotBuyable, message);
    Err(problems.iter().fold(error, |error, problem| error.precondition("OFFER", place(problem), &problem.description)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_name_the_offer_and_the_field() {
        let problem = |at| Problem { at, field: "selections".to_owned(), description: "has no price".to_owned() };
        let refused = check_sellable("order.offers", &[problem(1)]).unwrap_err();
        assert_eq!(refused.violations()[0].field, "order.offers[1].selections");
        assert!(refused.is(ErrorReason::SelectionRefused));
        assert!(check_still_buyable(&[problem(0)]).unwrap_err().is(ErrorReason::OfferNotBuyable));
        assert!(check_sellable("offers", &[]).is_ok() && check_still_buyable(&[]).is_ok());
    }
}
