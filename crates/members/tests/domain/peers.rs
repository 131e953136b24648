//! The other domains, as far as members calls them.

use std::sync::{Arc, Mutex};

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_members::contract::identity::{Identity, SetDisplayNameRequest};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

/// The calls of members that the other domains received.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    names: Mutex<Vec<(String, String)>>,
}

impl Peers {
    /// The display names of identities, as they were set.
    pub(crate) fn names(&self) -> Vec<(String, String)> {
        self.names.lock().unwrap().clone()
    }

    /// The domains billing, fulfillment, identity and orders. "nobody" does not exist.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        let named = self.clone();
        PeerDouble::default()
            .on_anew("/pavise.identity.v1.TieService/CheckTie", |ask: RecordedCall<CheckTieRequest>| {
                Ok(CheckTieResponse { exists: ask.message.identity_id != "nobody", tied: false })
            })
            .with_call(
                "/pavise.identity.v1.IdentityService/SetDisplayName",
                move |ask: RecordedCall<SetDisplayNameRequest>| {
                    let SetDisplayNameRequest { identity_id, display_name } = ask.message;
                    named.names.lock().unwrap().push((identity_id.clone(), display_name.clone()));
                    Ok(Identity { id: identity_id, display_name, ..Identity::default() })
                },
            )
    }
}
