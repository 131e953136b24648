//! Titles of entities: the part of an entity that its display names, and the call that answers it.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Answers, Display};
use pavise_contract::{Aggregate, Behavior, Method, Service};

use crate::service::call_constant;
use crate::{Source, aggregate, name, service};

type Written = Result<String, Box<dyn Error>>;

/// The `Titled` trait for each aggregate of the package that has a title.
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
            "impl ::pavise_kernel::Titled for {path} {{ fn titled(self) -> Self {{ Self {{ {kept} ..Default::default() }} }} }}",
            path = name::message(&aggregate.descriptor)
        )?;
    }
    Ok(text)
}

/// The body of a call that answers titles.
pub(crate) fn body(source: &Source<'_>, method: &Method) -> Written {
    let (input, output) = (method.descriptor.input(), method.output());
    if input.full_name() != "pavise.common.v1.GetTitlesRequest"
        || output.full_name() != "pavise.common.v1.GetTitlesResponse"
    {
        let place = method.descriptor.full_name();
        return Err(format!("{place}: titles takes a GetTitlesRequest and answers a GetTitlesResponse").into());
    }
    let mut sources = String::new();
    for (aggregate, _, service, get) in titled(source) {
        let statuses: &[String] = match &get.behavior {
            Behavior::Get(get) => &get.statuses,
            _ => &[],
        };
        write!(
            sources,
            "::pavise_kernel::TitleSource::of::<{}>({:?}, &{}, &{statuses:?}),",
            name::message(&aggregate.descriptor),
            aggregate.descriptor.name(),
            call_constant(&service::short(service), get),
        )?;
    }
    if sources.is_empty() {
        return Err(format!("{}: no aggregate of the domain has a title", method.descriptor.full_name()).into());
    }
    Ok(format!("call.titles(&[{sources}], &request).await"))
}

/// The aggregates of the package that have a display, each with the call that answers one alone. A child has no title,
/// because its reader must be able to read the parent, too.
fn titled<'a>(source: &'a Source<'_>) -> impl Iterator<Item = (&'a Aggregate, &'a Display, &'a Service, &'a Method)> {
    let whole = aggregate::aggregates(source).filter(|aggregate| aggregate.options.parent.is_none());
    whole.filter_map(|aggregate| {
        let (service, get) = answering(source, aggregate)?;
        Some((aggregate, aggregate.options.display.as_ref()?, service, get))
    })
}

/// The call whose access rule decides who may read an entity: the first declared get, else the first custom one.
pub(crate) fn answering<'a>(source: &'a Source<'_>, aggregate: &Aggregate) -> Option<(&'a Service, &'a Method)> {
    let full = aggregate.descriptor.full_name();
    let mut answering: Vec<_> = source
        .contract
        .methods()
        .filter(|(service, method)| {
            service.domain == source.domain
                && method.reads()
                && method.facts.answers() == Answers::One
                && method.output().full_name() == full
        })
        .collect();
    answering.sort_by_key(|(_, method)| !matches!(method.behavior, Behavior::Get(_)));
    answering.into_iter().next()
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
