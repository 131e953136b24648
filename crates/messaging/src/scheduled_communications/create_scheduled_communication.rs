//! Schedules a notification of a template.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use crate::contract::v1::*;
use crate::shared::times::check_times;

impl Edit<CreateScheduledCommunicationRequest> for ScheduledCommunication {
    fn edit(&mut self, request: &CreateScheduledCommunicationRequest, context: &EditContext) -> Result<()> {
        self.owner_id.clone_from(&request.identity_id);
        check_times(context.now(), "", request.deliver_on.as_ref(), request.expires_at.as_ref())?;
        Ok(())
    }
}

impl CheckRequest<CreateScheduledCommunicationRequest> for ScheduledCommunication {
    async fn check_request(
        call: &Call,
        _entity: Option<&Self>,
        request: &CreateScheduledCommunicationRequest,
    ) -> Result<()> {
        let template = call.find_unscoped::<NotificationTemplate>(&request.template_key).await?;
        let template = template.ok_or_else(|| Error::field("template_key", "names no template"))?;
        if template.published.is_none() {
            let message = format!("the template {} was never published", template.key);
            return Err(Error::new(ErrorReason::TemplateNotPublished, message));
        }
        Ok(())
    }
}
