//! The helpers of the service.

pub(crate) mod account;
pub(crate) mod charge;
pub(crate) mod choice;
pub(crate) mod collecting;
pub(crate) mod entries;
pub(crate) mod finish;
pub(crate) mod give_back;
pub(crate) mod holds;
pub(crate) mod items;
pub(crate) mod next_charge;
pub(crate) mod outstanding;
pub(crate) mod paid_period;
pub(crate) mod paper;
pub(crate) mod parties;
pub(crate) mod payments;
pub(crate) mod recorded_transaction;
pub(crate) mod scheduled;
pub(crate) mod statement;
pub(crate) mod statement_table;
pub(crate) mod sums;
