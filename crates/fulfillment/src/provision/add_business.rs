//! Records the business of a provision.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::recorded::record_once;
use crate::contract::v1::{AddBusinessRequest, Provision};

impl Edit<AddBusinessRequest> for Provision {
    fn edit(&mut self, request: &AddBusinessRequest, _context: &EditContext) -> Result<()> {
        record_once(&mut self.business_id, &request.business_id, "the provision has another business already")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ErrorReason;

    #[test]
    fn a_business_is_recorded_once() {
        let mut provision = Provision::default();
        let add = |id: &str| AddBusinessRequest { business_id: id.to_owned(), ..Default::default() };
        provision.edit(&add("bakery"), &EditContext::at(0)).unwrap();
        provision.edit(&add("bakery"), &EditContext::at(1)).unwrap();
        assert_eq!(provision.business_id, "bakery");
        assert!(provision.edit(&add("other"), &EditContext::at(0)).unwrap_err().is(ErrorReason::AlreadyRecorded));
    }
}
