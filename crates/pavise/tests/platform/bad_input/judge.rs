//! Sends requests and judges the answers.

use std::collections::BTreeMap;
use std::time::Duration;

use http::Method;
use pavise_kernel::Caller;
use pavise_testapp::{Answer, Rest, TestApp};
use serde_json::Value;

use crate::bad_input::target::Target;

/// No answer may take longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The expected answer to a request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Want<'a> {
    /// Anything but the server's fault.
    Answered,
    /// A refusal.
    Refused,
    /// A refusal for one of these reasons.
    Reason(&'a [&'a str]),
    /// A refusal of this field.
    Field(&'a str),
}

/// The counts of requests and their results.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sent: u64,
    /// Refusals that name a field.
    pub(crate) named: u64,
    pub(crate) statuses: BTreeMap<u16, u64>,
    pub(crate) wrong: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.named += other.named;
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }

    pub(crate) fn report(&self, what: &str, at_least: u64) {
        println!("{what}: {} sent, {} refusals name a field, statuses {:?}", self.sent, self.named, self.statuses);
        let shown = &self.wrong[..self.wrong.len().min(40)];
        assert!(shown.is_empty(), "{what}: {} of {} are wrong:\n{}", self.wrong.len(), self.sent, shown.join("\n"));
        assert!(self.sent >= at_least, "{what}: only {} were sent", self.sent);
    }

    /// Judges an answer.
    pub(crate) fn judge(&mut self, what: &str, answer: &Answer, want: Want<'_>) {
        *self.statuses.entry(answer.status.as_u16()).or_default() += 1;
        self.named += u64::from(!answer.fields().is_empty());
        if let Err(why) = verdict(answer, want) {
            let body: String = String::from_utf8_lossy(&answer.body).chars().take(600).collect();
            self.wrong.push(format!("{what}: {why}: {} {body}", answer.status));
        }
    }
}

fn verdict(answer: &Answer, want: Want<'_>) -> Result<(), String> {
    let status = answer.status.as_u16();
    if status >= 500 {
        return Err("the server's fault".to_owned());
    }
    if status < 400 {
        return if matches!(want, Want::Answered) { Ok(()) } else { Err(format!("expected {want:?}")) };
    }
    shape(answer)?;
    let fields = answer.fields();
    let met = match want {
        Want::Answered | Want::Refused => true,
        Want::Reason(reasons) => reasons.contains(&answer.reason()),
        Want::Field(name) => fields.contains(&name),
    };
    if met { Ok(()) } else { Err(format!("expected {want:?}")) }
}

/// The one shape of refusals.
fn shape(answer: &Answer) -> Result<(), String> {
    let json = &answer.json;
    let text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let holds =
        |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("not the shape of a refusal: {what}")) };
    holds(json["code"].as_u64() == Some(u64::from(answer.status.as_u16())), "code")?;
    holds(text(&json["status"]), "status")?;
    holds(text(&json["message"]), "message")?;
    holds(json["message"].as_str().is_some_and(|text| text.len() < 2_000), "the message repeats the request")?;
    holds(
        json["message"].as_str().is_some_and(|text| text.matches("at line").count() < 2),
        "the message says its place twice",
    )?;
    let details = json["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    let infos: Vec<&Value> =
        details.iter().filter(|one| one["@type"] == "type.googleapis.com/google.rpc.ErrorInfo").collect();
    holds(infos.len() == 1, "one ErrorInfo")?;
    holds(text(&infos[0]["reason"]) && text(&infos[0]["domain"]), "reason and domain")?;
    for detail in details.iter().filter(|one| one["@type"] == "type.googleapis.com/google.rpc.BadRequest") {
        let violations = detail["fieldViolations"].as_array().map(Vec::as_slice).unwrap_or_default();
        holds(!violations.is_empty(), "a BadRequest without a violation")?;
        for one in violations {
            holds(text(&one["field"]) && text(&one["description"]), "a violation without a field or description")?;
            holds(
                !one["field"].as_str().is_some_and(|field| field.contains('_')),
                "a field in the spelling of protos",
            )?;
        }
    }
    Ok(())
}

/// Sends to one path as one caller.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    pub(crate) rest: Rest,
    pub(crate) visitor: Rest,
    method: Method,
    label: String,
}

impl Sender {
    pub(crate) fn new(app: &TestApp, caller: &Caller, target: &Target) -> Self {
        Self {
            rest: app.rest(caller).with("host", &target.host),
            visitor: app.visitor().with("host", &target.host),
            method: target.verb(),
            label: format!("{} {} {}", caller.identity, target.verb(), target.host),
        }
    }

    /// Sends a body as it is.
    pub(crate) async fn bytes(
        &self,
        tally: &mut Tally,
        path: &str,
        body: Option<Vec<u8>>,
        want: Want<'_>,
    ) -> Option<Answer> {
        self.with(&self.rest, tally, path, body, want).await
    }

    /// Sends JSON.
    pub(crate) async fn json(&self, tally: &mut Tally, path: &str, body: &Value, want: Want<'_>) -> Option<Answer> {
        self.bytes(tally, path, Some(body.to_string().into_bytes()), want).await
    }

    /// Sends with other headers.
    pub(crate) async fn with(
        &self,
        rest: &Rest,
        tally: &mut Tally,
        path: &str,
        body: Option<Vec<u8>>,
        want: Want<'_>,
    ) -> Option<Answer> {
        let cut = |text: &str| text.chars().take(200).collect::<String>();
        let what = format!(
            "{}{} {}",
            self.label,
            cut(path),
            cut(&String::from_utf8_lossy(body.as_deref().unwrap_or_default()))
        );
        tally.sent += 1;
        match tokio::time::timeout(PATIENCE, rest.raw(self.method.clone(), path, body, "application/json")).await {
            Ok(answer) => {
                tally.judge(&what, &answer, want);
                Some(answer)
            }
            Err(_) => {
                tally.wrong.push(format!("{what}: no answer"));
                None
            }
        }
    }
}
