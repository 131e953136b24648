//! Records what went back for a cancelled order.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{FinishCancellationRequest, Order};

impl Edit<FinishCancellationRequest> for Order {
    /// Records it once.
    fn edit(&mut self, request: &FinishCancellationRequest, context: &EditContext) -> Result<()> {
        if let Some(cancellation) = self.cancellation.as_mut().filter(|one| one.finished_at.is_none()) {
            cancellation.finished_at = Some(context.timestamp());
            cancellation.refunded = request.refunded;
            cancellation.credited = request.credited;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::OrderCancellation;
    use crate::shared::amount;
    use pavise_kernel::common::v1::Currency;

    #[test]
    fn only_a_cancelled_order_is_finished_and_once() {
        let request = |cents: i64| FinishCancellationRequest {
            refunded: Some(amount::from_minor_units(Currency::Usd, cents)),
            ..FinishCancellationRequest::default()
        };
        let mut order = Order::default();
        order.edit(&request(1), &EditContext::at(0)).unwrap();
        assert_eq!(order, Order::default());
        order.cancellation = Some(OrderCancellation::default());
        for cents in [2995, 1] {
            order.edit(&request(cents), &EditContext::at(0)).unwrap();
        }
        let cancellation = order.cancellation.unwrap();
        assert_eq!((cancellation.refunded, cancellation.finished_at.is_some()), (request(2995).refunded, true));
    }
}
