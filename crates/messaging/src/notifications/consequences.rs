//! Refusals of changes to built-in templates.

use pavise_kernel::{Call, Consequences, Error, Result, Step};

use crate::contract::v1::{ErrorReason, NotificationTemplate, TemplateVariable};

impl Consequences for NotificationTemplate {
    /// Refuses to delete a built-in template, and a change of what the platform's letters need of it.
    async fn follow(_call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Some(before) = step.before.as_ref().filter(|before| before.built_in) else { return Ok(()) };
        let kept = match &step.after {
            None => "it is not deleted",
            Some(after) if has_same_head(before, after) => return Ok(()),
            Some(_) => "its category, channels and gaps stay",
        };
        Err(Error::new(ErrorReason::TemplateBuiltIn, format!("{} is built in: {kept}", before.key)))
    }
}

/// Whether two versions have the same category and channels, and the same gaps but for their samples.
fn has_same_head(before: &NotificationTemplate, after: &NotificationTemplate) -> bool {
    let gaps = |template: &NotificationTemplate| {
        let gap = |variable: &TemplateVariable| (variable.name.clone(), variable.kind);
        let mut gaps: Vec<(String, i32)> = template.variables.iter().map(gap).collect();
        gaps.sort();
        gaps
    };
    before.category == after.category && before.types == after.types && gaps(before) == gaps(after)
}
