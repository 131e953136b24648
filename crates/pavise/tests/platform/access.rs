//! Every call × {no token, expired, wrong audience, wrong realm, no permission, other owner, other scope, wrong role,
//! impersonating, right}, made from the contract: a call cannot ship without its row.

use std::time::Duration;

use pavise_contract::options::v1::{Impersonation, Realm, ScopeAccess, ScopeKind};
use pavise_contract::{Contract, Method, Service};
use pavise_kernel::caller::Impersonator;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::token::{Claims, issue_token};
use pavise_kernel::{Caller, Scope};
use pavise_testapp::{TestApp, bare};
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, Value};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

const ME: &str = "01900000-0000-7000-8000-0000000000aa";
const OTHER: &str = "01900000-0000-7000-8000-0000000000bb";
const GROUP: &str = "01900000-0000-7000-8000-0000000000cc";
const REALMS: [Realm; 5] = [Realm::User, Realm::Machine, Realm::Internal, Realm::Partner, Realm::GroupAdmin];

struct Row<'a> {
    app: &'a TestApp,
    service: &'a Service,
    method: &'a Method,
    checks: u32,
    wrong: Vec<String>,
}

/// A caller whom the rule admits in a realm, with an admitted role in each scope that it names.
fn right(method: &Method, realm: Realm) -> Caller {
    let named = method.access.scopes.iter().filter(|scope| scope.kind().realm() == realm);
    let scopes = named.map(|scope| Scope::new(scope.kind(), GROUP, &[roles(scope).first().map_or("", |role| role)]));
    let caller = match realm {
        Realm::User => TestApp::member(ME),
        Realm::GroupAdmin => TestApp::group_admin(ME, &[]),
        other => TestApp::with_permissions(other, ME, &[method.access.permission.as_str()]),
    };
    Caller { scopes: scopes.collect(), ..caller }
}

/// The roles that a rule admits.
fn roles(scope: &ScopeAccess) -> Vec<&str> {
    match scope.roles.as_slice() {
        [] => scope.kind().roles().iter().take(1).copied().collect(),
        said => said.iter().map(String::as_str).collect(),
    }
}

fn reason(status: &Status) -> String {
    status.get_error_details().error_info().map(|info| info.reason.clone()).unwrap_or_default()
}

