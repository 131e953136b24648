//! Messages to the demonstration's own member in each status that providers report, the events that led there, and texts from
//! somebody. They are written as documents, because no provider tells a demonstration anything.

use anyhow::Context as _;
use pavise_kernel::store::{StoredRow, Write};
use pavise_kernel::table::Table;
use pavise_kernel::time::{Ids, Micros, to_timestamp};
use pavise_kernel::worker::Work;
use serde_json::{Value, json};

use super::member::Member;
use crate::bulk;

/// The tables of messages and of what providers say of them.
const NOTIFICATION_TABLE: &str = "notifications";
const EVENT_TABLE: &str = "delivery_events";
/// The channel of a message, and the status that it reached. The second one is the first one, sent again.
const MESSAGES: [(&str, &str); 19] = [
    ("EMAIL", "RESENT"),
    ("EMAIL", "PROCESSED"),
    ("EMAIL", "FAILED"),
    ("EMAIL", "DELIVERED"),
    ("EMAIL", "DEFERRED"),
    ("EMAIL", "BOUNCE"),
    ("EMAIL", "BLOCKED"),
    ("EMAIL", "OPEN"),
    ("EMAIL", "CLICK"),
    ("EMAIL", "SPAMREPORT"),
    ("EMAIL", "UNSUBSCRIBE"),
    ("EMAIL", "GROUP_UNSUBSCRIBE"),
    ("EMAIL", "GROUP_RESUBSCRIBE"),
    ("SMS", "ACCEPTED"),
    ("SMS", "QUEUED"),
    ("SMS", "SENDING"),
    ("SMS", "SENT"),
    ("SMS", "DELIVERED"),
    ("SMS", "UNDELIVERED"),
];
/// The statuses that no provider reports.
const OURS: [&str; 2] = ["RESENT", "FAILED"];
/// A text from somebody: its status, its keyword if it has one, and its words.
const TEXTS: [(&str, &str, &str); 3] =
    [("RECEIVED", "", "Can you call me tomorrow?"), ("OPT_OUT", "STOP", "Stop"), ("OPT_IN", "START", "START")];
/// The time between a sign-up and the first message, and between two. The member signed up some seconds ago, and no message is
/// from the future.
const LATER: Micros = 10_000;

/// A document that is written.
struct Draft {
    table: &'static str,
    owner_id: String,
    status: &'static str,
    action: &'static str,
    /// Its fields beyond those that every document has.
    doc: Value,
}

/// Writes the messages to the demonstration's own member.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    if member.number != 0 {
        return Ok(());
    }
    let drafts = list_drafts(member);
    let writes = (0_u32..).zip(drafts).map(|(place, draft)| build_write(work, member, place, draft));
    let writes = writes.collect::<anyhow::Result<Vec<Write>>>()?;
    let Some(journal) = writes.first().map(|write| write.table.journal) else { return Ok(()) };
    bulk::commit(work.kernel(), journal, writes).await?;
    Ok(())
}

/// When the document of that place was written.
fn moment(member: &Member, place: u32) -> Micros {
    member.since + i64::from(place + 1) * LATER
}

fn id(member: &Member, place: u32) -> String {
    Ids::from_seed(u64::from(place) + 1).next(moment(member, place))
}

