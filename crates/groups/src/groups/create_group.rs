//! Makes a group.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateGroupRequest, Group};

impl Edit<CreateGroupRequest> for Group {
    fn edit(&mut self, request: &CreateGroupRequest, context: &EditContext) -> Result<()> {
        self.fill_from_draft(request.group.clone().unwrap_or_default(), context);
        self.check_below("group.")
    }
}
