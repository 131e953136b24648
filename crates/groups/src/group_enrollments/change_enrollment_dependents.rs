//! Replaces the people whom the plans of an enrollment cover.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{ChangeEnrollmentDependentsRequest, GroupEnrollment};

impl Edit<ChangeEnrollmentDependentsRequest> for GroupEnrollment {
    fn edit(&mut self, request: &ChangeEnrollmentDependentsRequest, context: &EditContext) -> Result<()> {
        self.dependents.clone_from(&request.dependents);
        for dependent in self.dependents.iter_mut().filter(|dependent| dependent.id.is_empty()) {
            dependent.id = context.new_id();
        }
        Ok(())
    }
}
