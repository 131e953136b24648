//! Replaces the offers of an enrollment.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use crate::contract::v1::{ChangeEnrollmentOffersRequest, EnrollmentOffer, Group, GroupEnrollment};
use crate::shared::group::load_group;

impl CheckRequest<ChangeEnrollmentOffersRequest> for GroupEnrollment {
    async fn check_request(
        call: &Call,
        enrollment: Option<&Self>,
        request: &ChangeEnrollmentOffersRequest,
    ) -> Result<()> {
        let Some(enrollment) = enrollment else { return Ok(()) };
        check_sold(&load_group(call, &enrollment.group_id).await?, &request.offers)
    }
}

impl Edit<ChangeEnrollmentOffersRequest> for GroupEnrollment {
    /// An offer that stays keeps its business.
    fn edit(&mut self, request: &ChangeEnrollmentOffersRequest, _: &EditContext) -> Result<()> {
        let before = std::mem::take(&mut self.offers);
        let business = |id: &String| before.iter().find(|known| known.offer_id == *id)?.business_info.clone();
        let keep =
            |offer: &EnrollmentOffer| EnrollmentOffer { business_info: business(&offer.offer_id), ..offer.clone() };
        self.offers = request.offers.iter().map(keep).collect();
        Ok(())
    }
}

/// Checks that offers are sold through a group.
///
/// # Errors
/// `INVALID_FIELD` with the place of the offer.
pub(crate) fn check_sold(group: &Group, offers: &[EnrollmentOffer]) -> Result<()> {
    match offers.iter().position(|offer| !group.offer_ids.contains(&offer.offer_id)) {
        Some(at) => Err(Error::field(format!("offers[{at}].offer_id"), "is not sold through the group")),
        None => Ok(()),
    }
}
