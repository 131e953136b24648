//! Payment methods, and the calls of the service that ask the payment vendors.

mod consequences;
mod rules;
mod siblings;
pub(crate) mod support;

mod assign_payment_method_owner;
mod change_payment_method_owner;
mod check_cooldown;
mod create_anonymous_payment_method;
mod create_authorization;
mod create_charge;
mod create_group_payment_method;
mod create_payment_method;
mod create_refund;
mod create_sale;
mod create_verification;
mod delete_payment_method;
mod delete_payment_method_by_impersonator;
mod expire_payment_method;
mod list_payment_methods;
mod list_payment_vendors;
mod record_transaction;
mod resolve_transaction;
mod update_bank_account_details;
mod update_card_payment_details;
mod update_payment_method;

pub(crate) use assign_payment_method_owner::assign_payment_method_owner;
pub(crate) use check_cooldown::check_cooldown;
pub(crate) use create_anonymous_payment_method::create_anonymous_payment_method;
pub(crate) use create_authorization::create_authorization;
pub(crate) use create_charge::create_charge;
pub(crate) use create_group_payment_method::create_group_payment_method;
pub(crate) use create_payment_method::create_payment_method;
pub(crate) use create_refund::create_refund;
pub(crate) use create_sale::create_sale;
pub(crate) use create_verification::create_verification;
pub(crate) use delete_payment_method::delete_payment_method;
pub(crate) use delete_payment_method_by_impersonator::delete_payment_method_by_impersonator;
pub(crate) use list_payment_methods::list_payment_methods;
pub(crate) use list_payment_vendors::list_payment_vendors;
pub(crate) use record_transaction::record_transaction;
pub(crate) use resolve_transaction::resolve_transaction;
pub(crate) use update_bank_account_details::update_bank_account_details;
pub(crate) use update_card_payment_details::update_card_payment_details;
