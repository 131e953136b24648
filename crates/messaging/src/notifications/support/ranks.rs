//! The order of the statuses that providers report.
//!
//! Events arrive late, twice and in any order. A notification has the status of the highest rank; of those with the same
//! rank, the one that was reported to have happened first.

use pavise_kernel::time::to_micros;

use crate::contract::v1::{DeliveryEvent, Notification, NotificationStatus, NotificationType};

/// The rank of a status on a channel; `None` for one that no event leads from or to.
fn find_rank(channel: NotificationType, status: NotificationStatus) -> Option<u8> {
    use NotificationStatus as Status;
    let of_mail = || match status {
        Status::Pending => Some(0),
        Status::Processed => Some(1),
        Status::Deferred => Some(2),
        Status::Delivered => Some(3),
        Status::Bounce | Status::Blocked | Status::Dropped | Status::Failed => Some(4),
        Status::Open => Some(5),
        Status::Click => Some(6),
        Status::Spamreport | Status::Unsubscribe | Status::GroupUnsubscribe | Status::GroupResubscribe => Some(7),
        _ => None,
    };
    let of_text = || match status {
        Status::Pending => Some(0),
        Status::Accepted => Some(1),
        Status::Queued => Some(2),
        Status::Sending => Some(3),
        Status::Sent => Some(4),
        Status::Delivered | Status::Undelivered | Status::Failed => Some(5),
        _ => None,
    };
    match channel {
        NotificationType::Email => of_mail(),
        NotificationType::Sms => of_text(),
        NotificationType::Push | NotificationType::Pulse | NotificationType::Unspecified => None,
    }
}

/// Whether an event leads a notification to its status.
pub(in crate::notifications) fn is_news(notification: &Notification, event: &DeliveryEvent) -> bool {
    let channel = notification.r#type();
    let ranks = (find_rank(channel, notification.status()), find_rank(channel, event.reported()));
    let (Some(known), Some(reported)) = ranks else { return false };
    if reported != known {
        return reported > known;
    }
    let at = |at: Option<&prost_types::Timestamp>| at.map_or(i64::MAX, to_micros);
    let mine = (at(notification.status_at.as_ref()), notification.status);
    (at(event.reported_at.as_ref()), event.reported) < mine && event.reported != notification.status
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;

    fn notification(channel: NotificationType, status: NotificationStatus, at: i64) -> Notification {
        Notification {
            r#type: channel.into(),
            status: status.into(),
            status_at: Some(to_timestamp(at)),
            ..Notification::default()
        }
    }

    fn event(reported: NotificationStatus, at: i64) -> DeliveryEvent {
        DeliveryEvent { reported: reported.into(), reported_at: Some(to_timestamp(at)), ..DeliveryEvent::default() }
    }

    #[test]
    fn a_status_only_moves_forward() {
        use NotificationStatus as Status;
        let mail = |status| notification(NotificationType::Email, status, 5);
        for (known, reported) in [
            (Status::Pending, Status::Processed),
            (Status::Processed, Status::Delivered),
            (Status::Delivered, Status::Bounce),
            (Status::Bounce, Status::Open),
            (Status::Click, Status::Spamreport),
        ] {
            assert!(is_news(&mail(known), &event(reported, 9)), "{known:?} {reported:?}");
            assert!(!is_news(&mail(reported), &event(known, 9)), "{reported:?} {known:?}");
        }
        let text = |status, at| notification(NotificationType::Sms, status, at);
        assert!(is_news(&text(Status::Sent, 5), &event(Status::Delivered, 1)));
        assert!(!is_news(&text(Status::Delivered, 5), &event(Status::Undelivered, 6)), "the first of these stays");
        assert!(is_news(&text(Status::Delivered, 5), &event(Status::Undelivered, 4)), "it was the first");
        assert!(!is_news(&text(Status::Cancelled, 5), &event(Status::Delivered, 9)));
        assert!(!is_news(&text(Status::Sent, 5), &event(Status::Sent, 1)), "a repeat is no news");
    }

    #[test]
    fn any_order_of_events_leads_to_the_same_status() {
        use NotificationStatus as Status;
        let events = [
            event(Status::Processed, 1),
            event(Status::Deferred, 2),
            event(Status::Bounce, 3),
            event(Status::Blocked, 4),
            event(Status::Delivered, 2),
        ];
        for start in 0..events.len() {
            for step in [1, 2, 3, 4] {
                let mut all = notification(NotificationType::Email, Status::Pending, 0);
                for turn in 0..events.len() * 2 {
                    let event = &events[(start + turn * step) % events.len()];
                    if is_news(&all, event) {
                        (all.status, all.status_at) = (event.reported, event.reported_at);
                    }
                }
                assert_eq!(all.status(), Status::Bounce, "{start} {step}");
            }
        }
    }
}
