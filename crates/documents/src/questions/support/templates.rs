//! The templates of the forms that are made of a questionnaire's answers.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ErrorReason, FormTemplate, FormTemplateStatus};
use crate::shared::violations::Violations;

/// Refuses each template that no form is made of.
pub(crate) async fn check_templates(call: &Call, template_ids: &[String]) -> Result<()> {
    if template_ids.is_empty() {
        return Ok(());
    }
    let templates: Vec<FormTemplate> = call.find_many(template_ids).await?;
    let mut wrong = Violations::default();
    for (at, id) in template_ids.iter().enumerate() {
        let found = templates.iter().find(|template| template.id == *id);
        let why = match found.map(FormTemplate::status) {
            Some(FormTemplateStatus::Active) => continue,
            Some(FormTemplateStatus::Draft) => "the template is a draft: publish it first",
            Some(FormTemplateStatus::Retired | FormTemplateStatus::Unspecified) => "the template is retired",
            None => "names no template",
        };
        wrong.add(format!("template_ids[{at}]"), why);
    }
    wrong.refuse_as(ErrorReason::QuestionIncomplete)
}
