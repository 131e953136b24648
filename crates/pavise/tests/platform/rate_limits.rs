//! The rate limits of calls, made from the contract: each call with one is admitted as often as it says, and then refused.
//! Time stands still, so that nothing is given back.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::time::Duration;

use http::{HeaderValue, Request};
use pavise_contract::options::v1::{RateLimitScope, Realm};
use pavise_contract::{Contract, Method, Service};
use pavise_identity::contract::v1::{CheckIdentityExistsRequest, CreateInvitationRequest, Invitee, ResourceType};
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::token::issue_token;
use pavise_kernel::{Caller, Scope};
use pavise_orders::contract::v1::{CreateAnonymousOrderRequest, OrderChannel, OrderDraft};
use pavise_testapp::{Engine, TestApp, bare};
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, ReflectMessage as _, Value};
use serde_json::json;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use tower::ServiceExt as _;

const ME: &str = "01900000-0000-7000-8000-0000000000aa";
const GROUP: &str = "01900000-0000-7000-8000-0000000000cc";
/// Calls that the test makes itself at most; the others are only counted.
const MADE: u32 = 25;

/// A caller whom the rule admits in a realm.
fn right(method: &Method, realm: Realm) -> Caller {
    let named = method.access.scopes.iter().filter(|scope| scope.kind().realm() == realm);
    let role = |said: &[String], known: &'static [&'static str]| {
        said.first().map(String::as_str).or(known.first().copied()).unwrap_or_default().to_owned()
    };
    let scopes = named.map(|scope| Scope::new(scope.kind(), GROUP, &[&role(&scope.roles, scope.kind().roles())]));
    let caller = match realm {
        Realm::User => TestApp::member(ME),
        Realm::GroupAdmin => TestApp::group_admin(ME, &[]),
        other => TestApp::with_permissions(other, ME, &[method.access.permission.as_str()]),
    };
    Caller { scopes: scopes.collect(), ..caller }
}

/// A request that names the owner, the scopes and the recipient, and is refused for whatever else it lacks.
fn request(method: &Method) -> Vec<u8> {
    let mut message = DynamicMessage::new(method.descriptor.input());
    let scopes = method.access.scopes.iter().map(|scope| (scope.field.as_str(), GROUP));
    for (field, value) in scopes.chain([(method.access.owner.as_str(), ME)]).filter(|(field, _)| !field.is_empty()) {
        message.set_field_by_name(field, Value::String(value.to_owned()));
    }
    if let Some(path) = method.sends.as_ref().and_then(|sends| sends.to.first()) {
        set(&mut message, path);
    }
    message.encode_to_vec()
}

fn set(message: &mut DynamicMessage, path: &str) {
    let (outer, inner) = path.split_once('.').unwrap_or((path, ""));
    let field = message.descriptor().get_field_by_name(outer).unwrap();
    let value = match field.kind() {
        Kind::Message(descriptor) => {
            let mut within = DynamicMessage::new(descriptor);
            set(&mut within, inner);
            Value::Message(within)
        }
        _ => Value::String("eve@example.com".to_owned()),
    };
    message.set_field(&field, if field.is_list() { Value::List(vec![value]) } else { value });
}

/// How often a caller of that realm may make the call from one address; `None` is a caller without a token.
fn allowed(method: &Method, realm: Option<Realm>) -> u32 {
    let count = |rate_limit: &pavise_contract::options::v1::RateLimit| {
        let count = u32::try_from(rate_limit.count).unwrap();
        match (rate_limit.per(), realm) {
            (RateLimitScope::Caller, Some(Realm::Machine)) => Some(count * 100),
            (RateLimitScope::Address, Some(Realm::Machine)) => None,
            (RateLimitScope::Owner, None) => None,
            _ => Some(count),
        }
    };
    method.rate_limit.iter().filter_map(count).min().unwrap_or(u32::MAX)
}

fn reason(status: &Status) -> String {
    status.get_error_details().error_info().map(|info| info.reason.clone()).unwrap_or_default()
}

