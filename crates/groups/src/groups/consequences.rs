//! A group is removed only when nobody has a running plan through it.

use pavise_kernel::{Call, Consequences, Error, Result, Step};
use tonic::Request;

use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{ListGroupSubscriptionsRequest, SubscriptionStatus};
use crate::contract::v1::{ErrorReason, Group};

impl Consequences for Group {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        match (&step.before, &step.after) {
            (Some(group), None) if has_members(call, &group.id).await? => {
                let message = "members have running plans through the group: cancel it first";
                Err(Error::new(ErrorReason::GroupHasMembers, message))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a subscription through the group is not over.
async fn has_members(call: &Call, group_id: &str) -> Result<bool> {
    let mut subscriptions = SubscriptionServiceClient::new(call.peer_channel("billing"));
    let mut page_token = String::new();
    loop {
        let ask = ListGroupSubscriptionsRequest {
            group_id: group_id.to_owned(),
            page_size: 200,
            page_token,
            show_total: false,
        };
        let page = subscriptions.list_group_subscriptions(Request::new(ask)).await?.into_inner();
        if page.subscriptions.iter().any(|one| one.status() != SubscriptionStatus::Cancelled) {
            return Ok(true);
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(false);
        }
    }
}
