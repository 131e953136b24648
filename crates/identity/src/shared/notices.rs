//! Notices: messages by mail or text message.
//!
//! [`Notices::enqueue_letter`] adds a notice to the commit of its event, so that neither exists without the other. A worker
//! then hands it to the domain messaging, which has the texts and the channels. The notification gets the notice's id: a
//! process that is killed in between hands it over again, and one message is sent.
//!
//! Address, values and code are sealed in the database, and cleared after the hand-over. A service with a journal of its
//! own has its own notice table. It needs a message like `Notice`, a line of [`posted`], a line in the call
//! `deliver_notice` and a worker like `DeliverNotices`. It writes with [`Notices::enqueue_in`].

mod hand_over;
mod sealed_letter;
mod templates;

use std::collections::BTreeMap;
use std::fmt;

use pavise_kernel::time::{Ids, Micros, to_micros, to_timestamp};
use pavise_kernel::{Aggregate, Call, Error, Kernel, Result, Unit};

pub(crate) use hand_over::check_ready;
use hand_over::hand_over;
use sealed_letter::SealedLetter;

use super::keys::Seal;
use crate::config::Config;
use crate::contract::actions;
use crate::contract::v1::{self, Identity, InvitationNotice, Notice, NoticeStatus, Posting};

/// How a notice is delivered.
pub(crate) use v1::NoticeChannel as Channel;
/// The template of a notice.
pub(crate) use v1::NoticeTemplate as Template;

/// The most characters of a value; longer ones are cut.
const LONGEST_VALUE: usize = 120;

/// A message to somebody.
#[derive(Debug, Clone)]
pub(crate) struct Letter {
    /// The identity that it is about.
    pub(crate) owner_id: String,
    /// How it is delivered.
    pub(crate) channel: Channel,
    /// The e-mail address or telephone number.
    pub(crate) address: String,
    /// The template of its text.
    pub(crate) template: Template,
    /// In which language if the profile of the owner says none: "en-US". An invitee's is taken in any case.
    pub(crate) locale: String,
    /// The values of the text's gaps: see `Template::list_gaps`.
    pub(crate) values: BTreeMap<String, String>,
    /// The code that it carries, if any.
    pub(crate) code: Option<String>,
}

impl Letter {
    /// A mail to the primary address of an identity; `None` where it has no address.
    pub(crate) fn for_identity(identity: &Identity, template: Template) -> Option<Self> {
        Some(Self::at(identity, identity.primary_email()?.to_owned(), template))
    }

    /// A mail about an identity to that address.
    pub(crate) fn at(identity: &Identity, address: String, template: Template) -> Self {
        Self {
            owner_id: identity.id.clone(),
            channel: Channel::Email,
            address,
            template,
            locale: identity.locale().to_owned(),
            values: BTreeMap::new(),
            code: None,
        }
    }
}

/// An aggregate that holds a posting: one per journal.
pub(crate) trait HasPosting: Aggregate {
    fn posting(&self) -> Option<&Posting>;
    fn posting_mut(&mut self) -> &mut Option<Posting>;
}

/// Makes an aggregate with a field `posting` one that notices are kept in.
macro_rules! posted {
    ($notice:ty) => {
        impl HasPosting for $notice {
            fn posting(&self) -> Option<&Posting> {
                self.posting.as_ref()
            }

            fn posting_mut(&mut self) -> &mut Option<Posting> {
                &mut self.posting
            }
        }
    };
}

posted!(Notice);
posted!(InvitationNotice);

/// Writes notices and delivers them.
#[derive(Clone)]
pub(crate) struct Notices {
    seal: Seal,
    ids: Ids,
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}

impl Notices {
    pub(crate) fn new(kernel: &Kernel, config: &Config) -> Self {
        Self { seal: Seal::of(config), ids: kernel.ids().clone() }
    }

    /// Adds a letter to a commit of the service `identities`. Whoever adds a code that somebody waits for asks
    /// [`check_ready`] first.
    ///
    /// # Errors
    /// Those of a letter that the contract or its template does not allow.
    pub(crate) fn enqueue_letter(&self, call: &Call, unit: &mut Unit<'_>, letter: Letter) -> Result<()> {
        self.enqueue_in::<Notice>(call, unit, letter)
    }

