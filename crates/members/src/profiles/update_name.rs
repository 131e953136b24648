//! Replaces the parts of the name.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Profile, UpdateNameRequest};

impl Edit<UpdateNameRequest> for Profile {
    /// Title and preferred name have calls of their own, so that they stay where the request has none.
    fn edit(&mut self, request: &UpdateNameRequest, _context: &EditContext) -> Result<()> {
        let Some(mut name) = request.name.clone() else { return Ok(()) };
        if let Some(known) = self.name.take() {
            let keep = |new: &mut String, old: String| {
                if new.is_empty() {
                    *new = old;
                }
            };
            keep(&mut name.title, known.title);
            keep(&mut name.preferred_name, known.preferred_name);
        }
        self.name = Some(name);
        Ok(())
    }
}
