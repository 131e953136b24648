//! Refuses a second broker.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use crate::contract::v1::{AddBrokerRequest, ErrorReason, Group};

impl CheckRequest<AddBrokerRequest> for Group {
    async fn check_request(_: &Call, group: Option<&Self>, request: &AddBrokerRequest) -> Result<()> {
        match group.and_then(|group| group.broker.as_ref()) {
            Some(broker) if request.broker.as_ref() != Some(broker) => {
                Err(Error::new(ErrorReason::BrokerThere, "the group has a broker; use updateBroker"))
            }
            _ => Ok(()),
        }
    }
}
