//! A member whose records are written.

use pavise_fulfillment_client::v1::Entitlement;
use pavise_kernel::time::Micros;
use pavise_kernel::worker::Work;

/// A member of a story, with their oldest plan if they have one.
pub(super) struct Member {
    pub(super) number: u32,
    pub(super) id: String,
    /// When they signed up.
    pub(super) since: Micros,
    pub(super) plan: Option<Entitlement>,
}

impl Member {
    /// A request of this member's records that has the effect of one.
    pub(super) fn request<M>(&self, work: &Work, message: M, step: &str) -> tonic::Request<M> {
        work.new_request(message, &format!("member {} {step}", self.number))
    }
}
