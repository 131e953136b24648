//! Makes a built-in template that is missing.

use pavise_kernel::{Call, Error, Result};

use super::support::built_in::BUILT_IN;
use crate::contract::v1::{NotificationTemplate, SeedNotificationTemplateRequest};

pub(crate) async fn seed_notification_template(
    call: &Call,
    request: SeedNotificationTemplateRequest,
) -> Result<NotificationTemplate> {
    let built_in = BUILT_IN.iter().find(|one| one.key == request.template_key);
    let built_in = built_in.ok_or_else(|| Error::field("template_key", "names no built-in template"))?;
    match call.find_unscoped::<NotificationTemplate>(built_in.key).await? {
        Some(known) => call.answer_unchanged(known).await,
        None => call.create(built_in.build_template(call.timestamp())).await,
    }
}
