//! Replaces a template, which stays complete while forms are made of it.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::completeness::check_variants;
use crate::contract::v1::{FormTemplate, FormTemplateStatus, PutFormTemplateRequest};

impl CheckRequest<PutFormTemplateRequest> for FormTemplate {
    async fn check_request(call: &Call, entity: Option<&Self>, request: &PutFormTemplateRequest) -> Result<()> {
        let is_live = entity.is_some_and(|template| template.status() == FormTemplateStatus::Active);
        check_variants(call, &request.variants, is_live.then_some(request.fields.as_slice())).await
    }
}
