//! Streams the clock until its advance ends.

use std::time::Duration;

use futures::{Stream, stream};
use pavise_kernel::test_clock::load_state;
use pavise_kernel::{Call, Result};

use super::support::{build_clock, check_configured};
use crate::contract::v1::{TestClock, WatchTestClockRequest};

/// Time between two looks at the clock.
const LOOK: Duration = Duration::from_millis(200);

/// Streams the clock as it is now, and after each change, until it stands.
pub(crate) async fn watch_test_clock(
    call: &Call,
    _request: WatchTestClockRequest,
) -> Result<impl Stream<Item = Result<TestClock>> + Send + use<>> {
    check_configured(call.kernel())?;
    let watch = Watch { call: call.clone(), seen: None, is_over: false };
    Ok(stream::try_unfold(watch, |mut watch| async move { Ok(watch.next().await?.map(|clock| (clock, watch))) }))
}

/// A watch in progress.
struct Watch {
    call: Call,
    /// The version of the clock that was sent last.
    seen: Option<i64>,
    is_over: bool,
}

impl Watch {
    async fn next(&mut self) -> Result<Option<TestClock>> {
        let kernel = self.call.kernel();
        while !self.is_over {
            let state = load_state(kernel).await?;
            if self.seen != Some(state.version) {
                self.seen = Some(state.version);
                self.is_over = !state.is_advancing;
                return Ok(Some(build_clock(state, kernel.machine_clock().now())));
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(None)
    }
}
