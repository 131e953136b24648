//! Makes a draft of a template.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::completeness::check_variants;
use crate::contract::v1::{CreateFormTemplateRequest, FormTemplate};

impl CheckRequest<CreateFormTemplateRequest> for FormTemplate {
    async fn check_request(call: &Call, _entity: Option<&Self>, request: &CreateFormTemplateRequest) -> Result<()> {
        check_variants(call, &request.variants, None).await
    }
}
