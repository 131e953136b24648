//! Names the business that an offer of an enrollment is for.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{ChangeEnrollmentBusinessInfoRequest, GroupEnrollment};

impl Edit<ChangeEnrollmentBusinessInfoRequest> for GroupEnrollment {
    fn edit(&mut self, request: &ChangeEnrollmentBusinessInfoRequest, _: &EditContext) -> Result<()> {
        let offer = self.offers.iter_mut().find(|offer| offer.offer_id == request.offer_id);
        let offer = offer.ok_or_else(|| Error::field("offer_id", "is no offer of the enrollment"))?;
        offer.business_info.clone_from(&request.business_info);
        Ok(())
    }
}
