//! The catalog of the demonstration, made through its calls.

use std::time::Duration;

use futures::stream;
use pavise_kernel::Result;
use pavise_kernel::worker::Work;
use tonic::Request;

use super::Demo;
use crate::contract::documents::file_service_client::FileServiceClient;
use crate::contract::documents::{File, FileStatus, GetFileRequest};
use crate::contract::v1::benefit_service_client::BenefitServiceClient;
use crate::contract::v1::content_service_client::ContentServiceClient;
use crate::contract::v1::offer_map_service_client::OfferMapServiceClient;
use crate::contract::v1::offer_service_client::OfferServiceClient;
use crate::contract::v1::product_service_client::ProductServiceClient;
use crate::contract::v1::{
    AddBenefitsRequest, CreateContentEntryRequest, CreateContentTypeRequest, PublishContentEntryRequest,
    VersionProductRequest,
};

/// The pause before a file is looked at again that waits for its scan.
const WAIT: Duration = Duration::from_millis(250);
/// The most pauses: half a minute.
const MOST_WAITS: usize = 120;

/// Makes what is not there yet.
pub(crate) async fn load_catalog(work: &Work) -> Result<()> {
    let mut demo = super::build_demo();
    store_documents(work, &mut demo).await?;
    let mut benefits = BenefitServiceClient::new(work.peer_channel("catalog"));
    for benefit in demo.benefits {
        let step = format!("create {}", benefit.id);
        work.skip_refused(benefits.create_benefit(work.new_request(benefit, &step)).await, &step)?;
    }
    for benefit in demo.activate_benefits {
        let step = format!("activate {}", benefit.benefit_id);
        work.skip_refused(benefits.activate_benefit(work.new_request(benefit, &step)).await, &step)?;
    }
    let mut products = ProductServiceClient::new(work.peer_channel("catalog"));
    for product in demo.products {
        let step = format!("create {}", product.id);
        work.skip_refused(products.create_product(work.new_request(product, &step)).await, &step)?;
    }
    for product in demo.activate {
        let step = format!("activate {}", product.product_id);
        work.skip_refused(products.activate_product(work.new_request(product, &step)).await, &step)?;
    }
    load_versions(work, demo.add_benefits, demo.version).await?;
    let mut offers = OfferServiceClient::new(work.peer_channel("catalog"));
    for offer in demo.offers {
        let step = format!("create {}", offer.id);
        work.skip_refused(offers.create_offer(work.new_request(offer, &step)).await, &step)?;
    }
    for offer in demo.ready_for_sale {
        let step = format!("sell {}", offer.offer_id);
        work.skip_refused(offers.make_ready_for_sale(work.new_request(offer, &step)).await, &step)?;
    }
    for offer in demo.make_enrollable {
        let step = format!("enroll in {}", offer.offer_id);
        work.skip_refused(offers.make_enrollable(work.new_request(offer, &step)).await, &step)?;
    }
    for offer in demo.grandfather {
        let step = format!("grandfather {}", offer.offer_id);
        work.skip_refused(offers.grandfather_offer(work.new_request(offer, &step)).await, &step)?;
    }
    for product in demo.product_names {
        let step = format!("name {}", product.product_id);
        work.skip_refused(products.update_product_site_name(work.new_request(product, &step)).await, &step)?;
    }
    for offer in demo.offer_names {
        let step = format!("name {}", offer.offer_id);
        work.skip_refused(offers.update_offer_site_name(work.new_request(offer, &step)).await, &step)?;
    }
    let mut maps = OfferMapServiceClient::new(work.peer_channel("catalog"));
    for map in demo.offer_maps {
        let step = format!("create {}", map.id);
        work.skip_refused(maps.create_offer_map(work.new_request(map, &step)).await, &step)?;
    }
    load_content(work, demo.content_types, demo.content_entries, demo.publish).await
}

/// Names the groups of offers, once the groups of the demonstration are there.
///
/// # Errors
/// When a part of the platform does not answer.
pub async fn name_groups(work: &Work) -> Result<()> {
    let mut offers = OfferServiceClient::new(work.peer_channel("catalog"));
    for offer in super::build_demo().name_groups {
        let step = format!("name the groups of {}", offer.offer_id);
        work.skip_refused(offers.update_offer(work.new_request(offer, &step)).await, &step)?;
    }
    Ok(())
}

/// Stores the documents of the contracts, which name them from then on. A server that keeps no files has contracts without
/// documents.
async fn store_documents(work: &Work, demo: &mut Demo) -> Result<()> {
    for document in std::mem::take(&mut demo.documents) {
        let (name, step) = (document.name.clone(), format!("store {}", document.name));
        let request = work.new_request(stream::iter([document]), &step);
        let mut files = FileServiceClient::new(work.peer_channel("documents"));
        let stored = files.upload_container_file(request).await;
        let Some(file) = work.skip_refused(stored, &step)?.map(tonic::Response::into_inner) else {
            demo.drop_document(&name);
            continue;
        };
        demo.name_document(&name, &file.id);
        await_scan(work, file).await?;
    }
    Ok(())
}

/// Waits until a file was scanned, where files are: only then can a contract name it.
async fn await_scan(work: &Work, mut file: File) -> Result<()> {
    let mut files = FileServiceClient::new(work.peer_channel("documents"));
    for _ in 0..MOST_WAITS {
        if file.status() != FileStatus::Pending {
            break;
        }
        work.kernel().machine_clock().sleep(WAIT).await;
        file = files.get_file(Request::new(GetFileRequest { file_id: file.id })).await?.into_inner();
    }
    Ok(())
}

/// Makes the second version of products.
async fn load_versions(
    work: &Work,
    changes: Vec<AddBenefitsRequest>,
    versions: Vec<VersionProductRequest>,
) -> Result<()> {
    let mut products = ProductServiceClient::new(work.peer_channel("catalog"));
    for change in changes {
        let step = format!("add benefits to {}", change.product_id);
        work.skip_refused(products.add_benefits(work.new_request(change, &step)).await, &step)?;
    }
    for product in versions {
        let step = format!("version {}", product.product_id);
        work.skip_refused(products.version_product(work.new_request(product, &step)).await, &step)?;
    }
    Ok(())
}

async fn load_content(
    work: &Work,
    types: Vec<CreateContentTypeRequest>,
    entries: Vec<CreateContentEntryRequest>,
    publish: Vec<PublishContentEntryRequest>,
) -> Result<()> {
    let mut content = ContentServiceClient::new(work.peer_channel("catalog"));
    for request in types {
        let step = format!("create {}", request.id);
        work.skip_refused(content.create_content_type(work.new_request(request, &step)).await, &step)?;
    }
    for request in entries {
        let step = format!("create {}", request.id);
        work.skip_refused(content.create_content_entry(work.new_request(request, &step)).await, &step)?;
    }
    for request in publish {
        let step = format!("publish {}", request.content_entry_id);
        work.skip_refused(content.publish_content_entry(work.new_request(request, &step)).await, &step)?;
    }
    Ok(())
}
