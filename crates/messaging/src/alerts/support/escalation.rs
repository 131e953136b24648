//! The steps of an alert's priority.

use pavise_kernel::time::{MINUTE, Micros, to_timestamp};
use prost_types::Timestamp;

use crate::contract::v1::{Alert, AlertPriority};

impl Alert {
    /// Raises the priority by one step, at this time; Critical stays.
    pub(in crate::alerts) fn raise_priority(&mut self, now: Micros) {
        let Some(next) = next_priority(self.priority()) else { return };
        self.set_priority(next);
        self.escalated_at = Some(to_timestamp(now));
        self.escalates_at = self.next_escalation(now);
    }

    /// When the priority rises by itself, if the alert is as it is from now on; `None` where it does not.
    pub(in crate::alerts) fn next_escalation(&self, now: Micros) -> Option<Timestamp> {
        if self.escalation_minutes <= 0 || next_priority(self.priority()).is_none() {
            return None;
        }
        Some(to_timestamp(now.saturating_add(MINUTE.saturating_mul(i64::from(self.escalation_minutes)))))
    }
}

/// The next higher priority.
fn next_priority(priority: AlertPriority) -> Option<AlertPriority> {
    match priority {
        AlertPriority::Low => Some(AlertPriority::Medium),
        AlertPriority::Unspecified | AlertPriority::Medium => Some(AlertPriority::High),
        AlertPriority::High => Some(AlertPriority::Critical),
        AlertPriority::Critical => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_priority_goes_up_step_by_step_to_critical() {
        let mut alert = Alert { escalation_minutes: 15, ..Alert::default() };
        alert.set_priority(AlertPriority::Low);
        for (at, priority) in [(1, AlertPriority::Medium), (2, AlertPriority::High)] {
            alert.raise_priority(at);
            assert_eq!((alert.priority(), alert.escalated_at), (priority, Some(to_timestamp(at))));
            assert_eq!(alert.escalates_at, Some(to_timestamp(at + 15 * MINUTE)));
        }
        alert.raise_priority(3);
        assert_eq!((alert.priority(), alert.escalates_at), (AlertPriority::Critical, None));
        let critical = alert.clone();
        alert.raise_priority(4);
        assert_eq!(alert, critical);
    }
}
