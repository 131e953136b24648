//! Deletes a family without products.

use pavise_kernel::{Call, Error, Result, Unit};

use crate::contract::actions::product as actions;
use crate::contract::lookups::product as lookups;
use crate::contract::v1::{DeleteProductFamilyRequest, ErrorReason, Family, Product, ProductFamilyStatus};
use crate::products::check_family;

pub(crate) async fn delete_product_family(call: &Call, request: DeleteProductFamilyRequest) -> Result<Family> {
    let mut family: Family = call.get(&request.product_family_id).await?;
    call.check_transition(&family)?;
    let mut unit = call.unit();
    let products: Vec<Product> = unit.expects_by(lookups::PRODUCT_FAMILY_ID, &family.id).await?;
    if !request.move_products_to.is_empty() {
        move_products(call, &mut unit, &family, &products, &request.move_products_to).await?;
    } else if let Some(product) = products.first() {
        let message = format!("the product {} still belongs to this family", product.id);
        return Err(Error::new(ErrorReason::FamilyInUse, message).with("productId", product.id.clone()));
    }
    family.set_status(ProductFamilyStatus::Deleted);
    let family = unit.remove(family)?;
    unit.commit_answer(family).await
}

/// Moves the products to another family that is active and of the same kind, in the commit that deletes theirs.
async fn move_products(
    call: &Call,
    unit: &mut Unit<'_>,
    family: &Family,
    products: &[Product],
    target: &str,
) -> Result<()> {
    if target == family.id {
        return Err(Error::field("move_products_to", "is the family itself"));
    }
    check_family(call, "move_products_to", target, family.kind()).await?;
    if let Some(target) = call.find_unscoped::<Family>(target).await? {
        unit.expect_unchanged(&target);
    }
    for product in products {
        let moved = Product { product_family_id: target.to_owned(), ..product.clone() };
        unit.update_as(product, moved, actions::UPDATED)?;
    }
    Ok(())
}
