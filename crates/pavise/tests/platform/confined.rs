//! Partners and administrators of groups: what is their own needs no permission, and what is others' stays closed. Over
//! REST and gRPC, on both engines.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::{Duration, Instant};

use pavise::wire::{Answer, Client, Failure, Surface};
use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::{Domain, Kernel};
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use pavise_transcode::Transcoder;
use serde_json::{Value, json};

use crate::employer::open_group;
use crate::identity::invitations::code_for;

const PASSWORD: &str = "correct horse battery";
const SURFACES: [Surface; 2] = [Surface::Rest, Surface::Grpc];
const NOBODY: &str = "01900000-0000-7000-8000-00000000dead";

struct Stage<'a> {
    app: &'a TestApp,
    visitor: Client,
    staff: Client,
    surface: Surface,
}

impl<'a> Stage<'a> {
    fn new(platform: &'a Platform, surface: Surface) -> Self {
        let app = platform.app();
        let address = platform.addresses().first().copied().unwrap();
        let visitor = Client::new(address, surface, &app.app.pool).unwrap();
        let staff = visitor.with_token(&app.token(&TestApp::staff()));
        Self { app, visitor, staff, surface }
    }

    /// A new identity that signs in by its name.
    async fn person(&self, realm: &str, word: &str, more: Value) -> (String, Client) {
        let name = format!("{word}-{:?}-{}", self.surface, self.app.id());
        let mut asked = json!({"realm": realm, "usernames": [name], "password": PASSWORD});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = self
            .visitor
            .with_token(&self.app.token(&TestApp::machine()))
            .call("identities.CreateIdentity", asked)
            .await
            .unwrap();
        let opened = self.visitor.call("identities.CreateToken", json!({"username": name, "password": PASSWORD})).await;
        let token = text(&opened.unwrap().json, "accessToken");
        (text(&made.json, "id"), self.visitor.with_token(&token))
    }
}

