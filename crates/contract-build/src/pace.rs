//! How often a call may be made.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::Method;
use pavise_contract::options::v1::Per;

/// The longest period of a pace, in seconds.
const DAY: i32 = 86_400;

/// Checks the paces of a call and answers them as constants.
pub(crate) fn code(method: &Method) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let (mut text, mut seen) = (String::new(), HashSet::new());
    for pace in &method.pace {
        let per = pace.per();
        if per == Per::Unspecified || pace.count < 1 || !(1..=DAY).contains(&pace.seconds) {
            return Err(format!("{place}: a pace says per whom, a count, and at most a day of seconds").into());
        }
        if per == Per::Owner && method.access.owner.is_empty() {
            return Err(format!("{place}: a pace per owner needs an access rule that names the owner").into());
        }
        if !seen.insert(per) {
            return Err(format!("{place}: it has two paces of one kind").into());
        }
        if method.descriptor.is_server_streaming() {
            return Err(format!("{place}: a stream has no pace").into());
        }
        write!(text, "Pace {{ per: Per::{per:?}, count: {}, seconds: {} }},", pace.count, pace.seconds)?;
    }
    Ok(text)
}
