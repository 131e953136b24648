//! Shows what the draft of a template says.

use pavise_kernel::{Call, Error, Result};

use super::support::contents::{find_content, render_content};
use crate::config::Config;
use crate::contract::v1::*;
use crate::shared::values::read_values;

pub(crate) async fn preview_notification_template(
    call: &Call,
    request: PreviewNotificationTemplateRequest,
) -> Result<PreviewNotificationTemplateResponse> {
    let template: NotificationTemplate = call.get(&request.template_key).await?;
    let content = find_content(&template.contents, request.r#type(), request.locale());
    let content = content.ok_or_else(|| Error::not_found("content of the template", request.r#type().spelling()))?;
    let is_given = |name: &str| request.values.iter().any(|value| value.name == name);
    let samples = template.variables.iter().filter(|variable| !is_given(&variable.name));
    let samples = samples.map(|variable| TextValue { name: variable.name.clone(), text: variable.sample.clone() });
    let values: Vec<TextValue> = request.values.iter().cloned().chain(samples).collect();
    let values = read_values("", &values, &template.variables, content.locale())?;
    let rendered = render_content(content, &values, &call.find_provided::<Config>()?.public_url)?;
    Ok(PreviewNotificationTemplateResponse { content: Some(rendered), locale: content.locale })
}
