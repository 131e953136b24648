//! The service `tax`: areas, their rates, and the tax of a purchase.

mod calculate_taxes;
mod get_member_tax_area;
mod get_tax_area;
mod list_member_taxes;
mod list_taxes;
mod rules;
mod seed_tax_area;
mod set_tax_rate;
pub(crate) mod support;

pub(crate) use calculate_taxes::calculate_taxes;
pub(crate) use get_member_tax_area::get_member_tax_area;
pub(crate) use get_tax_area::get_tax_area;
pub(crate) use list_member_taxes::list_member_taxes;
pub(crate) use list_taxes::list_taxes;
pub(crate) use set_tax_rate::set_tax_rate;
