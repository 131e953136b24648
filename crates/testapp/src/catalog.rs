//! The demonstration's catalog in a test.

use pavise_catalog::contract::v1::offer_service_client::OfferServiceClient;
use pavise_catalog::contract::v1::product_service_client::ProductServiceClient;
use pavise_catalog::demo::build_demo;
use pavise_kernel::peers::PeerChannel;
use tonic::Status;

/// Fills the shop, as the bearer of the channel to the catalog domain. The benefits of the products stand in no service:
/// most tests do not need them.
///
/// # Errors
/// When a call is refused.
pub async fn stock(catalog: PeerChannel) -> Result<(), Status> {
    let mut products = ProductServiceClient::new(catalog.clone());
    let mut offers = OfferServiceClient::new(catalog);
    let demo = build_demo();
    for mut request in demo.products {
        if let Some(draft) = &mut request.product {
            draft.benefits.iter_mut().for_each(|benefit| benefit.benefit_id.clear());
        }
        products.create_product(request).await?;
    }
    for request in demo.activate {
        products.activate_product(request).await?;
    }
    for request in demo.offers {
        offers.create_offer(request).await?;
    }
    for request in demo.ready_for_sale {
        offers.make_ready_for_sale(request).await?;
    }
    for request in demo.make_enrollable {
        offers.make_enrollable(request).await?;
    }
    for request in demo.grandfather {
        offers.grandfather_offer(request).await?;
    }
    Ok(())
}
