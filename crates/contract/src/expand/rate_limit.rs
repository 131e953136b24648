//! The rate limits that a call has in any case: those of its kinds, as far as it does not state them itself.

use prost_reflect::{DynamicMessage, Kind, ReflectMessage as _, Value};

use super::read;

/// The numbers of `RateLimitScope`.
const CALLER: i32 = 1;
const ADDRESS: i32 = 3;
const RECIPIENT: i32 = 10;

/// A rate limit: the kind of its count, the count, and the seconds of its period.
type RateLimit = (i32, i32, i32);

/// A write that callers without a token may make.
const OPEN: &[RateLimit] = &[(CALLER, 600, 600), (ADDRESS, 3_000, 3_600)];
/// A call that sends a message.
const SENDS: &[RateLimit] = &[(CALLER, 60, 3_600), (ADDRESS, 1_200, 3_600)];
/// The same, where the request names the recipient.
const REACHES: &[RateLimit] = &[(RECIPIENT, 20, 3_600)];
/// A call that tells whether somebody is known.
const TELLS: &[RateLimit] = &[(CALLER, 60, 600), (ADDRESS, 1_200, 3_600)];

/// The kinds of a call.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    pub(super) open: bool,
    pub(super) tells: bool,
}

/// Adds the rate limits that the call does not state.
pub(super) fn complete(call: &mut DynamicMessage, kinds: Kinds) {
    let sends = read::message(call, "sends");
    let reaches = sends.as_ref().is_some_and(|sends| read::text(sends, "unnamed").is_empty());
    let parts = [(kinds.open, OPEN), (sends.is_some(), SENDS), (reaches, REACHES), (kinds.tells, TELLS)];
    let mut wanted: Vec<RateLimit> = Vec::new();
    for rate_limit in parts.into_iter().filter(|(applies, _)| *applies).flat_map(|(_, rate_limits)| rate_limits) {
        match wanted.iter_mut().find(|(per, _, _)| *per == rate_limit.0) {
            // Of two, the slower one over a long time.
            Some(known) if rate_limit.1 * known.2 < known.1 * rate_limit.2 => *known = *rate_limit,
            Some(_) => {}
            None => wanted.push(*rate_limit),
        }
    }
    let per = |rate_limit: &DynamicMessage| rate_limit.get_field_by_name("per").and_then(|per| per.as_enum_number());
    let stated: Vec<i32> = read::messages(call, "rate_limit").iter().filter_map(per).collect();
    wanted.retain(|(per, _, _)| !stated.contains(per));
    add(call, &wanted);
    if kinds.tells {
        call.set_field_by_name("tells", Value::Bool(true));
    }
}

fn add(call: &mut DynamicMessage, rate_limits: &[RateLimit]) {
    let Some(Kind::Message(message)) = call.descriptor().get_field_by_name("rate_limit").map(|field| field.kind())
    else {
        return;
    };
    let Some(list) = call.get_field_by_name_mut("rate_limit").and_then(Value::as_list_mut) else { return };
    for (per, count, seconds) in rate_limits {
        let mut rate_limit = DynamicMessage::new(message.clone());
        rate_limit.set_field_by_name("per", Value::EnumNumber(*per));
        rate_limit.set_field_by_name("count", Value::I32(*count));
        rate_limit.set_field_by_name("seconds", Value::I32(*seconds));
        list.push(Value::Message(rate_limit));
    }
}