/// Makes the call from one address until it is refused as made too often; how often it was admitted. Of `allowed` calls it
/// makes the last few.
async fn admitted(app: &TestApp, row: (&Service, &Method), caller: &Caller, address: &str, allowed: u32) -> u32 {
    let (service, method) = row;
    let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
    let known = app.app.kernel.methods().iter().find(|known| known.path == path).unwrap();
    let counted = if allowed > MADE { allowed - 2 } else { 0 };
    app.app.kernel.count_calls(known, caller, address, counted);
    // It is not looked for in the logs: there are many.
    let proved = Caller { proved_at: Some(app.now()), ..caller.clone() };
    let issued = issue_token(&proved, Duration::from_secs(3600), app.key(), app.now());
    let token = if caller.is_anonymous() { String::new() } else { issued };
    let request = request(method);
    for made in counted..=allowed + 1 {
        let peers = app.app.kernel.peers();
        let channel = PeerChannel::new(peers, &service.domain, &token, "", None);
        let address = HeaderValue::from_str(address).unwrap();
        let channel = channel.map_request(move |mut request: Request<tonic::body::Body>| {
            request.headers_mut().insert("x-forwarded-for", address.clone());
            request
        });
        let answer = bare::call(channel, &path, request.clone(), &[]).await;
        if let Err(status) = answer
            && reason(&status) == "TOO_MANY_CALLS"
        {
            assert_eq!(status.code(), Code::ResourceExhausted, "{path}");
            assert!(status.get_error_details().retry_info().is_some(), "{path}: when to come back");
            return made;
        }
    }
    allowed + 2
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_with_a_rate_limit_is_refused_after_it() {
    let app = TestApp::on(Engine::Sqlite).still().without_workers().start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (service, method) in contract.methods().filter(|(_, method)| !method.rate_limit.is_empty()) {
        let anonymous = method.access.public.then_some(None);
        let realms = anonymous.into_iter().chain(method.access.realms().map(Some));
        for (number, realm) in realms.enumerate() {
            // Callers of other realms are other callers, and come from elsewhere; owner and recipient are the same.
            let shared = method
                .rate_limit
                .iter()
                .any(|rate_limit| matches!(rate_limit.per(), RateLimitScope::Owner | RateLimitScope::Recipient));
            if number > 0 && (shared || realm != Some(Realm::Machine)) {
                continue;
            }
            let caller = realm.map_or_else(Caller::anonymous, |realm| right(method, realm));
            let expected = allowed(method, realm);
            // Programs have a hundred times as much, which a test of the kernel shows.
            if expected > MADE && realm == Some(Realm::Machine) {
                continue;
            }
            let made = admitted(&app, (service, method), &caller, &format!("192.0.2.{number}"), expected).await;
            checked += 1;
            if made != expected {
                let place = method.descriptor.full_name();
                wrong.push(format!("{place}: {realm:?}: {made} calls admitted, {expected} allowed"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 30, "{checked}");
    app.finish().await;
}

#[test]
fn what_is_open_sends_or_tells_has_its_paces() {
    let pool = pavise::domains::pool(false).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let of = |name: &str| {
        let found = contract.methods().find(|(_, method)| method.descriptor.full_name().ends_with(name));
        let (_, method) = found.unwrap();
        method.rate_limit.iter().map(pavise_contract::options::v1::RateLimit::per).collect::<Vec<_>>()
    };
    for (_, method) in contract.methods() {
        let name = method.descriptor.full_name().to_owned();
        let needed = method.access.public && !method.reads() || method.sends.is_some() || method.tells;
        let has = [RateLimitScope::Caller, RateLimitScope::Address].iter().all(|per| of(&name).contains(per));
        assert!(!needed || has, "{name}");
    }
    let tells = [
        "CheckIdentityExists",
        "CreateIdentity",
        "AddEmail",
        "UpdateEmail",
        "ReplaceAllEmails",
        "AddUsername",
        "UpdateUsername",
        "GetInvitationByVerificationCode",
    ];
    for name in tells {
        let (_, method) = contract.methods().find(|(_, method)| method.descriptor.name() == name).unwrap();
        assert!(method.tells, "{name}");
    }
    let sends = [
        "CreateGroupInvitation",
        "CreateInvitation",
        "UpdateInvitee",
        "ResendInvitation",
        "SendPasswordResetEmail",
        "SendFactorCode",
        "CreateFactor",
        "AddEmail",
    ];
    for name in sends {
        assert!(of(name).contains(&RateLimitScope::Recipient), "{name}");
    }
}

/// Carts, questions and letters were once unlimited for callers who had no other rights than every visitor or member.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_makes_carts_asks_for_names_or_writes_letters_in_great_numbers() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).still().without_workers().start().await.unwrap();
        few_carts(&app).await;
        few_names(&app).await;
        few_letters(&app).await;
        few_over_grpc(&app).await;
        app.finish().await;
    }
}

/// Carts without a token, over REST.
async fn few_carts(app: &TestApp) {
    let cart = |address: &'static str| async move {
        let cart = json!({"channel": "BuyNow", "locality": "TX"});
        app.visitor().with("x-forwarded-for", address).post("/v2/orders", cart).await
    };
    let mut refused = 0;
    for _ in 0..500 {
        refused += usize::from(cart("2001:db8:1:2::9").await.reason() == "TOO_MANY_CALLS");
    }
    assert_eq!(refused, 440);
    let answer = cart("2001:db8:1:2::9").await;
    assert_eq!((answer.status.as_u16(), answer.headers.contains_key("retry-after")), (429, true));
    assert_ne!(cart("2001:db8:1:3::9").await.reason(), "TOO_MANY_CALLS", "a neighbour");
}

/// Questions for names, with a member's token.
async fn few_names(app: &TestApp) {
    let member = app.rest(&TestApp::member(ME)).with("x-forwarded-for", "192.0.2.7");
    let mut answered = 0;
    for number in 0..400 {
        let answer = member.get(&format!("/v1/identityExists?email=somebody{number}@example.com")).await;
        answered += usize::from(answer.status.is_success());
    }
    assert_eq!(answered, 60);
}

/// Letters to one stranger, from several members.
async fn few_letters(app: &TestApp) {
    let (mut sent, mut late) = (0, 0);
    let members = [app.id(), app.id(), app.id()].map(|id| (app.rest(&TestApp::member(&id)), id));
    for number in 0..40 {
        let (member, me) = &members[number % members.len()];
        let member = member.clone().with("x-forwarded-for", &format!("198.51.100.{number}"));
        let email = if number % 2 == 0 { "stranger@example.com" } else { "Stranger+more@Example.com" };
        let invitation = json!({"identityId": me, "invitee": {"email": email, "name": "Eve"}, "resourceType": "ENTITLEMENT", "resourceId": format!("r{number}")});
        let answer = member.post("/v1/invitations", invitation).await;
        late += usize::from(answer.reason() == "TOO_MANY_CALLS");
        sent += usize::from(answer.reason() != "TOO_MANY_CALLS");
    }
    assert_eq!((sent, late), (10, 30));
}

/// The same calls over gRPC, which are counted together with those over REST.
async fn few_over_grpc(app: &TestApp) {
    let (mut carts, mut names, mut letters) = (0, 0, 0);
    let id = app.id();
    let (visitor, member) = (String::new(), app.token(&TestApp::member(&id)));
    for number in 0..100 {
        let draft = OrderDraft { channel: OrderChannel::BuyNow.into(), ..OrderDraft::default() };
        let cart = CreateAnonymousOrderRequest { order: Some(draft) }.encode_to_vec();
        let path = "/pavise.orders.v1.OrderService/CreateAnonymousOrder";
        carts += usize::from(is_admitted(app, &visitor, path, cart, "2001:db8:1:4::9").await);
        let email = format!("nobody{number}@example.com");
        let name = CheckIdentityExistsRequest { email, ..CheckIdentityExistsRequest::default() }.encode_to_vec();
        let path = "/pavise.identity.v1.IdentityService/CheckIdentityExists";
        names += usize::from(is_admitted(app, &member, path, name, "192.0.2.8").await);
        let email = "another@example.com".to_owned();
        let letter = CreateInvitationRequest {
            identity_id: id.clone(),
            invitee: Some(Invitee { name: "Eve".into(), email, ..Invitee::default() }),
            resource_type: ResourceType::Entitlement.into(),
            resource_id: format!("g{number}"),
        };
        let path = "/pavise.identity.v1.InvitationService/CreateInvitation";
        let address = format!("203.0.113.{number}");
        letters += usize::from(is_admitted(app, &member, path, letter.encode_to_vec(), &address).await);
    }
    assert_eq!((carts, names, letters), (60, 60, 10));
    let cart = json!({"channel": "BuyNow", "locality": "TX"});
    let cart = app.visitor().with("x-forwarded-for", "2001:db8:1:4::7").post("/v2/orders", cart).await;
    assert_eq!(cart.reason(), "TOO_MANY_CALLS", "REST and gRPC have one count");
}

/// Whether a gRPC call from an address is admitted by its rate limits.
async fn is_admitted(app: &TestApp, token: &str, path: &str, message: Vec<u8>, address: &str) -> bool {
    let domain = path.trim_start_matches("/pavise.").split('.').next().unwrap();
    let address = HeaderValue::from_str(address).unwrap();
    let channel = PeerChannel::new(app.app.kernel.peers(), domain, token, "", None);
    let channel = channel.map_request(move |mut request: Request<tonic::body::Body>| {
        request.headers_mut().insert("x-forwarded-for", address.clone());
        request
    });
    let answer = bare::call(channel, path, message, &[]).await;
    answer.err().is_none_or(|status| reason(&status) != "TOO_MANY_CALLS")
}
