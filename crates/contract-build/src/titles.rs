//! Titles of entities: the part of an entity that its display names, and the call that answers it.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::Display;
use pavise_contract::{Aggregate, Method, Service};

use crate::floor::entities;
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

/// The `HasTitle` trait for each aggregate of the package that has a title.
pub(crate) fn code(source: &Source<'_>) -> Written {
    let mut text = String::new();
    for (aggregate, display, _, _) in titled(source) {
        let mut kept = String::new();
        for field in kept_fields(display) {
            let field = aggregate.descriptor.get_field_by_name(&field);
            let field = field.ok_or_else(|| format!("{}: a title names no field", aggregate.descriptor.full_name()))?;
            write!(kept, "{ident}: self.{ident},", ident = name::field(&field))?;
        }
        writeln!(
            text,
            "impl ::pavise_kernel::HasTitle for {path} {{ fn titled(self) -> Self {{ Self {{ {kept} ..Default::default() }} }} }}",
            path = name::message(&aggregate.descriptor)
        )?;
    }
    Ok(text)
}

/// The aggregates of the package that have a display, each with the call that answers one alone. A child has no title,
/// because its reader must be able to read the parent, too.
pub(crate) fn titled<'a>(
    source: &'a Source<'_>,
) -> impl Iterator<Item = (&'a Aggregate, &'a Display, &'a Service, &'a Method)> {
    let whole = entities::aggregates(source).filter(|aggregate| aggregate.options.parent.is_none());
    whole.filter_map(|aggregate| {
        let (service, get) = entities::answering(source, aggregate)?;
        Some((aggregate, aggregate.options.display.as_ref()?, service, get))
    })
}

/// The top-level fields that a display's templates name, and the id.
fn kept_fields(display: &Display) -> BTreeSet<String> {
    let paths = [&display.title, &display.subtitle].into_iter().flat_map(|template| {
        let inside = template.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        inside.flat_map(|paths| paths.split('|')).map(str::to_owned).collect::<Vec<_>>()
    });
    let heads = paths.filter_map(|path| path.split('.').next().map(|head| head.trim_end_matches("[]").to_owned()));
    heads.chain(["id".to_owned()]).collect()
}
