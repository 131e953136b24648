//! Hands a notice to messaging.

use pavise_kernel::{Aggregate as _, Call, Error, Result};

use crate::contract::v1::{DeliverNoticeRequest, DeliverNoticeResponse, InvitationNotice, Notice};
use crate::shared::tools::Tools as _;

pub(crate) async fn deliver_notice(call: &Call, request: DeliverNoticeRequest) -> Result<DeliverNoticeResponse> {
    let service = call.identities()?;
    let status = match request.table.as_str() {
        "" | "notices" => service.notices.deliver_notice::<Notice>(call, &request.notice_id).await?,
        "invitation_notices" => service.notices.deliver_notice::<InvitationNotice>(call, &request.notice_id).await?,
        _ => return Err(Error::field("table", "keeps no notices")),
    };
    Ok(DeliverNoticeResponse { status: Notice::status_number(status).unwrap_or_default() })
}
