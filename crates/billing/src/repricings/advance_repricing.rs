//! Records how far a repricing was gone through.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{AdvanceRepricingRequest, Repricing, RepricingStatus};

impl Edit<AdvanceRepricingRequest> for Repricing {
    /// A page is counted once: one that begins elsewhere than the repricing stands changes nothing.
    fn edit(&mut self, request: &AdvanceRepricingRequest, _context: &EditContext) -> Result<()> {
        let after = match (self.status(), request.withdrawing) {
            (RepricingStatus::Requested, false) => RepricingStatus::Announced,
            (RepricingStatus::Withdrawing, true) => RepricingStatus::Withdrawn,
            _ => return Ok(()),
        };
        if request.walked_from != self.walked_to {
            return Ok(());
        }
        self.walked_to.clone_from(&request.walked_to);
        self.repriced = self.repriced.saturating_add(request.repriced);
        self.skipped = self.skipped.saturating_add(request.skipped);
        self.withdrawn = self.withdrawn.saturating_add(request.withdrawn);
        if request.finished {
            self.set_status(after);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_counted_once_and_in_the_walk_that_it_belongs_to() {
        let mut repricing = Repricing { status: RepricingStatus::Requested.into(), ..Repricing::default() };
        let page = |from: &str, to: &str| AdvanceRepricingRequest {
            walked_from: from.to_owned(),
            walked_to: to.to_owned(),
            repriced: 3,
            skipped: 2,
            ..AdvanceRepricingRequest::default()
        };
        let mut advance = |request: AdvanceRepricingRequest| {
            repricing.edit(&request, &EditContext::at(0)).unwrap();
            (repricing.status(), repricing.repriced, repricing.walked_to.clone())
        };
        use RepricingStatus::{Announced, Requested};
        assert_eq!(advance(page("", "m")), (Requested, 3, "m".to_owned()));
        assert_eq!(advance(page("", "m")), (Requested, 3, "m".to_owned()), "the same page again");
        let stale = AdvanceRepricingRequest { withdrawing: true, ..page("m", "a") };
        assert_eq!(advance(stale), (Requested, 3, "m".to_owned()));
        let last = AdvanceRepricingRequest { finished: true, ..page("m", "a") };
        assert_eq!(advance(last), (Announced, 6, "a".to_owned()));
        assert_eq!(advance(page("a", "0")), (Announced, 6, "a".to_owned()));
    }
}
