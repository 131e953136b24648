//! Deletes a family without products.

use pavise_kernel::{Call, Error, Result};

use crate::contract::lookups::product as lookups;
use crate::contract::v1::product_service_client::ProductServiceClient;
use crate::contract::v1::{
    DeleteProductFamilyRequest, ErrorReason, Family, Product, ProductFamilyStatus, UpdateProductFamilyRequest,
};
use crate::products::check_family;

pub(crate) async fn delete_product_family(call: &Call, request: DeleteProductFamilyRequest) -> Result<Family> {
    let mut family: Family = call.get(&request.product_family_id).await?;
    call.check_transition(&family)?;
    if !request.move_products_to.is_empty() {
        check_target(call, &family, &request.move_products_to).await?;
        move_products(call, &family, &request.move_products_to).await?;
    }
    let mut unit = call.unit();
    let products: Vec<Product> = unit.expects_by(lookups::PRODUCT_FAMILY_ID, &family.id).await?;
    let stays = !call.validate_only() || request.move_products_to.is_empty();
    if let Some(product) = products.first().filter(|_| stays) {
        let message = format!("the product {} still belongs to this family", product.id);
        return Err(Error::new(ErrorReason::FamilyInUse, message).with("productId", product.id.clone()));
    }
    family.set_status(ProductFamilyStatus::Deleted);
    let family = unit.remove(family)?;
    unit.commit_answer(family).await
}

/// The products go to another family that is active and of the same kind.
async fn check_target(call: &Call, family: &Family, target: &str) -> Result<()> {
    if target == family.id {
        return Err(Error::field("move_products_to", "is the family itself"));
    }
    check_family(call, "move_products_to", target, family.kind()).await
}

/// Moves the products, each by a call of its own: they have another journal. A repeat moves those that are left.
async fn move_products(call: &Call, family: &Family, target: &str) -> Result<()> {
    if call.validate_only() {
        return Ok(());
    }
    let products: Vec<Product> = call.unit().expects_by(lookups::PRODUCT_FAMILY_ID, &family.id).await?;
    let mut client = ProductServiceClient::new(call.peer_channel("catalog"));
    for product in products {
        let step = format!("move {} of version {}", product.id, product.version);
        let request = UpdateProductFamilyRequest { product_id: product.id, product_family_id: target.to_owned() };
        client.update_product_family(call.peer_request(request, &step)).await?;
    }
    Ok(())
}
