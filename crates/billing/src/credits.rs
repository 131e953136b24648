//! Credits: amounts that the next invoices of a member are lowered by.

mod consequences;
mod rules;

mod create_credit;
mod expire_credit;
mod pay_out_credit;
pub(crate) mod support;