/// Messages, texts from somebody, then events: the place of a document is its place here.
fn list_drafts(member: &Member) -> Vec<Draft> {
    let messages =
        (0_u32..).zip(MESSAGES).map(|(place, (channel, status))| build_message(member, place, channel, status));
    let mut drafts: Vec<Draft> = messages.collect();
    drafts.extend((0_u32..).zip(TEXTS).map(|(place, (status, keyword, words))| {
        let mut doc = json!({
            "type": "SMS", "provider": "TWILIO", "providerMessageId": format!("demo-text-{place}"), "locale": "en-US",
            "recipient": "+15125550143", "content": {"text": words},
        });
        if let Some(doc) = doc.as_object_mut().filter(|_| !keyword.is_empty()) {
            doc.insert("keyword".to_owned(), json!(keyword));
        }
        Draft { table: NOTIFICATION_TABLE, owner_id: String::new(), status, action: "CREATED", doc }
    }));
    let reported = (0_u32..).zip(MESSAGES).filter(|(_, (_, status))| !OURS.contains(status));
    drafts.extend(reported.map(|(place, (channel, status))| {
        let event = json!({
            "provider": provider(channel), "providerMessageId": message_id(place), "notificationId": id(member, place),
            "reported": status, "reportedAt": to_timestamp(moment(member, place)).to_string(),
        });
        build_event("APPLIED", event)
    }));
    // Somebody else's message, by the same account of the provider.
    let reported_at = to_timestamp(member.since).to_string();
    let foreign = json!({"provider": "SENDGRID", "providerMessageId": "elsewhere", "reported": "DELIVERED", "reportedAt": reported_at});
    drafts.push(build_event("UNKNOWN", foreign));
    drafts
}

fn build_message(member: &Member, place: u32, channel: &str, status: &'static str) -> Draft {
    let at = to_timestamp(moment(member, place)).to_string();
    let recipient = if channel == "SMS" { "+15125550142" } else { "ada@example.com" };
    let mut attempt = json!({"provider": provider(channel), "at": at, "settledAt": at});
    let mut doc = json!({
        "type": channel, "provider": provider(channel), "category": "BILLING", "templateKey": "billing.payment-received",
        "templateVersion": 1, "locale": "en-US", "recipient": recipient, "providerMessageId": message_id(place),
        "content": {"subject": "Your receipt", "text": format!("Hello Ada Example,\n\nwe received ${}.95. Thank you.", 20 + place)},
    });
    let failure = "the provider does not take it";
    if let (Some(doc), Some(attempt)) = (doc.as_object_mut(), attempt.as_object_mut()) {
        if status == "FAILED" {
            doc.insert("failure".to_owned(), json!(failure));
            attempt.insert("failure".to_owned(), json!(failure));
        }
        if place == 1 {
            doc.insert("resentFromId".to_owned(), json!(id(member, 0)));
        }
        doc.insert("attempts".to_owned(), json!([attempt]));
    }
    Draft { table: NOTIFICATION_TABLE, owner_id: member.id.clone(), status, action: "CREATED", doc }
}

fn build_event(status: &'static str, doc: Value) -> Draft {
    Draft { table: EVENT_TABLE, owner_id: String::new(), status, action: "EVENT_STORED", doc }
}

fn provider(channel: &str) -> &'static str {
    if channel == "SMS" { "TWILIO" } else { "SENDGRID" }
}

/// The provider's id of a message.
fn message_id(place: u32) -> String {
    format!("demo-message-{place}")
}

fn build_write(work: &Work, member: &Member, place: u32, draft: Draft) -> anyhow::Result<Write> {
    let Draft { table, owner_id, status, action, mut doc } = draft;
    let tables = work.kernel().tables();
    let found = tables.iter().find(|entry| entry.table.name == table);
    let table: &'static Table = found.with_context(|| format!("there is no table {table}"))?.table;
    let (id, at) = (id(member, place), moment(member, place));
    let moment = to_timestamp(at).to_string();
    if let Some(doc) = doc.as_object_mut() {
        let head = [("id", json!(id)), ("status", json!(status)), ("version", json!("1"))];
        let times = [("createdAt", json!(moment)), ("updatedAt", json!(moment))];
        doc.extend(head.into_iter().chain(times).map(|(name, value)| (name.to_owned(), value)));
        if !owner_id.is_empty() {
            doc.insert("ownerId".to_owned(), json!(owner_id));
        }
        if table.name == NOTIFICATION_TABLE {
            doc.insert("statusAt".to_owned(), json!(moment));
        }
    }
    let (status, doc) = (status.to_owned(), doc.to_string());
    let row =
        StoredRow { id, owner_id, status, version: 1, created_at: at, updated_at: at, doc, ..StoredRow::default() };
    Ok(Write { table, row, expected: None, removed: false, action: action.to_owned(), lookups: Vec::new() })
}
