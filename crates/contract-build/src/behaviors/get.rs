//! A declared read of one entity.

use std::error::Error;

use pavise_contract::Method;
use pavise_contract::options::v1::Get;

use crate::floor::answers::{answer, known, view};
use crate::floor::{entities, rule};
use crate::{Source, mask, name};

type Written = Result<String, Box<dyn Error>>;

/// The body of a get.
pub(crate) fn body(source: &Source<'_>, method: &Method, get: &Get) -> Written {
    let place = method.descriptor.full_name();
    let aggregate = entities::named(source, method, &get.aggregate)?
        .ok_or_else(|| format!("{place}: the response is no aggregate: name the aggregate in `aggregate`"))?;
    let entity = name::message(&aggregate.descriptor);
    let id = rule::id(method, &get.id, &aggregate.descriptor)?;
    known(place, aggregate, &get.statuses)?;
    let reason = mask::reason(method, get, aggregate)?;
    let found = match (get.optional, get.statuses.as_slice()) {
        (false, []) => format!("call.get::<{entity}>(&request.{id}).await"),
        (true, []) => format!("call.get_or_empty::<{entity}>(&request.{id}).await"),
        (false, statuses) => format!("call.get_only::<{entity}>(&request.{id}, &{statuses:?}).await"),
        (true, _) => return Err(format!("{place}: the get has `optional` and `statuses`: keep one of them").into()),
    };
    if let Some(view) = view(method, aggregate, &get.views)? {
        if method.output().full_name() != aggregate.descriptor.full_name() {
            return Err(format!("{place}: `views` needs a response that is the entity").into());
        }
        return Ok(format!("{found}.map(|entity| {{ {view} }})"));
    }
    Ok(match answer(method, aggregate, &get.part)? {
        Some(answer) => format!("{found}.map(|entity| {{ let entity = &entity; {answer} }})"),
        None => format!("{reason}{found}"),
    })
}
