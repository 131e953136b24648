//! Quotes of the catalog: the prices and problems of an offer.

use pavise_kernel::{Call, Result};
use tonic::Code;

use super::problem::Problem;
use crate::contract::catalog::offer_service_client::OfferServiceClient;
use crate::contract::catalog::{self, SalesChannelKind, ValidateSelectionsRequest, ValidateSelectionsResponse};
use crate::contract::v1::{OfferOnOrder, Order, OrderChannel, Selection};

/// Asks the catalog for the prices of an offer. An unknown offer is a problem of the choice.
///
/// # Errors
/// When the catalog does not answer.
pub(crate) async fn ask_quote(
    call: &Call,
    order: &Order,
    offer: &OfferOnOrder,
) -> Result<Result<ValidateSelectionsResponse, Problem>> {
    let mut catalog = OfferServiceClient::new(call.peer_channel("catalog"));
    match catalog.validate_selections(call.peer_request(build_request(order, offer), &offer.id)).await {
        Ok(answer) => Ok(Ok(answer.into_inner())),
        Err(status) if status.code() == Code::NotFound => {
            Ok(Err(Problem { at: 0, field: "offer_id".to_owned(), description: "there is no such offer".to_owned() }))
        }
        Err(status) => Err(status.into()),
    }
}

fn build_request(order: &Order, offer: &OfferOnOrder) -> ValidateSelectionsRequest {
    // Supplements that the member has belong to the choice: a new one may require or exclude them.
    let with_held = |chosen: &Selection| catalog::Selection {
        product_id: chosen.product_id.clone(),
        tier_id: chosen.tier_id.clone(),
        supplement_ids: offer.held_supplement_ids.iter().chain(&chosen.supplement_ids).cloned().collect(),
    };
    ValidateSelectionsRequest {
        brand: offer.brand.clone(),
        offer_id: offer.offer_id.clone(),
        selections: offer.selections.iter().map(with_held).collect(),
        billing_period: offer.billing_period,
        currency: order.currency,
        locality: order.locality,
        channel: sales_channel_from(order).into(),
        group_id: order.group_id.clone(),
        locale: order.locale,
        // An offer on trial exists for the members of its cohort only. Nobody owns an anonymous order.
        identity_id: order.owner_id.clone(),
    }
}

/// The sales channel of an order.
fn sales_channel_from(order: &Order) -> SalesChannelKind {
    if !order.group_id.is_empty() {
        return SalesChannelKind::Group;
    }
    match order.channel() {
        OrderChannel::GroupSites => SalesChannelKind::Group,
        OrderChannel::Hubsites | OrderChannel::LaunchByLs | OrderChannel::LsaPlus | OrderChannel::SubmitApp => {
            SalesChannelKind::Network
        }
        OrderChannel::Corp | OrderChannel::BuyNow | OrderChannel::AddLegalSupplement | OrderChannel::Unspecified => {
            SalesChannelKind::D2c
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_is_asked_with_new_and_held_supplements() {
        let chosen = Selection { supplement_ids: vec!["new".into()], ..Selection::default() };
        let offer = OfferOnOrder {
            selections: vec![chosen],
            held_supplement_ids: vec!["held".into()],
            ..OfferOnOrder::default()
        };
        assert_eq!(build_request(&Order::default(), &offer).selections[0].supplement_ids, ["held", "new"]);
    }

    #[test]
    fn the_catalog_is_asked_for_the_owner_of_the_order() {
        let buyer = |order: &Order| build_request(order, &OfferOnOrder::default()).identity_id;
        assert_eq!(buyer(&Order { owner_id: "ann".into(), ..Order::default() }), "ann");
        assert_eq!(buyer(&Order::default()), "");
    }

    #[test]
    fn a_group_order_is_sold_through_the_group_whatever_its_channel() {
        assert_eq!(sales_channel_from(&Order { group_id: "g".into(), ..Order::default() }), SalesChannelKind::Group);
        assert_eq!(
            sales_channel_from(&Order { channel: OrderChannel::LsaPlus.into(), ..Order::default() }),
            SalesChannelKind::Network
        );
        assert_eq!(
            sales_channel_from(&Order { channel: OrderChannel::Corp.into(), ..Order::default() }),
            SalesChannelKind::D2c
        );
    }
}
