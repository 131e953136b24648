//! Answers both times, and the last advance with its days.

use pavise_kernel::{Call, Result};

use super::support::read_clock;
use crate::contract::v1::{GetTestClockRequest, TestClock};

pub(crate) async fn get_test_clock(call: &Call, _request: GetTestClockRequest) -> Result<TestClock> {
    read_clock(call.kernel()).await
}
