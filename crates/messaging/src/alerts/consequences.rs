//! A new alert gets from its template what it leaves out.

use pavise_kernel::{Call, Consequences, Error, Result, Step};

use crate::contract::v1::{Alert, AlertPriority, AlertTemplate, ApplicationScope};

impl Consequences for Alert {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let (None, Some(alert)) = (&step.before, &mut step.after) else { return Ok(()) };
        if !alert.template_key.is_empty() {
            let template = call.find_unscoped::<AlertTemplate>(&alert.template_key).await?;
            let template = template.ok_or_else(|| Error::field("template_key", "names no template of alerts"))?;
            alert.complete_from(&template)?;
        }
        if alert.priority == 0 {
            alert.set_priority(AlertPriority::Medium);
        }
        if alert.scope == 0 {
            alert.set_scope(ApplicationScope::All);
        }
        alert.escalates_at = alert.next_escalation(call.now());
        Ok(())
    }
}
