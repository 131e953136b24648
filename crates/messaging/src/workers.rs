//! The workers of the domain.

mod apply_delivery_events;
mod escalate_alerts;
mod process_communications;
mod send_communications;
mod send_due_notifications;
mod send_notifications;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(escalate_alerts::EscalateAlerts),
        Arc::new(send_notifications::SendNotifications),
        Arc::new(send_due_notifications::SendDueNotifications),
        Arc::new(apply_delivery_events::ApplyDeliveryEvents),
        Arc::new(process_communications::ProcessCommunications),
        Arc::new(send_communications::SendCommunications),
    ]
}
