//! The workers of billing: they finish what calls began, and end subscriptions on their day.

mod activate_after_settlement;
mod activate_without_debt;
mod endings;
mod expired_cards;
mod finish_payments;
mod post;
mod resolve;

pub(crate) use activate_after_settlement::ActivateAfterSettlement;
pub(crate) use activate_without_debt::ActivateWithoutDebt;
pub(crate) use endings::Endings;
pub(crate) use expired_cards::ExpiredCards;
pub(crate) use finish_payments::FinishPayments;
pub(crate) use post::Post;
pub(crate) use resolve::Resolve;