impl Row<'_> {
    fn request(&self, owner: &str, group: &str) -> Vec<u8> {
        let mut message = DynamicMessage::new(self.method.descriptor.input());
        let scopes = self.method.access.scopes.iter().map(|scope| (&scope.field, group));
        for (field, value) in scopes.chain([(&self.method.access.owner, owner)]) {
            if !field.is_empty() {
                message.set_field_by_name(field, Value::String(value.to_owned()));
            }
        }
        message.encode_to_vec()
    }

    async fn send(&self, token: &str, request: Vec<u8>) -> Result<(), Status> {
        self.send_with(token, request, &[]).await
    }

    async fn send_with(&self, token: &str, request: Vec<u8>, headers: &[(&'static str, &str)]) -> Result<(), Status> {
        let channel = PeerChannel::new(self.app.app.kernel.peers(), &self.service.domain, token, "", None);
        let path = format!("/{}/{}", self.service.descriptor.full_name(), self.method.descriptor.name());
        bare::call(channel, &path, request, headers).await
    }

    /// The call must be refused for that reason.
    async fn refused(&mut self, what: &str, token: &str, request: Vec<u8>, code: Code, why: &str) {
        self.checks += 1;
        let answer = self.send(token, request).await;
        if !answer.as_ref().is_err_and(|status| status.code() == code && reason(status) == why) {
            self.wrong.push(format!("{}: {what}: expected {why}, got {answer:?}", self.method.descriptor.full_name()));
        }
    }

    /// The call must not be refused because of its caller.
    async fn admitted(&mut self, what: &str, token: &str, request: Vec<u8>) {
        self.checks += 1;
        let answer = self.send(token, request).await;
        // NOT_THE_OWNER and the like come from the rule; a domain's own refusal of an unknown entity does not count.
        let by_rule = |status: &Status| {
            [
                "TOKEN_MISSING",
                "TOKEN_INVALID",
                "TOKEN_EXPIRED",
                "REALM_NOT_ALLOWED",
                "PERMISSION_MISSING",
                "NOT_THE_OWNER",
                "ROLE_MISSING",
                "IMPERSONATION_DENIED",
                "INTERNAL",
            ]
            .contains(&reason(status).as_str())
        };
        // A domain asks for a proof of its own, and does not say where to give it.
        let by_proof = |status: &Status| {
            let details = status.get_error_details();
            details
                .error_info()
                .is_some_and(|info| info.reason == "PROOF_NEEDED" && info.metadata.contains_key("prove"))
        };
        if answer.as_ref().is_err_and(|status| by_rule(status) || by_proof(status)) {
            self.wrong.push(format!(
                "{}: {what}: expected to be admitted, got {answer:?}",
                self.method.descriptor.full_name()
            ));
        }
    }

    async fn tokens(&mut self) {
        let mine = self.request(ME, GROUP);
        let access = &self.method.access;
        if access.public {
            self.admitted("no token", "", mine.clone()).await;
        } else {
            self.refused("no token", "", mine.clone(), Code::Unauthenticated, "TOKEN_MISSING").await;
        }
        let caller = right(self.method, access.realms().next().unwrap_or(Realm::User));
        let now = self.app.now();
        let hour = Duration::from_secs(3600);
        let expired = issue_token(&caller, hour, self.app.key(), now - 2 * 3_600_000_000);
        self.refused("expired", &expired, mine.clone(), Code::Unauthenticated, "TOKEN_EXPIRED").await;
        let elsewhere = Claims { aud: "elsewhere".to_owned(), ..Claims::of(&caller, hour, now) }.sign(self.app.key());
        self.refused("wrong audience", &elsewhere, mine, Code::Unauthenticated, "TOKEN_INVALID").await;
    }

    /// A call that proves something refuses validate-only, and says so.
    async fn proofs(&mut self) {
        if !self.method.proves {
            return;
        }
        self.checks += 1;
        let caller = right(self.method, self.method.access.realms().next().unwrap_or(Realm::User));
        let token = if self.method.access.public { String::new() } else { self.app.token(&caller) };
        let answer = self.send_with(&token, self.request(ME, GROUP), &[("pavise-validate-only", "true")]).await;
        if !answer.as_ref().is_err_and(|status| reason(status) == "VALIDATE_ONLY_REFUSED") {
            self.wrong.push(format!("{}: it proves, and {answer:?}", self.method.descriptor.full_name()));
        }
    }

    async fn realms(&mut self) {
        let access = &self.method.access;
        let admitted: Vec<Realm> = access.realms().collect();
        for realm in REALMS {
            let caller = right(self.method, realm);
            let token = self.app.token(&caller);
            let mine = self.request(ME, GROUP);
            if !admitted.contains(&realm) {
                if access.public && admitted.is_empty() {
                    self.admitted("any realm", &token, mine.clone()).await;
                    self.impersonating(caller, mine).await;
                } else {
                    self.refused("wrong realm", &token, mine, Code::PermissionDenied, "REALM_NOT_ALLOWED").await;
                }
                continue;
            }
            self.admitted("right", &token, mine.clone()).await;
            if !matches!(realm, Realm::User | Realm::GroupAdmin) && !access.permission.is_empty() {
                self.without_permission(realm, &mine).await;
            }
            let confined = matches!(realm, Realm::Partner | Realm::GroupAdmin);
            let named = access.scopes.iter().any(|scope| !scope.field.is_empty());
            let own_only = realm == Realm::User || access.owner_only || (confined && !named);
            if own_only && !access.owner.is_empty() {
                let others = self.request(OTHER, GROUP);
                self.refused("other owner", &token, others, Code::PermissionDenied, "NOT_THE_OWNER").await;
            }
            self.scopes(realm, &caller).await;
            self.stale(&caller, mine.clone()).await;
            self.impersonating(caller, mine).await;
        }
    }

    /// Without the permission: the owner may be admitted, and others are not.
    async fn without_permission(&mut self, realm: Realm, mine: &[u8]) {
        let without = self.app.token(&TestApp::with_permissions(realm, ME, &["nothing.at.all"]));
        let (code, why) = (Code::PermissionDenied, "PERMISSION_MISSING");
        if !self.method.access.owner_admitted {
            return self.refused("no permission", &without, mine.to_vec(), code, why).await;
        }
        self.admitted("the owner without permission", &without, mine.to_vec()).await;
        let others = self.request(OTHER, GROUP);
        let why = if realm == Realm::Partner { "NOT_THE_OWNER" } else { why };
        self.refused("another's without permission", &without, others, code, why).await;
    }

    /// Without a proof, and with one of ten minutes ago. A proof that is almost as old admits, and programs need none.
    async fn stale(&mut self, caller: &Caller, mine: Vec<u8>) {
        let now = self.app.now();
        let token = |proved_at: Option<i64>| {
            let caller = Caller { proved_at, ..caller.clone() };
            issue_token(&caller, Duration::from_secs(3600), self.app.key(), now)
        };
        let tokens = [None, Some(now - 600_000_000), Some(now - 595_000_000)].map(token);
        let [without, stale, fresh] = tokens;
        self.admitted("a proof of this quarter", &fresh, mine.clone()).await;
        for token in [without, stale] {
            if self.method.access.fresh_proof && caller.realm != Realm::Machine {
                self.refused("no fresh proof", &token, mine.clone(), Code::FailedPrecondition, "PROOF_NEEDED").await;
            } else {
                self.admitted("no fresh proof", &token, mine.clone()).await;
            }
        }
    }

    /// In another scope, and in the right scope with a role that the call does not admit.
    async fn scopes(&mut self, realm: Realm, caller: &Caller) {
        let named = self.method.access.scopes.iter().filter(|scope| !scope.field.is_empty());
        let named: Vec<_> = named.filter(|scope| scope.kind().realm() == realm).cloned().collect();
        if named.is_empty() {
            return;
        }
        let others = self.request(ME, OTHER);
        let token = self.app.token(caller);
        self.refused("other scope", &token, others, Code::PermissionDenied, "NOT_THE_OWNER").await;
        for wrong in &named {
            let odd = wrong.kind().roles().iter().find(|role| !roles(wrong).iter().any(|one| one == *role));
            let Some(odd) = odd else { continue };
            let scopes = caller.scopes.iter().filter(|scope| scope.kind != wrong.kind()).cloned();
            let scopes = scopes.chain([Scope::new(wrong.kind(), GROUP, &[odd])]).collect();
            let token = self.app.token(&Caller { scopes, ..caller.clone() });
            let mine = self.request(ME, GROUP);
            self.refused("wrong role", &token, mine, Code::PermissionDenied, "ROLE_MISSING").await;
        }
        if named.iter().any(|scope| scope.kind() == ScopeKind::Group) {
            self.divisions(caller).await;
        }
    }

    /// With each role in a division of the group that the request names, and with none in the group.
    async fn divisions(&mut self, caller: &Caller) {
        let rule = self.method.access.scopes.iter().find(|scope| scope.kind() == ScopeKind::Division).cloned();
        for role in ScopeKind::Division.roles() {
            let division = Scope::new(ScopeKind::Division, OTHER, &[role]).within(GROUP);
            let token = self.app.token(&Caller { scopes: [division].into_iter().collect(), ..caller.clone() });
            let mine = self.request(ME, GROUP);
            if rule.as_ref().is_some_and(|rule| rule.roles.iter().any(|one| one == role)) {
                self.admitted("a role in a division", &token, mine).await;
            } else {
                self.refused("wrong role in a division", &token, mine, Code::PermissionDenied, "ROLE_MISSING").await;
            }
        }
    }

    async fn impersonating(&mut self, caller: Caller, mine: Vec<u8>) {
        let as_somebody = |may_write| Caller {
            actor: Some(Impersonator { identity: OTHER.to_owned(), may_write, ..Impersonator::default() }),
            ..caller.clone()
        };
        let reader = self.app.token(&as_somebody(false));
        let allowed = match self.method.access.impersonation() {
            Impersonation::Deny => false,
            Impersonation::Allow => true,
            Impersonation::Notify | Impersonation::Unspecified => self.method.reads(),
        };
        if allowed {
            self.admitted("impersonating", &reader, mine).await;
        } else {
            self.refused("impersonating", &reader, mine, Code::PermissionDenied, "IMPERSONATION_DENIED").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_admits_whom_the_contract_admits_and_nobody_else() {
    let app = TestApp::start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let (mut calls, mut checks, mut wrong) = (0, 0, Vec::new());
    for (service, method) in contract.methods() {
        let mut row = Row { app: &app, service, method, checks: 0, wrong: Vec::new() };
        row.tokens().await;
        row.realms().await;
        row.proofs().await;
        calls += 1;
        checks += row.checks;
        wrong.append(&mut row.wrong);
    }
    println!("{calls} calls, {checks} checks");
    assert!(wrong.is_empty(), "{} of {checks} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(calls > 100, "only {calls} calls were found");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_another_member_does_not_exist() {
    let app = TestApp::start().await.unwrap();
    let owner = app.rest(&TestApp::member(ME));
    let created = owner
        .post(
            &format!("/v1/identities/{ME}/paymentMethods"),
            serde_json::json!({"type": "CREDIT_CARD", "vendor": "TEST"}),
        )
        .await;
    // Another member gets the same answer about an existing entity as about a missing one.
    let id = created.json["id"].as_str().unwrap_or(OTHER).to_owned();
    let stranger = app.rest(&TestApp::member(OTHER));
    let exists = stranger.get(&format!("/v1/identities/{OTHER}/paymentMethods/{id}")).await;
    let missing = stranger.get(&format!("/v1/identities/{OTHER}/paymentMethods/{GROUP}")).await;
    assert_eq!((exists.status, exists.reason()), (missing.status, missing.reason()));
    assert_eq!(exists.reason(), "NOT_FOUND");
    app.finish().await;
}

/// Entities with which somebody signs in, or which say what they may do.
const CREDENTIALS: [&str; 8] =
    ["Identity", "Credential", "Factor", "FactorSet", "Passkey", "Application", "SigningKey", "Jwt"];

/// The calls of people that write such an entity without a fresh proof, and why.
const WITHOUT_PROOF: [(&str, &str); 13] = [
    ("UpdatePassword", "asks for the password itself"),
    ("AddClassicId", "is no sign-in name"),
    ("RemoveClassicId", "is no sign-in name"),
    ("UpdateReferrer", "is no sign-in name"),
    ("UpdateSettings", "has a language, too; a change of the second factor needs the proof"),
    ("ProveEmail", "asks for the code that the address got"),
    ("SendFactorCode", "comes before a proof"),
    ("ValidateFactor", "is a proof"),
    ("UpdateFactorName", "is a label"),
    ("UpdatePasskeyName", "is a label"),
    ("UpdateApplicationName", "is a label"),
    ("UpdateApplicationExternal", "is a label"),
    ("CreateIdentity", "is public, and a grant in it is bounded by the caller's own rights"),
];

#[tokio::test]
async fn every_change_of_a_sign_in_by_a_person_needs_a_fresh_proof() {
    let app = TestApp::start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let mut wrong = Vec::new();
    for (service, method) in contract.methods().filter(|(service, _)| service.domain == "identity") {
        let about = method.about();
        let of_sign_in = CREDENTIALS.contains(&about.rsplit('.').next().unwrap_or_default());
        let by_people = method.access.realms().any(|realm| realm != Realm::Machine);
        let name = method.descriptor.name();
        let excepted = WITHOUT_PROOF.iter().any(|(rpc, _)| *rpc == name);
        if of_sign_in && by_people && !method.reads() && method.access.fresh_proof == excepted {
            wrong.push(format!("{}.{name}", service.name));
        }
    }
    assert!(wrong.is_empty(), "say fresh_proof, or name it in WITHOUT_PROOF with a reason: {wrong:?}");
    app.finish().await;
}
