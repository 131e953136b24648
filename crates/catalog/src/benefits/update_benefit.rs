//! Replaces the content of a benefit.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Benefit, UpdateBenefitRequest};

impl Edit<UpdateBenefitRequest> for Benefit {
    fn edit(&mut self, request: &UpdateBenefitRequest, _context: &EditContext) -> Result<()> {
        self.replace_content(request.benefit.clone().unwrap_or_default());
        self.check_below("benefit.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{BenefitDraft, BenefitMetadata, BenefitStatus};

    #[test]
    fn facts_for_the_setup_stay() {
        let fact = BenefitMetadata { key: "sku".to_owned(), value: "7".to_owned() };
        let mut benefit = Benefit {
            status: BenefitStatus::Active.into(),
            metadata: vec![fact.clone()],
            waiting_days: 30,
            ..Benefit::default()
        };
        let draft = BenefitDraft { name: "Will".to_owned(), ..BenefitDraft::default() };
        let request = UpdateBenefitRequest { benefit: Some(draft), ..UpdateBenefitRequest::default() };
        benefit.edit(&request, &EditContext::at(0)).unwrap();
        assert_eq!((benefit.status(), benefit.name.as_str()), (BenefitStatus::Active, "Will"));
        assert_eq!((benefit.metadata.as_slice(), benefit.waiting_days), ([fact].as_slice(), 0));
    }
}
