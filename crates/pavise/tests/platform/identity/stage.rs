//! The callers of the stories over one surface, and a record of their calls.

use std::collections::BTreeSet;

use pavise::wire::{Answer, Client, Failure, Messages, Surface};
use pavise_contract::{Behavior, Contract, Method};
use pavise_kernel::Caller;
use pavise_testapp::{Platform, TestApp};
use serde_json::{Value, json};

/// Calls that succeed only with a device, after a minute or after a failure: other tests cover them.
const ELSEWHERE: [&str; 7] = [
    "factors.CreatePasskey",
    "factors.DeletePasskey",
    "factors.UpdatePasskeyName",
    "identities.BeginChallengePasskey",
    "identities.FinishPasskeySignIn",
    "invitations.ResendInvitation",
    "platform_workers.ReplayFailedEntry",
];

/// A caller: over the surface of the run, and over gRPC for calls without a REST path.
#[derive(Clone)]
pub(crate) struct Actor {
    on: Client,
    grpc: Client,
}

/// A run over one surface.
pub(crate) struct Stage<'a> {
    pub(crate) platform: &'a Platform,
    pub(crate) surface: Surface,
    /// Staff who may do everything.
    pub(crate) staff: Actor,
    /// A program that may do everything.
    pub(crate) machine: Actor,
    /// Nobody.
    pub(crate) visitor: Actor,
    contract: Contract,
    good: BTreeSet<String>,
    bad: BTreeSet<String>,
    counts: (u32, u32),
    serial: u32,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(platform: &'a Platform, surface: Surface) -> Self {
        let pool = &platform.app().app.pool;
        let address = platform.addresses()[0];
        let nobody = |surface| Client::new(address, surface, pool).unwrap();
        let visitor = Actor { on: nobody(surface), grpc: nobody(Surface::Grpc) };
        let app = platform.app();
        Self {
            platform,
            surface,
            staff: visitor.with_token(&app.token(&TestApp::staff())),
            machine: visitor.with_token(&app.token(&TestApp::machine())),
            visitor,
            contract: Contract::read(pool).unwrap(),
            good: BTreeSet::new(),
            bad: BTreeSet::new(),
            counts: (0, 0),
            serial: 0,
        }
    }

    /// A caller with a token that names them.
    pub(crate) fn caller(&self, caller: &Caller) -> Actor {
        self.visitor.with_token(&self.platform.app().token(caller))
    }

    /// A word that nobody else of the test uses.
    pub(crate) fn fresh(&mut self, word: &str) -> String {
        self.serial += 1;
        format!("{word}-{}-{}", self.surface_name(), self.serial)
    }

    fn surface_name(&self) -> String {
        format!("{:?}", self.surface).to_lowercase()
    }

    /// A new member with a password and a token.
    pub(crate) async fn member(&mut self) -> (Member, Actor) {
        let email = format!("{}@example.com", self.fresh("member"));
        let password = "correct horse battery".to_owned();
        let asked = json!({"realm": "User", "emails": [email], "password": password});
        // A program vouches for the address.
        let machine = self.machine.clone();
        let identity = self.good(&machine, "identities.CreateIdentity", asked).await;
        let id = identity["id"].as_str().unwrap().to_owned();
        let actor = self.caller(&TestApp::member(&id));
        (Member { id, email, password }, actor)
    }

    /// A call that must be answered.
    pub(crate) async fn good(&mut self, who: &Actor, name: &str, request: Value) -> Value {
        self.answered(who, name, request).await.json
    }

    /// The same with the answer's clock and version.
    pub(crate) async fn answered(&mut self, who: &Actor, name: &str, request: Value) -> Answer {
        let mut answer = self.client(who, name).call(name, request.clone()).await;
        // A worker may be changing the same entity: the caller is told to try again.
        for _ in 0..10 {
            if !matches!(&answer, Err(Failure::Refused(refusal)) if refusal.reason == "CONTENTION") {
                break;
            }
            answer = self.client(who, name).call(name, request.clone()).await;
        }
        let answer = answer.unwrap_or_else(|error| panic!("{name} over {:?}: {error}\n{request}", self.surface));
        self.good.insert(name.to_owned());
        self.counts.0 += 1;
        answer
    }

    /// A call that only a worker makes, proven by its effect.
    pub(crate) fn made_by_the_platform(&mut self, name: &str) {
        self.good.insert(name.to_owned());
    }

    /// A call that may be refused.
    pub(crate) async fn call(&self, who: &Actor, name: &str, request: Value) -> Result<Answer, Failure> {
        self.client(who, name).call(name, request).await
    }

    /// The stream of a call.
    pub(crate) async fn open(&self, who: &Actor, name: &str, request: Value) -> Messages {
        let opened = who.on.open(name, request).await;
        opened.unwrap_or_else(|error| panic!("{name} over {:?}: {error}", self.surface))
    }

    /// A call that must be refused for that reason.
    pub(crate) async fn bad(&mut self, who: &Actor, name: &str, request: Value, reason: &str) {
        match self.client(who, name).call(name, request.clone()).await {
            Err(Failure::Refused(refusal)) => {
                assert_eq!(refusal.reason, reason, "{name} over {:?}: {refusal}\n{request}", self.surface);
            }
            other => panic!("{name} over {:?}: expected {reason}, got {other:?}\n{request}", self.surface),
        }
        self.bad.insert(name.to_owned());
        self.counts.1 += 1;
    }

    fn client<'b>(&self, who: &'b Actor, name: &str) -> &'b Client {
        let has_path = self.methods().any(|(known, method)| known == name && !method.bindings.is_empty());
        if self.surface == Surface::Rest && !has_path { &who.grpc } else { &who.on }
    }

    /// The domain's calls that answer once.
    fn methods(&self) -> impl Iterator<Item = (String, &Method)> {
        let own = self.contract.methods().filter(|(service, _)| service.domain == "identity");
        // The domain's own tests send files and read streams, and the conformance suite exports and erases a person.
        let once = own.filter(|(_, method)| {
            !matches!(method.behavior, Behavior::Watch(_) | Behavior::ExportPerson(_) | Behavior::RedactPerson(_))
                && !method.descriptor.is_client_streaming()
                && !method.descriptor.is_server_streaming()
        });
        once.map(|(service, method)| (format!("{}.{}", service.name, method.descriptor.name()), method))
    }

    /// The guarantees of every journal's pages.
    pub(crate) async fn journal(&mut self, service: &str) {
        let staff = self.staff.clone();
        let (read, max) = (format!("{service}.ReadJournal"), format!("{service}.GetMaxClock"));
        let page = self.good(&staff, &read, json!({"limit": 2})).await;
        let clocks: Vec<&str> =
            page["entries"].as_array().unwrap().iter().map(|entry| entry["clock"].as_str().unwrap()).collect();
        assert_eq!(clocks, ["1", "2"], "{page}");
        let head = self.good(&staff, &max, json!({})).await;
        let number = |value: &Value| value.as_str().unwrap().parse::<i64>().unwrap();
        assert!(number(&head["maxClock"]) >= number(&page["maxClock"]), "{head} {page}");
        self.bad(&staff, &read, json!({"limit": -1}), "INVALID_FIELD").await;
        let visitor = self.visitor.clone();
        self.bad(&visitor, &max, json!({}), "TOKEN_MISSING").await;
    }

    /// How many calls were answered and refused; every call must have been both.
    pub(crate) fn complete(self) -> (u32, u32) {
        let left_out: Vec<String> = self
            .methods()
            .filter(|(name, method)| {
                (!self.good.contains(name) && !ELSEWHERE.contains(&name.as_str()))
                    || (can_be_refused(method) && !self.bad.contains(name))
            })
            .map(|(name, _)| {
                format!("{name} (answered: {}, refused: {})", self.good.contains(&name), self.bad.contains(&name))
            })
            .collect();
        assert!(left_out.is_empty(), "over {:?} nobody tried\n{}", self.surface, left_out.join("\n"));
        self.counts
    }
}

/// A public call without any field cannot be refused.
fn can_be_refused(method: &Method) -> bool {
    !method.access.public || method.descriptor.input().fields().len() > 0
}

impl Actor {
    /// The same with a token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { on: self.on.with_token(token), grpc: self.grpc.with_token(token) }
    }
}

/// A member of a story.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) password: String,
}

/// A text of an answer.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}
