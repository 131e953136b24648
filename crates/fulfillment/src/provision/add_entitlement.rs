//! Records the entitlement of a line.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::recorded::record_once;
use crate::contract::v1::{AddEntitlementRequest, Provision};

impl Edit<AddEntitlementRequest> for Provision {
    /// Records the entitlement on its line, and the list of all of them.
    fn edit(&mut self, request: &AddEntitlementRequest, _context: &EditContext) -> Result<()> {
        let line = self.line_mut(&request.line_id)?;
        record_once(&mut line.entitlement_id, &request.entitlement_id, "the line has another entitlement already")?;
        let recorded = self.lines.iter().map(|line| &line.entitlement_id).filter(|id| !id.is_empty());
        self.entitlement_ids = recorded.cloned().collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ErrorReason, ProvisionLine};

    #[test]
    fn the_list_has_the_order_of_the_lines() {
        let line = |id: &str| ProvisionLine { id: id.to_owned(), ..Default::default() };
        let mut provision = Provision { lines: vec![line("1"), line("2")], ..Default::default() };
        let add = |line: &str, entitlement: &str| AddEntitlementRequest {
            line_id: line.to_owned(),
            entitlement_id: entitlement.to_owned(),
            ..Default::default()
        };
        for (line, entitlement) in [("2", "b"), ("1", "a")] {
            provision.edit(&add(line, entitlement), &EditContext::at(0)).unwrap();
        }
        assert_eq!(provision.entitlement_ids, ["a", "b"]);
        assert!(provision.edit(&add("1", "c"), &EditContext::at(0)).unwrap_err().is(ErrorReason::AlreadyRecorded));
        assert!(provision.edit(&add("3", "c"), &EditContext::at(0)).unwrap_err().is(ErrorReason::LineUnknown));
    }
}
