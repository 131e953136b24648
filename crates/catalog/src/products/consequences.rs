//! A product is in a family, keeps its begun prices, and leaves a frozen copy of itself for each new version number.

use pavise_kernel::{Call, Consequences, Error, Result, Step, Unit};

use super::support::family::check_active;
use super::support::offered::check_removed_parts;
use super::support::prices::check_begun_prices;
use super::support::version::{is_frozen, load_benefits};
use crate::contract::v1::{Family, Product, ProductStatus, ProductVersion};

impl Consequences for Product {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Step { unit, before, after, action } = step;
        let Some(after) = after else { return Ok(()) };
        place_in_family(call, unit, before.as_ref(), after).await?;
        let Some(before) = before else { return Ok(()) };
        if before.status() != ProductStatus::Created {
            check_begun_prices(before, after, call.today())?;
        }
        check_removed_parts(unit, before, after).await?;
        if is_first_activation(before, after) && !is_frozen(call, after).await? {
            after.product_version += 1;
        }
        if before.product_version < after.product_version {
            let benefits = load_benefits(call, after).await?;
            unit.create_as(ProductVersion::freeze(after, benefits, call.timestamp()), action)?;
        }
        Ok(())
    }
}

/// Whether the change puts the product on sale for the first time.
fn is_first_activation(before: &Product, after: &Product) -> bool {
    before.status() == ProductStatus::Created && after.status() == ProductStatus::Active
}

/// Gives a product the kind of its family. A family that a product comes into, or is put on sale in, is active and stays so
/// until the commit.
async fn place_in_family(
    call: &Call,
    unit: &mut Unit<'_>,
    before: Option<&Product>,
    after: &mut Product,
) -> Result<()> {
    let is_sold = |product: &Product| product.status() == ProductStatus::Active;
    let stays = |before: &&Product| before.product_family_id == after.product_family_id;
    if let Some(before) = before.filter(stays).filter(|before| is_sold(before) || !is_sold(after)) {
        after.family = before.family;
        return Ok(());
    }
    let Some(family) = call.find_unscoped::<Family>(&after.product_family_id).await? else {
        return Err(Error::field("product_family_id", "there is no such family"));
    };
    check_active(&family)?;
    after.family = family.kind;
    unit.expect_unchanged(&family);
    Ok(())
}