    /// The same in the commit of a service with a notice table of its own.
    ///
    /// # Errors
    /// As [`Notices::enqueue_letter`].
    pub(crate) fn enqueue_in<N: HasPosting>(&self, call: &Call, unit: &mut Unit<'_>, letter: Letter) -> Result<()> {
        if !call.method().may_send() {
            let rpc = call.method().rpc;
            return Err(Error::internal(format!("the contract does not say that {rpc} sends a message: `sends`")));
        }
        if let Some(missing) = letter.template.list_gaps().iter().find(|name| !letter.values.contains_key(**name)) {
            return Err(Error::internal(format!("a letter {} lacks {missing}", letter.template.spelling())));
        }
        let id = call.new_id();
        let values = letter.values.into_iter().map(|(name, value)| (name, harmless(&value))).collect();
        let sealed = SealedLetter { address: letter.address, values, code: letter.code };
        let sealed = serde_json::to_vec(&sealed).map_err(|_| Error::internal("a letter cannot be written"))?;
        let sealed_letter = self.seal.close(&bound(&id), &sealed, &self.ids);
        let sealed_letter = sealed_letter.ok_or_else(|| Error::internal("a letter could not be sealed"))?;
        let lifetime = Micros::try_from(letter.template.lifetime().as_micros()).unwrap_or(Micros::MAX);
        let mut notice = N::default();
        *notice.posting_mut() = Some(Posting {
            template: letter.template.into(),
            channel: letter.channel.into(),
            locale: letter.locale,
            sealed_letter,
            expires_at: Some(to_timestamp(call.now().saturating_add(lifetime))),
            ..Posting::default()
        });
        let head = notice.head_mut();
        *head.id = id;
        *head.owner_id = letter.owner_id;
        unit.create(notice)?;
        Ok(())
    }

    /// Hands a notice to messaging, or gives it up; answers its status.
    ///
    /// # Errors
    /// `NOT_FOUND`; `UNAVAILABLE` when messaging does not take it now: the hand-over is tried again.
    pub(crate) async fn deliver_notice<N: HasPosting>(&self, call: &Call, id: &str) -> Result<&'static str> {
        let notice: N = call.get(id).await?;
        let head = notice.head();
        if head.status != NoticeStatus::Pending.spelling() || call.validate_only() {
            return Ok(head.status);
        }
        let posting = notice.posting().cloned().unwrap_or_default();
        let expired = posting.expires_at.as_ref().is_none_or(|at| call.now() >= to_micros(at));
        let failure = match self.open_letter(id, &posting) {
            _ if expired => "its time was over".to_owned(),
            Err(why) => why.to_owned(),
            Ok(letter) => hand_over(call, (id, head.owner_id), &posting, letter).await?,
        };
        record_outcome(call, &notice, posting, failure).await
    }

    /// The letter of a posting, or why it cannot be opened.
    fn open_letter(&self, id: &str, posting: &Posting) -> Result<SealedLetter, &'static str> {
        let opened = self.seal.open(&bound(id), &posting.sealed_letter).ok_or("it was sealed with another secret")?;
        serde_json::from_slice(&opened).map_err(|_| "it cannot be read")
    }
}

/// Records the outcome of a notice.
async fn record_outcome<N: HasPosting>(
    call: &Call,
    notice: &N,
    posting: Posting,
    failure: String,
) -> Result<&'static str> {
    let (status, action) = if failure.is_empty() {
        (NoticeStatus::Sent, actions::identity_audit::NOTICE_SENT)
    } else {
        (NoticeStatus::Failed, actions::identity_audit::NOTICE_FAILED)
    };
    let mut settled = notice.clone();
    *settled.head_mut().status = status.into();
    let settled_at = Some(call.timestamp());
    *settled.posting_mut() = Some(Posting { sealed_letter: Vec::new(), settled_at, failure, ..posting });
    let mut unit = call.unit();
    unit.update_as(notice, settled, action)?;
    unit.commit().await?;
    Ok(status.spelling())
}

/// The id that a letter's seal is bound to.
fn bound(id: &str) -> String {
    format!("notice {id}")
}

/// A harmless value of a gap: one short line that a mail program makes no link of.
fn harmless(value: &str) -> String {
    let line: String =
        value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LONGEST_VALUE).collect();
    line.replace("://", " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_line_without_links() {
        assert_eq!(harmless(" Ada\r\nLovelace "), "Ada  Lovelace");
        assert_eq!(harmless("see https://evil.example"), "see https evil.example");
        assert_eq!(harmless(&"x".repeat(500)).len(), LONGEST_VALUE);
    }
}
