//! The content of a benefit: the fields that callers set.

use crate::contract::v1::{Benefit, BenefitDraft};

impl Benefit {
    /// Replaces the content by that of a draft. Facts for the setup stay.
    pub(crate) fn replace_content(&mut self, draft: BenefitDraft) {
        self.name = draft.name;
        self.internal_name = draft.internal_name;
        self.descriptions = draft.descriptions;
        self.friendly_translations = draft.friendly_translations;
        self.marketing = draft.marketing;
        self.categories = draft.categories;
        self.product_types = draft.product_types;
        self.authorized_user_types = draft.authorized_user_types;
        self.area_of_law_ids = draft.area_of_law_ids;
        self.regions = draft.regions;
        self.limit = draft.limit;
        self.waiting_days = draft.waiting_days;
        self.until_age = draft.until_age;
        self.provisioning = draft.provisioning;
    }
}
