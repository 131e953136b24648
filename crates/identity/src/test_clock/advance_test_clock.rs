//! Begins to move business time forward.

use pavise_kernel::time::{is_real, to_days};
use pavise_kernel::{Call, Error, Result, test_clock};

use super::support::{check_configured, read_clock};
use crate::contract::v1::{AdvanceTestClockRequest, ErrorReason, TestClock};

pub(crate) async fn advance_test_clock(call: &Call, request: AdvanceTestClockRequest) -> Result<TestClock> {
    check_configured(call.kernel())?;
    let (days, field) = match (request.days, request.until_day) {
        (0, None) => return Err(Error::missing_field("days")),
        (days, None) => (i64::from(days), "days"),
        (0, Some(day)) if !is_real(day) => return Err(Error::field("until_day", "is no day of the calendar")),
        (0, Some(day)) => (to_days(day).saturating_sub(to_days(call.today())), "until_day"),
        (_, Some(_)) => return Err(Error::field("until_day", "says otherwise than days: leave one of them out")),
    };
    if !call.validate_only() && !test_clock::begin_advance(call.kernel(), days, field).await? {
        let message = "the test clock is on its way already: wait until it stands, or stop it";
        return Err(Error::new(ErrorReason::TestClockAdvancing, message));
    }
    read_clock(call.kernel()).await
}
