//! The content of a new group.

use pavise_kernel::EditContext;

use crate::contract::v1::{Group, GroupDraft};

impl Group {
    /// Takes over what a creation sets. Items without an id get one.
    pub(crate) fn replace_content(&mut self, draft: GroupDraft, new_id: impl Fn() -> String) {
        self.name = draft.name.trim().to_owned();
        self.country_identifier = draft.country_identifier;
        self.brand = draft.brand;
        self.effective_date = draft.effective_date;
        self.original_creation_date = draft.original_creation_date;
        self.number_of_employees = draft.number_of_employees;
        self.national_flag = draft.national_flag;
        self.pay_type = draft.pay_type;
        self.employer_shares = draft.employer_shares;
        self.industry_type = draft.industry_type;
        self.divisions = draft.divisions;
        self.contacts = draft.contacts;
        self.addresses = draft.addresses;
        self.enrollment_config = draft.enrollment_config;
        self.pay_periods = draft.pay_periods;
        self.communication_preferences = draft.communication_preferences;
        self.billing_delivery_preference = draft.billing_delivery_preference;
        let divisions = self.divisions.iter_mut().map(|one| &mut one.id);
        let contacts = self.contacts.iter_mut().map(|one| &mut one.id);
        let periods = self.pay_periods.iter_mut().map(|one| &mut one.id);
        divisions.chain(contacts).chain(periods).filter(|id| id.is_empty()).for_each(|id| *id = new_id());
    }

    /// The same with the ids of a call.
    pub(crate) fn fill_from_draft(&mut self, draft: GroupDraft, context: &EditContext) {
        self.replace_content(draft, || context.new_id());
    }
}
