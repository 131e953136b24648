//! The link by which the reader of a mail unsubscribes from its kind.

use std::time::Duration;

use pavise_kernel::Call;
use tonic::Request;
use url::Url;

use crate::contract::members::SignUnsubscriptionRequest;
use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::v1::{Notification, NotificationCategory, NotificationType};

/// How long a hand-over waits for the link.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the reader of a message wants it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::notifications) enum Unsubscription {
    /// They do, and unsubscribe there. Empty: nobody unsubscribes from such a message.
    Link(String),
    /// They have unsubscribed.
    Done,
    /// Their profile does not answer.
    Unknown,
}

/// Asks whether the reader of a mail wants such mails. A message of category SECURITY goes out in any case, as do texts and
/// push messages, whose readers answer STOP or turn them off.
pub(in crate::notifications) async fn find_unsubscription(
    call: &Call,
    site: &str,
    notification: &Notification,
) -> Unsubscription {
    if notification.r#type() != NotificationType::Email || notification.category() == NotificationCategory::Security {
        return Unsubscription::Link(String::new());
    }
    let key = match notification.template_key.as_str() {
        "" => notification.category().spelling().to_lowercase(),
        key => key.to_owned(),
    };
    let mut request = Request::new(SignUnsubscriptionRequest {
        email: notification.recipient.clone(),
        key: key.clone(),
        reader_id: notification.owner_id.clone(),
    });
    request.set_timeout(PATIENCE);
    match ProfileServiceClient::new(call.peer_channel("members")).sign_unsubscription(request).await {
        Ok(signed) => {
            let signed = signed.into_inner();
            match signed.allowed {
                true => Unsubscription::Link(build_link(site, &notification.recipient, &key, &signed.token)),
                false => Unsubscription::Done,
            }
        }
        Err(status) => {
            tracing::warn!(code = ?status.code(), "it is not known whether the reader of a mail wants it");
            Unsubscription::Unknown
        }
    }
}

/// The address of the call that takes an unsubscription; empty if the site's own is none.
fn build_link(site: &str, email: &str, key: &str, token: &str) -> String {
    let Ok(mut link) = Url::parse(site) else { return String::new() };
    let Ok(mut path) = link.path_segments_mut() else { return String::new() };
    path.pop_if_empty().extend(["v1", "profile", email, "communicationPreferences", key]);
    drop(path);
    link.query_pairs_mut().append_pair("token", token);
    link.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_preference_of_the_address() {
        for site in ["https://pavise.example", "https://pavise.example/"] {
            assert_eq!(
                build_link(site, "ada+x/y@example.com", "billing.receipt", "a token"),
                "https://pavise.example/v1/profile/ada+x%2Fy@example.com/communicationPreferences/billing.receipt?token=a+token"
            );
        }
        assert_eq!(build_link("", "ada@example.com", "billing.receipt", "a"), "");
    }
}
