//! Answers what the erasure of a person would erase, and which records are open.

use pavise_kernel::worker::Work;
use pavise_kernel::{Call, Result};

use crate::contract::v1::{PersonErasurePreview, PreviewPersonErasureRequest, Profile};
use crate::shared::open_records::find_open;
use crate::shared::person_parts::count_in_domain;

/// The name under which it asks the other services.
const PREVIEW: &str = "personal_data.preview";

pub(crate) async fn preview_person_erasure(
    call: &Call,
    request: PreviewPersonErasureRequest,
) -> Result<PersonErasurePreview> {
    let profile: Profile = call.get(&request.identity_id).await?;
    let work = Work::new(call.kernel(), PREVIEW, call.request_id().to_owned(), call.request_id());
    let mut services = Vec::new();
    for calls in call.kernel().person_calls() {
        services.extend(count_in_domain(&work, calls, &profile.id).await?);
    }
    Ok(PersonErasurePreview { services, open_records: find_open(call, &profile.id).await? })
}
