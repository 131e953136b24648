//! The messages and alerts of the demonstration.

mod alerts;
mod communications;
mod member;
mod notifications;
mod templates;

use pavise_kernel::Result;
use pavise_kernel::worker::Work;

/// Makes what is not there yet.
///
/// # Errors
/// When the domain does not answer.
pub(crate) async fn load_messages(work: &Work) -> Result<()> {
    let member = member::find_member(work).await?;
    alerts::load_alerts(work, &member).await?;
    templates::load_templates(work).await?;
    notifications::load_notifications(work, &member).await?;
    communications::load_communications(work, &member).await
}
