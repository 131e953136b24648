//! Records the business of a provision.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::recorded::record_once;
use crate::contract::v1::{AddBusinessRequest, Provision};

impl Edit<AddBusinessRequest> for Provision {
    /// Records the business that the request names. Without one, a provision gets a new id, once.
    fn edit(&mut self, request: &AddBusinessRequest, context: &EditContext) -> Result<()> {
        if request.business_id.is_empty() {
            if self.business_id.is_empty() {
                self.business_id = context.new_id();
            }
            return Ok(());
        }
        record_once(&mut self.business_id, &request.business_id, "the provision has another business already")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ErrorReason;

    #[test]
    fn a_new_id_is_made_once() {
        let mut provision = Provision::default();
        let add = |id: &str| AddBusinessRequest { business_id: id.to_owned(), ..Default::default() };
        provision.edit(&add(""), &EditContext::at(0)).unwrap();
        let made = provision.business_id.clone();
        assert!(!made.is_empty());
        provision.edit(&add(""), &EditContext::at(1)).unwrap();
        provision.edit(&add(&made), &EditContext::at(1)).unwrap();
        assert_eq!(provision.business_id, made);
        assert!(provision.edit(&add("other"), &EditContext::at(0)).unwrap_err().is(ErrorReason::AlreadyRecorded));
    }
}
