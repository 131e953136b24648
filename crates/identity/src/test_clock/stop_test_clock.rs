//! Ends the advance on the present day.

use pavise_kernel::{Call, Result, test_clock};

use super::support::{check_configured, read_clock};
use crate::contract::v1::{StopTestClockRequest, TestClock};

pub(crate) async fn stop_test_clock(call: &Call, _request: StopTestClockRequest) -> Result<TestClock> {
    check_configured(call.kernel())?;
    if !call.validate_only() {
        test_clock::stop(call.kernel()).await?;
    }
    read_clock(call.kernel()).await
}
