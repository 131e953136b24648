//! The content of a product: the fields that callers set.

use crate::contract::v1::{Product, ProductDraft};

impl Product {
    /// Replaces the content by that of a draft.
    pub(crate) fn replace_content(&mut self, draft: ProductDraft) {
        self.name = draft.name;
        self.family = draft.family;
        self.product_group = draft.product_group;
        self.friendly_names = draft.friendly_names;
        self.tiers = draft.tiers;
        self.supplements = draft.supplements;
        self.required_product_ids = draft.required_product_ids;
        self.excluded_product_ids = draft.excluded_product_ids;
        self.benefits = draft.benefits;
        self.contracts = draft.contracts;
        self.restrictions = draft.restrictions;
        self.countries = draft.countries;
        self.markets = draft.markets;
        self.area_of_law_ids = draft.area_of_law_ids;
        self.qualifying_delegates = draft.qualifying_delegates;
        self.categories = draft.categories;
        self.marketing = draft.marketing;
        self.feature_keys = draft.feature_keys;
        self.taxable = draft.taxable;
        self.business = draft.business;
        self.product_family_id = draft.product_family_id;
    }
}
