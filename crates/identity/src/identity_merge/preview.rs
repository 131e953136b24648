//! What a merge would move, for a caller who only asks.

use pavise_kernel::Call;
use pavise_kernel::worker::Work;

use super::processors::WORKER;
use crate::contract::v1::IdentityMerge;

/// Fills in what each service has of the identity that would go up in the other. A service that does not answer says so
/// in its message.
pub(super) async fn fill(call: &Call, merge: &mut IdentityMerge) {
    let work = Work::new(call.kernel(), WORKER, format!("preview {}", call.request_id()), call.request_id());
    for status in &mut merge.processors {
        let holding = call.kernel().holdings().iter().find(|holding| holding.processor == status.processor);
        let Some(holding) = holding else { continue };
        match work.list_holdings(holding, &merge.merged_identity_id).await {
            Ok(ids) => status.ids = ids,
            Err(error) => status.message = format!("{}: {}", error.reason(), error.message()).chars().take(300).collect(),
        }
    }
}
