//! A call's own calls to peers.

use sha2::{Digest as _, Sha256};

use crate::call::Call;
use crate::call::peers::PeerChannel;
use crate::hex::to_hex;

impl Call {
    /// A channel to another domain for its generated client. It acts as the platform, within this call's deadline and
    /// trace.
    #[must_use]
    pub fn peer_channel(&self, domain: &str) -> PeerChannel {
        let conditions = &self.parts().conditions;
        let offset = self.kernel().business_clock().test_clock().map(|_| self.now().saturating_sub(self.machine_now()));
        PeerChannel::new(
            self.kernel().peers(),
            domain,
            &self.kernel().token(),
            &conditions.traceparent,
            conditions.deadline,
        )
        .own()
        .carrying(offset)
    }

    /// A request to a peer that takes effect once, however often this call is repeated. Its idempotency key is made of
    /// this call's key and `step`.
    #[must_use]
    pub fn peer_request<M>(&self, message: M, step: &str) -> tonic::Request<M> {
        // The digest holds the call's path, because a caller's keys are unique within one service only. Without a key,
        // the base holds the caller and the time besides the request id. Any caller may send one request id with many
        // calls, and one call must not answer another.
        let base = self.idempotency_key().unwrap_or_else(|| {
            let caller = &self.parts().caller;
            format!(
                "{}\n{}\n{}\n{}",
                caller.identity,
                caller.actor_identity(),
                self.parts().conditions.request_id,
                self.now()
            )
        });
        let digest = to_hex(&Sha256::digest(format!("{}\n{base}\n{step}", self.method().path)));
        let mut request = tonic::Request::new(message);
        if let Ok(value) = digest.parse() {
            request.metadata_mut().insert("idempotency-key", value);
        }
        request
    }
}
