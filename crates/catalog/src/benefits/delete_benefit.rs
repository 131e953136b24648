//! Deletes a benefit that no product has.

use pavise_kernel::{Call, Error, Result};

use crate::contract::lookups::product as lookups;
use crate::contract::v1::{Benefit, BenefitStatus, DeleteBenefitRequest, ErrorReason, Product};

pub(crate) async fn delete_benefit(call: &Call, request: DeleteBenefitRequest) -> Result<Benefit> {
    let mut benefit: Benefit = call.get(&request.benefit_id).await?;
    call.check_transition(&benefit)?;
    let mut unit = call.unit();
    let products: Vec<Product> = unit.expects_by(lookups::BENEFITS_BENEFIT_ID, &benefit.id).await?;
    if let Some(product) = products.first() {
        let message = format!("the product {} still has this benefit", product.id);
        return Err(Error::new(ErrorReason::BenefitInUse, message).with("productId", product.id.clone()));
    }
    benefit.set_status(BenefitStatus::Delete);
    let benefit = unit.remove(benefit)?;
    unit.commit_answer(benefit).await
}
