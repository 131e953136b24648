//! Lets forms be made of a template.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::completeness::check_variants;
use crate::contract::v1::{FormTemplate, PublishFormTemplateRequest};

impl CheckRequest<PublishFormTemplateRequest> for FormTemplate {
    async fn check_request(call: &Call, entity: Option<&Self>, _request: &PublishFormTemplateRequest) -> Result<()> {
        let Some(template) = entity else { return Ok(()) };
        check_variants(call, &template.variants, Some(&template.fields)).await
    }
}
