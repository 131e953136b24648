//! Mail through a mail server.

use std::fmt;
use std::time::Duration;

use anyhow::Context as _;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use pavise_messaging::HandOverError;

use super::Parcel;

/// The longest time of each step of a mail server.
const PATIENCE: Duration = Duration::from_secs(10);
/// The codes with which a mail server refuses this mail or its recipient for good. All other refusals (a wrong password
/// of ours, a full mailbox) may pass.
const REFUSALS: [u16; 4] = [550, 551, 553, 554];

/// A mail server.
pub(super) struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Smtp")
    }
}

impl Smtp {
    /// The server at `url`, as sender `from`.
    ///
    /// # Errors
    /// When either cannot be read.
    pub(super) fn new(url: &str, from: &str) -> anyhow::Result<Self> {
        let from = from.parse().with_context(|| format!("--mail-from {from}: write it as \"Name <address>\""))?;
        // The cause is left out: it may show the password.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| {
            anyhow::anyhow!(
                "--smtp-url: write it as smtps://USER:PASSWORD@HOST, or smtp://HOST:PORT?tls=required for STARTTLS"
            )
        })?;
        Ok(Self { transport: builder.timeout(Some(PATIENCE)).build(), from })
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the mail server did not take the message.
    pub(super) async fn deliver(&self, message: &Parcel) -> Result<(), HandOverError> {
        let mail = self.mail(message)?;
        let sent = tokio::time::timeout(PATIENCE * 2, self.transport.send(mail)).await;
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(undelivered(&error)),
            Err(_) => Err(HandOverError::Unavailable("the mail server did not answer in time")),
        }
    }

    fn mail(&self, message: &Parcel) -> Result<lettre::Message, HandOverError> {
        let to: lettre::Address =
            message.address.parse().map_err(|_| HandOverError::Refused("it is no mail address"))?;
        let domain = self.from.email.domain();
        let mut head = lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&message.subject)
            // A repeated message has the same id: mail programs show it once.
            .message_id(Some(format!("<{}@{domain}>", message.id)))
            .raw_header(header("Auto-Submitted", "auto-generated"));
        if !message.unsubscribe_url.is_empty() {
            head = head
                .raw_header(header("List-Unsubscribe", &format!("<{}>", message.unsubscribe_url)))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
        let mail = if message.html.is_empty() {
            head.header(ContentType::TEXT_PLAIN).body(message.text.clone())
        } else {
            head.multipart(MultiPart::alternative_plain_html(message.text.clone(), message.html.clone()))
        };
        mail.map_err(|_| HandOverError::Refused("it cannot be written as a mail"))
    }
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// The meaning of an error. Its text stays here: servers repeat the address in it.
fn undelivered(error: &Error) -> HandOverError {
    match error.status().map(u16::from) {
        Some(code) if REFUSALS.contains(&code) => HandOverError::Refused("the mail server refused it"),
        Some(_) => HandOverError::Unavailable("the mail server does not take it now"),
        None => HandOverError::Unavailable("the mail server does not answer"),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::TcpListener;

    use super::*;

    /// A mail server for one mail: answers RCPT with `verdict`, and hands out what it was sent.
    async fn server(verdict: &'static str) -> (String, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let mut lines = BufReader::new(stream);
            lines.write_all(b"220 test\r\n").await.unwrap();
            let (mut heard, mut body) = (String::new(), false);
            loop {
                let mut line = String::new();
                if lines.read_line(&mut line).await.unwrap_or(0) == 0 {
                    return heard;
                }
                heard.push_str(&line);
                let answer = match line.trim_end() {
                    "." if body => {
                        body = false;
                        "250 taken"
                    }
                    _ if body => continue,
                    "DATA" => {
                        body = true;
                        "354 go on"
                    }
                    line if line.starts_with("RCPT") => verdict,
                    "QUIT" => "221 bye",
                    _ => "250 test",
                };
                lines.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
            }
        });
        (url, task)
    }

    fn message() -> Parcel {
        Parcel {
            id: "01900000-0000-7000-8000-000000000001".into(),
            channel: "EMAIL",
            address: "ada@example.com".into(),
            subject: "Choisissez un nouveau mot de passe".into(),
            text: "Votre code est ABCDE-12345\n\nÀ bientôt\n".into(),
            html: String::new(),
            unsubscribe_url: String::new(),
        }
    }

    #[tokio::test]
    async fn a_mail_reaches_the_server_whole() {
        let (url, server) = server("250 known").await;
        let smtp = Smtp::new(&url, "Pavise <no-reply@pavise.example>").unwrap();
        smtp.deliver(&message()).await.unwrap();
        drop(smtp);
        let heard = server.await.unwrap();
        for part in [
            "MAIL FROM:<no-reply@pavise.example>",
            "RCPT TO:<ada@example.com>",
            "Subject: Choisissez un nouveau mot de passe",
            "Message-ID: <01900000-0000-7000-8000-000000000001@pavise.example>",
            "Auto-Submitted: auto-generated",
            "ABCDE-12345",
            "\r\nDate: ",
        ] {
            assert!(heard.contains(part), "{part}: {heard}");
        }
    }

    /// RFC 8058: one request unsubscribes. Nobody unsubscribes from a mail without a link.
    #[tokio::test]
    async fn a_mail_says_where_its_reader_unsubscribes() {
        let link =
            "https://pavise.example/v1/profile/ada@example.com/communicationPreferences/billing.receipt?token=1.2";
        for unsubscribe_url in [link, ""] {
            let (url, server) = server("250 known").await;
            let smtp = Smtp::new(&url, "Pavise <no-reply@pavise.example>").unwrap();
            smtp.deliver(&Parcel { unsubscribe_url: unsubscribe_url.into(), ..message() }).await.unwrap();
            drop(smtp);
            // A long head line is folded.
            let heard = server.await.unwrap().replace("\r\n ", " ");
            let heads: Vec<&str> = heard.lines().filter(|line| line.starts_with("List-Unsubscribe")).collect();
            let expected =
                [format!("List-Unsubscribe: <{link}>"), "List-Unsubscribe-Post: List-Unsubscribe=One-Click".into()];
            assert_eq!(heads, if unsubscribe_url.is_empty() { &[] } else { expected.as_slice() });
        }
    }

    #[tokio::test]
    async fn a_mail_with_html_has_its_text_too() {
        let (url, server) = server("250 known").await;
        let smtp = Smtp::new(&url, "Pavise <no-reply@pavise.example>").unwrap();
        smtp.deliver(&Parcel { html: "<p>ABCDE-12345</p>".into(), ..message() }).await.unwrap();
        drop(smtp);
        let heard = server.await.unwrap();
        for part in ["multipart/alternative", "text/plain", "text/html", "<p>ABCDE-12345</p>", "Votre code est"] {
            assert!(heard.contains(part), "{part}: {heard}");
        }
    }

    #[tokio::test]
    async fn what_a_server_refuses_for_good_is_told_from_what_may_pass() {
        for (verdict, refused) in
            [("550 nobody ada@example.com", true), ("452 full", false), ("535 who are you", false)]
        {
            let (url, server) = server(verdict).await;
            let error = Smtp::new(&url, "a@pavise.example").unwrap().deliver(&message()).await.unwrap_err();
            assert_eq!(matches!(error, HandOverError::Refused(_)), refused, "{verdict}: {error:?}");
            assert!(!format!("{error:?}").contains("ada@"));
            server.abort();
        }
        let nobody = Smtp::new("smtp://127.0.0.1:1", "a@pavise.example").unwrap();
        assert!(matches!(nobody.deliver(&message()).await, Err(HandOverError::Unavailable(_))));
        let wrong = Parcel { address: "no address".into(), ..message() };
        assert!(matches!(nobody.deliver(&wrong).await, Err(HandOverError::Refused(_))));
    }
}
