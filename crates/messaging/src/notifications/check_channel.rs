//! Checks that a message with a code could be sent.

use pavise_kernel::{Call, Result};

use super::support::drafts::{check_configured, suppressed_error};
use super::support::suppressed::find_suppression;
use crate::contract::v1::{CheckChannelRequest, CheckChannelResponse, NotificationCategory};

pub(crate) async fn check_channel(call: &Call, request: CheckChannelRequest) -> Result<CheckChannelResponse> {
    let provider = check_configured(call, request.r#type())?;
    let category = match request.category() {
        NotificationCategory::Unspecified => NotificationCategory::Security,
        given => given,
    };
    match find_suppression(call, request.r#type(), &request.address, category).await? {
        Some(reason) => Err(suppressed_error(reason)),
        None => Ok(CheckChannelResponse { provider: provider.into() }),
    }
}
