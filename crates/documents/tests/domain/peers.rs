//! The other domains, as far as documents calls them.

use std::sync::{Arc, Mutex};

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

/// The beginning of the ids of visitors, whom the identity domain does not know.
const VISITORS: &str = "70000000-0000-4000-8000-00000000000";

/// The calls of documents that the other domains received.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    asked: Mutex<Vec<String>>,
}

impl Peers {
    /// The identities whose existence was asked for, in this order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// The domains identity and messaging. "nobody" does not exist, and visitors do not.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        let asked = self.clone();
        PeerDouble::default().on_anew(
            "/pavise.identity.v1.TieService/CheckTie",
            move |ask: RecordedCall<CheckTieRequest>| {
                let identity_id = ask.message.identity_id;
                let exists = identity_id != "nobody" && !identity_id.starts_with(VISITORS);
                asked.asked.lock().unwrap().push(identity_id);
                Ok(CheckTieResponse { exists, tied: false })
            },
        )
    }
}
