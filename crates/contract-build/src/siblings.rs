//! The lookup that makes entities siblings, which Rust checks against each other.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::Aggregate;

use crate::name;

/// The code that answers an entity's siblings and calls the handwritten check.
pub(crate) fn code(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let named = &aggregate.options.siblings;
    if named.is_empty() {
        return Ok(());
    }
    let place = aggregate.descriptor.full_name();
    let field = aggregate.descriptor.get_field_by_name(named).filter(name::is_string);
    let field = field.filter(|field| !field.supports_presence());
    let lookup = aggregate.options.lookups.iter().any(|lookup| lookup.field == *named && lookup.within.is_empty());
    let field = field.filter(|_| lookup || named == "owner_id");
    let field = field.ok_or_else(|| {
        format!("{place}: siblings names {named}, which is no lookup with one text, and not owner_id")
    })?;
    writeln!(
        text,
        "fn siblings(&self) -> Option<(&'static str, &str)> {{ Some(({named:?}, self.{}.as_str())) }}
        fn check_siblings(&self, others: &[Self]) -> ::pavise_kernel::Result<()> {{ <Self as ::pavise_kernel::Siblings>::check(self, others) }}
        fn concerns_siblings(&self) -> bool {{ <Self as ::pavise_kernel::Siblings>::is_concerned(self) }}",
        name::field(&field)
    )?;
    Ok(())
}
