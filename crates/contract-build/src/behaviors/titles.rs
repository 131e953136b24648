//! The call that answers the titles of entities.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::{Behavior, Method};

use crate::titles::titled;
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

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
            name::call_constant(&name::short(service), get),
        )?;
    }
    if sources.is_empty() {
        return Err(format!("{}: no aggregate of the domain has a title", method.descriptor.full_name()).into());
    }
    Ok(format!("call.load_titles(&[{sources}], &request).await"))
}
