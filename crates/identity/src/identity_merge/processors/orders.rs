//! Orders, which are assigned to the other identity when nothing is under way.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::worker::Work;
use tonic::Code;

use super::{Handover, PAGE, Processor, every, under_way};
use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{AssignOwnerRequest, GetOrderRequest, ListOrdersRequest, OrderStatus};

#[derive(Debug)]
pub(super) struct Orders;

#[async_trait]
impl Processor for Orders {
    fn name(&self) -> &'static str {
        "orders"
    }

    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>> {
        every(|page_token| async move {
            let request =
                ListOrdersRequest { identity_id: identity.to_owned(), page_size: PAGE, page_token, ..Default::default() };
            let page = OrderServiceClient::new(work.peer("orders")).list_orders(request).await?.into_inner();
            Ok((page.orders.into_iter().map(|order| order.id).collect(), page.next_page_token))
        })
        .await
    }

    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()> {
        let mut client = OrderServiceClient::new(work.peer("orders"));
        let whose = |identity: &str| GetOrderRequest {
            order_id: thing.id.to_owned(),
            identity_id: identity.to_owned(),
            ..Default::default()
        };
        // Assigning asks nobody whose an order was: one that went to a third identity stays there.
        let order = match client.get_order(whose(thing.from)).await {
            Ok(order) => order.into_inner(),
            Err(status) if status.code() == Code::NotFound => {
                client.get_order(whose(thing.to)).await?;
                return Ok(());
            }
            Err(status) => return Err(status.into()),
        };
        // What is paid and not set up yet is set up for the identity that bought it.
        if matches!(order.status(), OrderStatus::Processing | OrderStatus::Funded | OrderStatus::FullyFunded) {
            return Err(under_way(format_args!(
                "an order is {}",
                order.status().as_str_name().trim_start_matches("ORDER_STATUS_")
            )));
        }
        let request = AssignOwnerRequest { order_id: thing.id.to_owned(), identity_id: thing.to.to_owned() };
        client.assign_owner(work.request(request, &format!("orders {}", thing.id))).await?;
        Ok(())
    }
}
