//! Makes an entry with a draft.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use super::support::draft::check_all;
use crate::contract::v1::{ContentEntry, ContentType, CreateContentEntryRequest};

impl CheckRequest<CreateContentEntryRequest> for ContentEntry {
    async fn check_request(call: &Call, _entry: Option<&Self>, request: &CreateContentEntryRequest) -> Result<()> {
        let of = call.find_unscoped::<ContentType>(&request.type_id).await?;
        let of = of.ok_or_else(|| Error::field("type_id", "there is no such type"))?;
        if of.site_type != request.site_type {
            return Err(Error::field("site_type", format!("the type is for {}", of.site_type().spelling())));
        }
        check_all(call, &of, &request.draft, |at| format!("draft[{at}].")).await
    }
}
