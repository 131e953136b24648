//! A code is mailed once, in its reader's language, whichever of two processes is killed: the one that writes the notice, or
//! the one that sends the message.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use pavise::domains;
use pavise::wire::{Client, Surface};
use pavise_identity::contract::NOTICE_TABLE;
use pavise_kernel::store::Filter;
use pavise_kernel::table::Table;
use pavise_messaging::contract::NOTIFICATION_TABLE;
use pavise_testkit::faults::{Fault, FaultProxy};
use pavise_testkit::runs::is_long_run;
use serde_json::{Value, json};

use crate::mail_server::{MailServer, head};
use crate::server::{Server, free_port, token};
use crate::{journals, turn};

/// How long a step may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long an answer of the second process is under way: longer than it takes to kill the first one.
const LATENCY: Duration = Duration::from_millis(1_500);

/// Two processes: one sends messages, the other does all else.
struct Parts {
    ports: [u16; 2],
    databases: [String; 2],
    peers: String,
    smtp: String,
    /// Between the first process and the one that sends.
    proxy: FaultProxy,
}

impl Parts {
    fn start_rest(&self) -> Server {
        let settings = [("PAVISE_EXCEPT", "messaging"), ("PAVISE_PEERS", self.peers.as_str())];
        Server::start_at(self.ports[0], &self.databases[0], &settings)
    }

    fn start_messaging(&self) -> Server {
        let settings = [
            ("PAVISE_ONLY", "messaging"),
            ("PAVISE_PEERS", self.peers.as_str()),
            ("PAVISE_SMTP_URL", self.smtp.as_str()),
        ];
        Server::start_at(self.ports[1], &self.databases[1], &settings)
    }

    /// Waits for a row of a table with that status.
    async fn wait_for_row(&self, part: usize, table: &'static Table, status: &str, count: usize) {
        let store = journals::open(&self.databases[part]).await;
        let began = Instant::now();
        let filter = Filter { statuses: vec![status.to_owned()], limit: 100, ..Filter::default() };
        while store.list(table, &filter).await.unwrap().len() < count {
            assert!(began.elapsed() < PATIENCE, "{}: fewer than {count} are {status}", table.name);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until a table has so many rows.
    async fn wait_for_rows(&self, part: usize, table: &'static Table, count: usize) {
        let store = journals::open(&self.databases[part]).await;
        let began = Instant::now();
        let filter = Filter { limit: 100, ..Filter::default() };
        while store.list(table, &filter).await.unwrap().len() < count {
            assert!(began.elapsed() < PATIENCE, "{}: fewer than {count}", table.name);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A member whose profile says fr-CA.
async fn add_member(rest: &Client, email: &str) {
    let member = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
    let made = rest.call("identities.CreateIdentity", member).await.unwrap().json;
    let locale = json!({"identityId": made["id"], "locale": "fr-CA"});
    let began = Instant::now();
    while rest.call("profiles.UpdateLocale", locale.clone()).await.is_err() {
        assert!(began.elapsed() < PATIENCE, "there is no profile");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn ask_for_code(rest: &Client, email: &str) {
    let ask: Value = json!({"email": email, "locale": "en-US"});
    rest.call("identities.SendPasswordResetEmail", ask).await.unwrap();
}

/// Checks that an address got one message, however often it was handed over, and answers how often.
fn check_one_message(server: &MailServer, email: &str) -> usize {
    let mails = server.mails_to(email);
    let ids: BTreeSet<&str> = mails.iter().map(|mail| head(mail, "Message-ID").unwrap()).collect();
    assert_eq!(ids.len(), 1, "{mails:?}");
    for mail in &mails {
        assert_eq!(head(mail, "Subject"), Some("Choisissez un nouveau mot de passe"));
        assert_eq!(head(mail, "List-Unsubscribe"), None, "nobody unsubscribes from codes");
    }
    mails.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_mailed_once_whichever_process_is_killed() {
    let _turn = turn().await;
    let folder = tempfile::tempdir().unwrap();
    let mails = MailServer::start().await;
    let ports = [free_port(), free_port()];
    let proxy = FaultProxy::start(([127, 0, 0, 1], ports[1]).into(), 1).unwrap();
    let parts = Parts {
        ports,
        databases: ports.map(|port| format!("sqlite://{}", folder.path().join(format!("{port}.db")).display())),
        peers: format!("http://127.0.0.1:{},messaging=http://{}", ports[0], proxy.address()),
        smtp: mails.url.clone(),
        proxy,
    };
    let mut rest = parts.start_rest();
    let pool = domains::pool(false).unwrap();
    let client = Client::new(&rest.base, Surface::Rest, &pool).unwrap().with_token(&token());
    for email in ["ada@example.com", "bob@example.com", "cid@example.com"] {
        add_member(&client, email).await;
    }

    // The process that writes the notice is killed after its commit. Nobody sends yet.
    ask_for_code(&client, "ada@example.com").await;
    parts.wait_for_row(0, &NOTICE_TABLE, "PENDING", 1).await;
    rest.kill();
    rest = parts.start_rest();
    let mut sends = parts.start_messaging();
    mails.wait_for("ada@example.com", 1).await;
    parts.wait_for_row(0, &NOTICE_TABLE, "SENT", 1).await;
    assert_eq!(check_one_message(&mails, "ada@example.com"), 1);

    // It is killed after the hand-over, before it has the answer.
    parts.proxy.set(Fault::Delay { latency: LATENCY, jitter: Duration::ZERO });
    ask_for_code(&client, "bob@example.com").await;
    parts.wait_for_rows(1, &NOTIFICATION_TABLE, 2).await;
    rest.kill();
    parts.proxy.set(Fault::None);
    rest = parts.start_rest();
    mails.wait_for("bob@example.com", 1).await;
    parts.wait_for_row(0, &NOTICE_TABLE, "SENT", 2).await;
    parts.wait_for_row(1, &NOTIFICATION_TABLE, "PROCESSED", 2).await;
    assert_eq!(check_one_message(&mails, "bob@example.com"), 1);

    // The process that sends is killed while the mail server has the mail and does not say so. It tries again a minute later,
    // with the same Message-ID.
    let mut repeats = 0;
    if is_long_run() {
        mails.set_silent(true);
        ask_for_code(&client, "cid@example.com").await;
        mails.wait_for("cid@example.com", 1).await;
        sends.kill();
        mails.set_silent(false);
        sends = parts.start_messaging();
        mails.wait_for("cid@example.com", 2).await;
        parts.wait_for_row(1, &NOTIFICATION_TABLE, "PROCESSED", 3).await;
        repeats = check_one_message(&mails, "cid@example.com") - 1;
    }
    rest.kill();
    sends.kill();
    for database in &parts.databases {
        journals::sound(&journals::open(database).await).await;
    }
    println!(
        "two processes killed at each side of a hand-over: each code mailed once, {repeats} repeated with its Message-ID"
    );
}