fn text(message: &Value, field: &str) -> String {
    message.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The reason and the message of a refusal.
fn refusal(answer: Result<Answer, Failure>) -> (String, String) {
    match answer {
        Err(Failure::Refused(refusal)) => (refusal.reason, refusal.message),
        Ok(answer) => (String::new(), answer.json.to_string()),
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}

async fn run(engine: Engine) {
    let platform = Platform::start(engine, Cut::Whole).await.unwrap();
    for surface in SURFACES {
        let stage = Stage::new(&platform, surface);
        own(&stage).await;
        others(&stage).await;
        group(&stage).await;
    }
    platform.finish().await;
}

/// Nobody needs a permission for their own identity, settings, names, factors and sessions.
async fn own(stage: &Stage<'_>) {
    for realm in ["User", "Internal", "Partner", "GroupAdmin"] {
        let (id, own) = stage.person(realm, "own", json!({})).await;
        let other_name = format!("other-{}", stage.app.id());
        for (call, more) in [
            ("identities.GetIdentity", json!({})),
            ("identities.GetSettings", json!({})),
            ("identities.UpdateSettings", json!({"settings": {"locale": "fr-CA"}})),
            ("identities.AddUsername", json!({"username": other_name})),
            ("identities.RemoveUsername", json!({"username": other_name})),
            ("factors.ListFactors", json!({})),
            ("factors.ListPasskeys", json!({})),
            ("factors.GetRecoveryCodes", json!({})),
            ("factors.CreateFactor", json!({"type": "GOOGLE"})),
            ("sessions.ListSessions", json!({})),
            ("sessions.RevokeAllSessions", json!({"exceptCurrent": true})),
            ("application_settings.CreateApplicationSetting", json!({"applicationName": "console", "name": "view"})),
            ("application_settings.ListApplicationSettings", json!({})),
            ("user_state.CreateUserState", json!({"application": "All"})),
            ("user_state.ListUserStates", json!({})),
        ] {
            let answer = own.call(call, about(&id, &more)).await;
            assert!(answer.is_ok(), "{realm} over {:?}: {call}: {answer:?}", stage.surface);
        }
        kept(stage, realm, &id, &own).await;
        let password = json!({"userId": id, "oldPassword": PASSWORD, "newPassword": "five gulls over the pier"});
        let changed = refusal(own.call("identities.UpdatePassword", password).await);
        assert!(changed.0 != "PERMISSION_MISSING" && changed.0 != "REALM_NOT_ALLOWED", "{realm}: {changed:?}");
    }
}

/// A request about an identity.
fn about(id: &str, more: &Value) -> Value {
    let mut asked = json!({"identityId": id});
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked
}

/// People read, change and remove their settings and states in the applications. To share a setting with all staff, or
/// to give a state away, they need the permission.
async fn kept(stage: &Stage<'_>, realm: &str, id: &str, own: &Client) {
    let list = own.call("application_settings.ListApplicationSettings", about(id, &json!({}))).await.unwrap().json;
    let setting = text(list.pointer("/applicationSettings/0").unwrap(), "id");
    let list = own.call("user_state.ListUserStates", about(id, &json!({}))).await.unwrap().json;
    let state = text(list.pointer("/userStates/0").unwrap(), "id");
    for (call, more) in [
        ("application_settings.ShareApplicationSetting", json!({"applicationSettingId": setting, "shared": true})),
        ("user_state.ChangeUserStateOwner", json!({"userStateId": state, "newOwnerId": NOBODY})),
    ] {
        let (reason, _) = refusal(own.call(call, about(id, &more)).await);
        let expected = if realm == "Internal" { "PERMISSION_MISSING" } else { "REALM_NOT_ALLOWED" };
        assert_eq!(reason, expected, "{realm} over {:?}: {call}", stage.surface);
    }
    let renamed = json!({"applicationSettingId": setting, "applicationName": "console", "name": "renamed"});
    for (call, more) in [
        ("application_settings.GetApplicationSetting", json!({"applicationSettingId": setting})),
        ("application_settings.UpdateApplicationSetting", renamed),
        ("application_settings.DeleteApplicationSetting", json!({"applicationSettingId": setting})),
        ("user_state.GetUserState", json!({"userStateId": state})),
        ("user_state.UpdateChatVersion", json!({"userStateId": state, "chatVersion": "2"})),
        ("user_state.DeleteUserState", json!({"userStateId": state})),
    ] {
        let answer = own.call(call, about(id, &more)).await;
        assert!(answer.is_ok(), "{realm} over {:?}: {call}: {answer:?}", stage.surface);
    }
}

/// With the permissions that staff have, neither reads or writes what belongs to staff, or to each other.
async fn others(stage: &Stage<'_>) {
    let permissions = json!({"permissions": [{"application": "pavise", "permissions": ["identity.*"]}]});
    let (max, staff) = stage.person("Internal", "max", permissions.clone()).await;
    let (pat, partner) = stage.person("Partner", "pat", permissions).await;
    let (ann, admin) = stage.person("GroupAdmin", "ann", json!({"groupIds": ["a group"]})).await;
    for (caller, id) in [(&partner, &max), (&partner, &ann), (&admin, &max), (&admin, &pat)] {
        for (call, more) in [
            ("identities.GetIdentity", json!({})),
            ("identities.GetSettings", json!({})),
            ("identities.AddUsername", json!({"username": "stolen.name"})),
            ("identities.UpdateSettings", json!({"settings": {"locale": "es-US"}})),
            ("factors.ListFactors", json!({})),
            ("factors.GetRecoveryCodes", json!({})),
            ("factors.UpdateFactorName", json!({"factorId": NOBODY, "name": "mine"})),
            ("sessions.ListSessions", json!({})),
            ("application_settings.ListApplicationSettings", json!({})),
            ("application_settings.CreateApplicationSetting", json!({"applicationName": "console", "name": "view"})),
            ("application_settings.DeleteApplicationSetting", json!({"applicationSettingId": NOBODY})),
            ("user_state.ListUserStates", json!({})),
            ("user_state.CreateUserState", json!({"application": "All"})),
            ("user_state.DeleteUserState", json!({"userStateId": NOBODY})),
        ] {
            let (reason, _) = refusal(caller.call(call, about(id, &more)).await);
            assert_eq!(reason, "NOT_THE_OWNER", "{call} over {:?}", stage.surface);
        }
        assert_eq!(titled(caller, id).await, 0, "a title of another");
    }
    assert_eq!(titled(&partner, &pat).await, 1);
    let (_, plain) = stage.person("Internal", "plain", json!({})).await;
    for call in ["application_settings.ListApplicationSettings", "user_state.ListUserStates"] {
        let (reason, _) = refusal(plain.call(call, about(&ann, &json!({}))).await);
        assert_eq!(reason, "PERMISSION_MISSING", "{call} by staff without the permission");
        staff.call(call, about(&ann, &json!({}))).await.unwrap();
    }
    for id in [&max, &pat, &ann] {
        let answer = staff.call("identities.GetIdentity", json!({"identityId": id})).await;
        assert!(answer.is_ok(), "staff with the permission read {id}: {answer:?}");
    }
}

/// The number of titles that a caller gets of an identity.
async fn titled(caller: &Client, id: &str) -> usize {
    let asked = json!({"references": [{"type": "Identity", "id": id}]});
    let answer = caller.call("identity_titles.GetTitles", asked).await.unwrap().json;
    answer.get("titles").and_then(Value::as_array).map_or(0, Vec::len)
}

/// An administrator acts for those who belong to the group, and for nobody else, existing or not.
async fn group(stage: &Stage<'_>) {
    let group = format!("group-{}", stage.app.id());
    let (boss, admin) = stage.person("GroupAdmin", "boss", json!({"groupIds": [group]})).await;
    open_group(stage.app, &stage.staff, &group).await;
    let (employee, invited) = stage.person("User", "employee", json!({})).await;
    let (stranger, _) = stage.person("User", "stranger", json!({})).await;
    let method = json!({"type": "PREMIUM_BILLING"});
    let offer = json!({"brand": "pavise", "offerId": NOBODY, "selections": [{"productId": NOBODY, "tierId": "x"}]});
    let order = json!({"channel": "GroupSites", "locality": "TX", "offers": [offer]});
    let acts = |identity: &str| {
        let both = json!({"groupId": group, "identityId": identity});
        let with = |more: Value| {
            let mut asked = both.clone();
            asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            asked
        };
        [
            ("payment_methods.CreateGroupPaymentMethod", with(json!({"paymentMethod": method}))),
            ("orders.CreateGroupOrder", with(json!({"order": order}))),
            ("orders.PurchaseOrder", with(json!({"orderId": NOBODY, "paymentMethodId": NOBODY}))),
        ]
    };
    for ((call, about), (_, missing)) in acts(&stranger).into_iter().zip(acts(NOBODY)) {
        let exists = refusal(admin.call(call, about).await);
        let nobody = refusal(admin.call(call, missing.clone()).await);
        assert_eq!(exists.0, "NOT_TIED", "{call} over {:?}: {exists:?}", stage.surface);
        assert_eq!(exists, nobody, "{call} tells who exists");
        let by_staff = refusal(stage.staff.call(call, missing).await);
        assert_eq!(by_staff.0, "NOT_TIED", "{call} by staff for nobody");
    }
    for (call, about) in acts(&employee) {
        assert_eq!(refusal(admin.call(call, about).await).0, "NOT_TIED", "{call} before the invitation");
    }
    let address = format!("employee-{}@example.com", stage.app.id());
    let invitee = json!({"name": "Emma Example", "email": address});
    let invite = json!({"groupId": group, "identityId": boss, "invitee": invitee});
    let sent = admin.call("invitations.CreateGroupInvitation", invite).await.unwrap().json;
    let code = code_for(stage.app, &address).await;
    let accept = json!({"invitationId": text(&sent, "id"), "code": code});
    invited.call("invitations.AcceptInvitation", accept).await.unwrap();
    for (call, about) in acts(&employee) {
        let (reason, why) = refusal(admin.call(call, about).await);
        assert!(!["NOT_TIED", "NOT_THE_OWNER"].contains(&reason.as_str()), "{call}: {reason}: {why}");
    }
    let rename = json!({"identityId": stranger, "displayName": "Somebody Else"});
    // The call has no REST path.
    if stage.surface == Surface::Grpc {
        assert_eq!(refusal(admin.call("identities.SetDisplayName", rename).await).0, "REALM_NOT_ALLOWED");
    }
    let seen = stage.staff.call("identities.GetIdentity", json!({"identityId": stranger})).await.unwrap().json;
    assert_eq!(text(&seen, "displayName"), "");
}

/// A domain that forgot its keeper of ties.
#[derive(Debug)]
struct WithoutBackend(&'static DomainContract);

impl Domain for WithoutBackend {
    fn declared(&self) -> &'static DomainContract {
        self.0
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_with_ties_does_not_start_without_their_backend() {
    let app = TestApp::start().await.unwrap();
    for domain in pavise::domains::named(&pavise::domains::every()) {
        let store = app.app.kernel.store().clone();
        let kernel = Kernel::builder(store, Transcoder::new(&app.app.pool)).build();
        let built = WithoutBackend(domain.declared()).build(&kernel, &Settings::default());
        assert_eq!(built.is_err(), domain.declared().ties, "{}", domain.declared().name);
    }
    assert!(pavise::domains::named(&["orders".to_owned()]).all(|domain| domain.declared().ties));
    app.finish().await;
}

/// A role that the group takes away is gone within seconds: of an open stream, too, in one process and in two. On a machine
/// with nothing else to do it takes one at most.
#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_a_group_takes_away_is_gone_within_seconds() {
    for cut in [Cut::Whole, Cut::Split] {
        let platform = Platform::start(Engine::Sqlite, cut).await.unwrap();
        let stage = Stage::new(&platform, Surface::Grpc);
        let group = format!("group-{}", stage.app.id());
        open_group(stage.app, &stage.staff, &group).await;
        let program = stage.visitor.with_token(&stage.app.token(&TestApp::machine()));
        let name = format!("service-{}", stage.app.id());
        let asked = json!({"realm": "GroupAdmin", "usernames": [name], "password": PASSWORD});
        let made = program.call("identities.CreateIdentity", asked).await.unwrap().json;
        let csr = json!({"identityId": made["id"], "type": "CUSTOMER_SERVICE_REPRESENTATIVE"});
        let added = json!({"groupId": group, "authorizedIdentities": [csr]});
        let added = program.call("groups.AddAuthorizedIdentities", added).await.unwrap().json;
        let (sign_in, watch) = (json!({"username": name, "password": PASSWORD}), json!({"groupId": group}));
        let service = stage
            .app
            .eventually("the role", || async {
                let opened = stage.visitor.call("identities.CreateToken", sign_in.clone()).await.unwrap();
                let service = stage.visitor.with_token(&text(&opened.json, "accessToken"));
                service.call("groups.GetGroup", watch.clone()).await.is_ok().then_some(service)
            })
            .await;
        let mut messages = service.open("orders.WatchGroupOrders", watch.clone()).await.unwrap();
        let role = text(&added["authorizedIdentities"][0], "id");
        let taken = json!({"groupId": group, "ids": [role]});
        program.call("groups.RemoveAuthorizedIdentities", taken).await.unwrap();
        let began = Instant::now();
        let end = tokio::time::timeout(Duration::from_secs(30), messages.next()).await.unwrap();
        match end {
            Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "TOKEN_EXPIRED", "{refusal}"),
            other => panic!("{cut:?}: {other:?}"),
        }
        assert_eq!(refusal(service.call("groups.GetGroup", watch).await).0, "TOKEN_EXPIRED");
        let after = began.elapsed();
        println!("{cut:?}: the role was gone after {after:?}");
        assert!(after < Duration::from_secs(20), "{cut:?}: {after:?}");
        drop(messages);
        platform.finish().await;
    }
}
