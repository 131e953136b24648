//! The preview of a merge.

use pavise_kernel::Call;
use pavise_kernel::worker::Work;

use super::processors::KEY_NAME;
use crate::contract::v1::IdentityMerge;

/// Fills in what each service holds for the identity that would be merged. A service that does not answer is named in
/// the message.
pub(crate) async fn fill_preview(call: &Call, merge: &mut IdentityMerge) {
    let work = Work::new(call.kernel(), KEY_NAME, format!("preview {}", call.request_id()), call.request_id());
    for status in &mut merge.processors {
        let owned_entity =
            call.kernel().owned_entities().iter().find(|owned_entity| owned_entity.processor == status.processor);
        let Some(owned_entity) = owned_entity else { continue };
        match work.list_owned_entities(owned_entity, &merge.merged_identity_id).await {
            Ok(ids) => status.ids = ids,
            Err(error) => {
                status.message = format!("{}: {}", error.reason(), error.message()).chars().take(300).collect()
            }
        }
    }
}
