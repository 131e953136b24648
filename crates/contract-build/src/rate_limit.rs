//! How often a call may be made, and the recipient of its message.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::Method;
use pavise_contract::options::v1::RateLimitScope;
use prost_reflect::Kind;

use crate::floor::fields;
use crate::name;

/// The longest period of a rate limit, in seconds.
const DAY: i32 = 86_400;

/// Checks the rate limits of a call and answers them as constants.
pub(crate) fn code(method: &Method) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let (mut text, mut seen) = (String::new(), HashSet::new());
    for rate_limit in &method.rate_limit {
        let per = rate_limit.per();
        if per == RateLimitScope::Unspecified || rate_limit.count < 1 || !(1..=DAY).contains(&rate_limit.seconds) {
            return Err(format!(
                "{place}: a rate limit is incomplete: set `per`, a `count` above zero, and `seconds` of at most a day"
            )
            .into());
        }
        if per == RateLimitScope::Owner && method.access.owner.is_empty() {
            return Err(
                format!("{place}: a rate limit per owner needs the owner's field: name it in `access.owner`").into()
            );
        }
        if per == RateLimitScope::Recipient && !reaches(method) {
            return Err(format!("{place}: a rate limit per recipient needs the recipient: name it in `sends`").into());
        }
        if !seen.insert(per) {
            return Err(format!("{place}: two rate limits have the same `per`: keep one of them").into());
        }
        if method.descriptor.is_server_streaming() {
            return Err(format!("{place}: a stream cannot have a rate limit: leave it out").into());
        }
        write!(
            text,
            "RateLimit {{ per: RateLimitScope::{per:?}, count: {}, seconds: {} }},",
            rate_limit.count, rate_limit.seconds
        )?;
    }
    let needed: [(bool, &str, &[RateLimitScope]); 4] = [
        (
            method.access.public && !method.reads(),
            "a write without a token",
            &[RateLimitScope::Caller, RateLimitScope::Address],
        ),
        (
            method.tells,
            "a call that tells whether somebody is known",
            &[RateLimitScope::Caller, RateLimitScope::Address],
        ),
        (method.sends.is_some(), "a call that sends a message", &[RateLimitScope::Caller, RateLimitScope::Address]),
        (reaches(method), "a call that sends a message", &[RateLimitScope::Recipient]),
    ];
    for (_, what, pers) in needed.iter().filter(|(applies, _, _)| *applies) {
        if let Some(missing) = pers.iter().find(|per| !seen.contains(per)) {
            return Err(format!("{place}: {what} needs a rate limit {}", missing.as_str_name()).into());
        }
    }
    Ok(text)
}

/// Whether the call's request names the recipient of its message.
fn reaches(method: &Method) -> bool {
    method.sends.as_ref().is_some_and(|sends| sends.unnamed.is_empty())
}

/// The recipient of the call's message, to compare calls with a common request.
pub(crate) fn recipient(method: &Method) -> String {
    method.sends.as_ref().map(|sends| format!("{sends:?}")).unwrap_or_default()
}

/// The function of the request that answers the recipient; empty without one.
pub(crate) fn target(method: &Method) -> Result<String, Box<dyn Error>> {
    let Some(sends) = &method.sends else { return Ok(String::new()) };
    let place = method.descriptor.full_name();
    let said = [!sends.to.is_empty(), sends.owner, !sends.unnamed.is_empty()];
    if said.iter().filter(|said| **said).count() != 1 {
        return Err(format!("{place}: `sends` needs exactly one of `to`, `owner` and `unnamed`").into());
    }
    if sends.owner {
        let value = match method.access.owner.as_str() {
            "" => "None".to_owned(),
            owner => fields::requested(method, "owner", owner)?,
        };
        return Ok(format!(
            "fn recipient(&self) -> ::pavise_kernel::Recipient<'_> {{ ::pavise_kernel::Recipient::Owner({value}) }}"
        ));
    }
    let mut values = Vec::new();
    for path in &sends.to {
        values.push(text_at(method, path)?);
    }
    if values.is_empty() {
        return Ok(String::new());
    }
    let value = format!("None{}", values.iter().map(|value| format!(".or_else(|| {value})")).collect::<String>());
    Ok(format!(
        "fn recipient(&self) -> ::pavise_kernel::Recipient<'_> {{ ::pavise_kernel::Recipient::Named({value}) }}"
    ))
}

/// The code for the text at a path of the request; none if it is empty. Of a list it is the first one.
fn text_at(method: &Method, path: &str) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let refused = || format!("{place}: sends.to names {path}, which is no text field of the request");
    let (mut message, mut value) = (method.descriptor.input(), "Some(self)".to_owned());
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let field = message.get_field_by_name(part).filter(|field| !field.is_map()).ok_or_else(refused)?;
        let ident = name::field(&field);
        let is_text = matches!(field.kind(), Kind::String);
        if parts.peek().is_some() {
            message = field.kind().as_message().cloned().ok_or_else(refused)?;
            let first = if field.is_list() { "first" } else { "as_ref" };
            write!(value, ".and_then(|one| one.{ident}.{first}())")?;
        } else if !is_text {
            return Err(refused().into());
        } else if field.is_list() {
            write!(value, ".and_then(|one| one.{ident}.first()).map(String::as_str)")?;
        } else if field.supports_presence() {
            write!(value, ".and_then(|one| one.{ident}.as_deref())")?;
        } else {
            write!(value, ".map(|one| one.{ident}.as_str())")?;
        }
    }
    Ok(format!("{value}.filter(|value| !value.is_empty())"))
}
