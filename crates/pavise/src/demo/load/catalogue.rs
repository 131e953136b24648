//! The catalogue of the demonstration, through its calls.

use pavise_catalog::contract::v1::offer_service_client::OfferServiceClient;
use pavise_catalog::contract::v1::product_service_client::ProductServiceClient;
use pavise_kernel::worker::Work;

use super::there::passed;

/// Makes what is not there yet.
pub(super) async fn load(work: &Work) -> anyhow::Result<()> {
    let demo = pavise_catalog::demo::demo();
    let mut products = ProductServiceClient::new(work.peer("catalog"));
    for product in demo.products {
        let step = format!("create {}", product.id);
        passed(products.create_product(work.request(product, &step)).await, &step)?;
    }
    for product in demo.activate {
        let step = format!("activate {}", product.product_id);
        passed(products.activate_product(work.request(product, &step)).await, &step)?;
    }
    let mut offers = OfferServiceClient::new(work.peer("catalog"));
    for offer in demo.offers {
        let step = format!("create {}", offer.id);
        passed(offers.create_offer(work.request(offer, &step)).await, &step)?;
    }
    for offer in demo.ready_for_sale {
        let step = format!("sell {}", offer.offer_id);
        passed(offers.make_ready_for_sale(work.request(offer, &step)).await, &step)?;
    }
    for offer in demo.make_enrollable {
        let step = format!("enroll in {}", offer.offer_id);
        passed(offers.make_enrollable(work.request(offer, &step)).await, &step)?;
    }
    for offer in demo.grandfather {
        let step = format!("grandfather {}", offer.offer_id);
        passed(offers.grandfather_offer(work.request(offer, &step)).await, &step)?;
    }
    Ok(())
}
