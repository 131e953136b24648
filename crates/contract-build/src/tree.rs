//! The field that puts entities one below the other.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::{Aggregate, is_output_only};

use crate::name;

/// The most entities on a way from the top down. Each costs a read when an entity is put below others.
const DEEPEST: i32 = 100;

/// The code that answers an entity's place in its tree.
pub(crate) fn code(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let Some(tree) = &aggregate.options.tree else { return Ok(()) };
    let place = aggregate.descriptor.full_name();
    let named = &tree.field;
    let field = aggregate.descriptor.get_field_by_name(named).filter(name::is_string);
    let field = field.filter(|field| !field.supports_presence() && !is_output_only(field));
    let mut lookups = aggregate.options.lookups.iter();
    let plain = lookups.any(|lookup| lookup.field == *named && !lookup.unique && !lookup.fold && !lookup.prefix);
    let field = field.filter(|_| plain);
    let field = field.ok_or_else(|| format!("{place}: tree names {named:?}, which is no plain lookup of one text"))?;
    if !(2..=DEEPEST).contains(&tree.depth) {
        return Err(format!("{place}: a tree has a depth of 2 to {DEEPEST}, not {}", tree.depth).into());
    }
    writeln!(
        text,
        "fn place(&self) -> Option<::pavise_kernel::tree_position::TreePosition<'_>> {{
            Some(::pavise_kernel::tree_position::TreePosition {{ field: {named:?}, above: &self.{}, depth: {} }})
        }}",
        name::field(&field),
        tree.depth
    )?;
    Ok(())
}
