//! The demonstration's catalog in a test.

use futures::stream;
use pavise_catalog::contract::documents::File;
use pavise_catalog::contract::documents::file_service_client::FileServiceClient;
use pavise_catalog::contract::v1::benefit_service_client::BenefitServiceClient;
use pavise_catalog::contract::v1::offer_service_client::OfferServiceClient;
use pavise_catalog::contract::v1::product_service_client::ProductServiceClient;
use pavise_catalog::demo::{build_demo, make_document};
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::{Common, Error};
use tonic::Status;

/// Fills the shop, as the bearer of the channels to the domains catalog and documents. The benefits of the products stand
/// in no service: most tests do not need them.
///
/// # Errors
/// When a call is refused.
pub async fn stock(channel: impl Fn(&str) -> PeerChannel) -> Result<(), Status> {
    stock_with(channel, &[]).await
}

/// Stores a document that contracts can name, as the bearer of the channel to the documents domain. `name` ends in `.pdf`.
///
/// # Errors
/// When the call is refused.
pub async fn store_document(documents: PeerChannel, name: &str) -> Result<File, Status> {
    let mut files = FileServiceClient::new(documents);
    Ok(files.upload_container_file(stream::iter([make_document("", name)])).await?.into_inner())
}

/// Fills the shop, and the service of the benefits with those of the demonstration that are named.
///
/// # Errors
/// When a call is refused.
pub(crate) async fn stock_with(channel: impl Fn(&str) -> PeerChannel, benefit_ids: &[&str]) -> Result<(), Status> {
    let (catalog, documents) = (channel("catalog"), channel("documents"));
    let mut products = ProductServiceClient::new(catalog.clone());
    let mut offers = OfferServiceClient::new(catalog.clone());
    let mut benefits = BenefitServiceClient::new(catalog);
    let mut files = FileServiceClient::new(documents);
    let mut demo = build_demo();
    for document in std::mem::take(&mut demo.documents) {
        let name = document.name.clone();
        match files.upload_container_file(stream::iter([document])).await {
            Ok(file) => demo.name_document(&name, &file.into_inner().id),
            Err(refused) if keeps_no_files(&refused) => demo.drop_document(&name),
            Err(refused) => return Err(refused),
        }
    }
    for request in demo.benefits.into_iter().filter(|request| benefit_ids.contains(&request.id.as_str())) {
        benefits.create_benefit(request).await?;
    }
    for request in demo.activate_benefits {
        if benefit_ids.contains(&request.benefit_id.as_str()) {
            benefits.activate_benefit(request).await?;
        }
    }
    for mut request in demo.products {
        let named = request.product.iter_mut().flat_map(|draft| &mut draft.benefits);
        named.filter(|one| !benefit_ids.contains(&one.benefit_id.as_str())).for_each(|one| one.benefit_id.clear());
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

/// Whether the server has no place for files.
fn keeps_no_files(refused: &Status) -> bool {
    Error::from(refused.clone()).is(Common::NotConfigured)
}
