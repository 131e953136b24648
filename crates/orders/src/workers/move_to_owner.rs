//! Orders in a merge of two identities: they are assigned to the other identity when nothing is under way.

use pavise_kernel::owned_entities::refuse_for_now;
use pavise_kernel::worker::Work;
use pavise_kernel::{MoveToOwner, OwnerMove, Result, async_trait};
use tonic::Code;

use crate::contract::v1::order_service_client::OrderServiceClient;
use crate::contract::v1::{AssignOwnerRequest, GetOrderRequest, OrderStatus};

/// AssignOwner does not say whose an order was, so it cannot move orders alone.
#[derive(Debug)]
pub(crate) struct MoveOrdersToOwner;

#[async_trait]
impl MoveToOwner for MoveOrdersToOwner {
    fn processor(&self) -> &'static str {
        "orders"
    }

    async fn move_to_owner(&self, work: &Work, thing: &OwnerMove<'_>) -> Result<()> {
        let mut client = OrderServiceClient::new(work.peer_channel("orders"));
        let of = |owner: &str| GetOrderRequest {
            order_id: thing.id.to_owned(),
            identity_id: owner.to_owned(),
            ..GetOrderRequest::default()
        };
        // An order that went to a third identity meanwhile stays there: it is found for neither.
        let order = match client.get_order(of(thing.from)).await {
            Ok(order) => order.into_inner(),
            Err(status) if status.code() == Code::NotFound => {
                client.get_order(of(thing.to)).await?;
                return Ok(());
            }
            Err(status) => return Err(status.into()),
        };
        if is_under_way(order.status()) {
            return Err(refuse_for_now(format_args!("an order is {}", order.status().spelling())));
        }
        let request = AssignOwnerRequest { order_id: thing.id.to_owned(), identity_id: thing.to.to_owned() };
        client.assign_owner(work.new_request(request, &format!("orders {}", thing.id))).await?;
        Ok(())
    }
}

/// Whether an order is being paid or set up: what is paid is set up for the identity that bought it.
fn is_under_way(status: OrderStatus) -> bool {
    matches!(status, OrderStatus::Processing | OrderStatus::Funded | OrderStatus::FullyFunded)
}
