//! Refuses to replace a broker who is not there.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use crate::contract::v1::{ErrorReason, Group, UpdateBrokerRequest};

impl CheckRequest<UpdateBrokerRequest> for Group {
    async fn check_request(_: &Call, group: Option<&Self>, _: &UpdateBrokerRequest) -> Result<()> {
        if group.is_some_and(|group| group.broker.is_none()) {
            return Err(Error::new(ErrorReason::BrokerMissing, "the group has no broker; use addBroker"));
        }
        Ok(())
    }
}
