//! The other domains, as far as documents calls them.

use std::sync::{Arc, Mutex};

use pavise_documents::contract::members::{GetProfileRequest, Profile, ProfileEmail};
use pavise_documents::contract::messaging::{Notification, SendNotificationRequest};
use pavise_kernel::Error;
use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

/// The beginning of the ids of visitors, whom the identity domain does not know.
const VISITORS: &str = "70000000-0000-4000-8000-00000000000";

/// The calls of documents that the other domains received.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    asked: Mutex<Vec<String>>,
    sent: Mutex<Vec<(String, String)>>,
}

impl Peers {
    /// The identities whose existence was asked for, in this order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// The templates and addresses of the mails that were sent.
    pub(crate) fn sent(&self) -> Vec<(String, String)> {
        self.sent.lock().unwrap().clone()
    }

    /// The domains identity, members and messaging. "nobody" does not exist, and visitors do not. Messages have the values
    /// of the gaps of the built-in templates, as messaging wants them.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        let (asked, sent) = (self.clone(), self.clone());
        PeerDouble::default()
            .on_anew("/pavise.members.v1.ProfileService/GetProfile", |ask: RecordedCall<GetProfileRequest>| {
                let address = format!("{}@example.com", ask.message.identity_id);
                let emails = vec![ProfileEmail { address, ..ProfileEmail::default() }];
                Ok(Profile { emails, ..Profile::default() })
            })
            .with_call(
                "/pavise.messaging.v1.NotificationService/SendNotification",
                move |ask: RecordedCall<SendNotificationRequest>| {
                    let draft = ask.message.notification.unwrap_or_default();
                    let names: Vec<&str> = draft.values.iter().map(|value| value.name.as_str()).collect();
                    if names != ["name", "title"] {
                        return Err(Error::field("notification.values", "are not those of the template's gaps"));
                    }
                    sent.sent.lock().unwrap().push((draft.template_key, draft.email));
                    Ok(Notification::default())
                },
            )
            .on_anew("/pavise.identity.v1.TieService/CheckTie", move |ask: RecordedCall<CheckTieRequest>| {
                let identity_id = ask.message.identity_id;
                let exists = identity_id != "nobody" && !identity_id.starts_with(VISITORS);
                asked.asked.lock().unwrap().push(identity_id);
                Ok(CheckTieResponse { exists, ..CheckTieResponse::default() })
            })
    }
}
