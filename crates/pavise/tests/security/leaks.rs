//! Random calls of confined callers, compared with an oracle: no answer holds a text of somebody else's, and no call
//! changes an entity of somebody else's. No list counts more entities than the caller may know of.
//!
//! The oracle reads the tables. It knows the rule "one's own, one's scopes, what is shared", and nothing of access
//! rules. `PAVISE_LONG=1` sends 100,000 requests; `PAVISE_SEED=17` repeats a run.

mod answer;
mod knowledge;
mod request;
mod sender;

use std::collections::BTreeSet;

use pavise::demo;
use pavise::settings::{Given, Settings};
use pavise_contract::{Behavior, Contract, Method, Service};
use pavise_kernel::caller::{Impersonator, Realm};
use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Caller, Scope};
use pavise_testapp::TestApp;
use pavise_testkit::chance::SeededRandom;
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, Value};
use serde_json::json;

use knowledge::Knowledge;
use request::Requests;

/// The demonstration's members, whose data the callers look for.
const MEMBERS: u32 = 24;
/// Requests of the short run, and of the long one.
const REQUESTS: [usize; 2] = [8_000, 100_000];
/// A group that no entity belongs to.
const OTHER_GROUP: &str = "01900000-0000-7000-8000-0000000000dd";
/// A branch that no entity belongs to.
const BRANCH: &str = "01900000-0000-7000-8000-0000000000de";

/// A confined caller, with the token.
struct Confined {
    what: &'static str,
    caller: Caller,
    token: String,
}

fn settings() -> Settings {
    Given { key_secret: Some("a secret of this test only".to_owned()), demo_members: Some(MEMBERS), ..Given::default() }
        .decide()
        .unwrap()
}

/// Carts and payment methods that belong to nobody yet.
async fn leave_unowned(app: &TestApp) {
    for number in 0..4 {
        let cart = json!({"channel": "BuyNow", "locality": "TX", "offers": []});
        app.visitor().post("/v2/orders", cart).await;
        let card = json!({
            "type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
            "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099,
                     "holderName": format!("Wenceslaus Quillfeather{number}")},
        });
        app.visitor().post("/v1/paymentMethods", card).await;
    }
}

fn confined(app: &TestApp, known: &Knowledge) -> Vec<Confined> {
    let mut callers = Vec::new();
    let mut add = |what, caller: Caller| {
        let token = if caller.is_anonymous() { String::new() } else { app.token(&caller) };
        callers.push(Confined { what, caller, token });
    };
    for owner in known.owners().iter().take(8) {
        add("member", TestApp::member(owner));
    }
    for (owner, may_write) in known.owners().iter().skip(1).zip([false, true]) {
        let actor = Impersonator { identity: "staff".to_owned(), may_write, ..Impersonator::default() };
        add("impersonator", Caller { actor: Some(actor), ..TestApp::member(owner) });
    }
    let of_realm = |name: &str| known.identity_of_realm(name).unwrap();
    let (administrator, partner) = (of_realm("GroupAdmin"), of_realm("Partner"));
    add("administrator", TestApp::group_admin(&administrator, &[pavise_catalog::demo::GROUP]));
    let clerk = Scope::new(ScopeKind::Group, pavise_catalog::demo::GROUP, &["CUSTOMER_SERVICE_REPRESENTATIVE"]);
    add("clerk", Caller { scopes: [clerk].into_iter().collect(), ..TestApp::group_admin(&app.id(), &[]) });
    add("other administrator", TestApp::group_admin(&app.id(), &[OTHER_GROUP]));
    let lawyer = [Scope::new(ScopeKind::Branch, BRANCH, &["ADMIN"])].into_iter().collect();
    add("partner", Caller { scopes: lawyer, ..TestApp::with_permissions(Realm::Partner, &partner, &["*"]) });
    add("partner without a scope", TestApp::with_permissions(Realm::Partner, &app.id(), &["*"]));
    add("visitor", Caller::anonymous());
    callers
}

/// Whether the call is asked: one that a caller of a confined realm may make.
fn is_asked(method: &Method) -> bool {
    let confined = [Realm::User, Realm::GroupAdmin, Realm::Partner];
    method.access.public || method.access.realms().any(|realm| confined.contains(&realm))
}

/// How often a call is asked, compared with others. Hashing a password takes long.
fn weight(method: &Method) -> usize {
    let hashes = method.descriptor.input().fields().any(|field| field.name().contains("password"));
    match method.behavior {
        _ if hashes => 1,
        Behavior::Watch(_) => 2,
        _ if method.reads() => 12,
        _ => 6,
    }
}

fn of_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// Has most lists count, with few filters: a list with many filters holds nothing.
fn ask_for_total(method: &Method, request: &mut DynamicMessage, chance: &mut SeededRandom) {
    let Some(show) = method.descriptor.input().get_field_by_name("show_total") else { return };
    if !chance.is_in_percent(70) {
        return;
    }
    for field in method.descriptor.input().fields().filter(|field| field.name() != method.access.owner) {
        if chance.is_in_percent(80) {
            request.clear_field(&field);
        }
    }
    request.set_field(&show, Value::Bool(true));
}

/// Says that a list counts more entities than the caller may know of; `None` if it does not.
async fn too_many(
    app: &TestApp,
    known: &mut Knowledge,
    (method, who): (&Method, &Confined),
    named: &BTreeSet<String>,
    total: usize,
) -> Option<String> {
    let kind = &method.facts.entity;
    if total > known.count_theirs(&who.caller, named, kind) {
        // Workers write at any time.
        known.follow(app, &who.caller).await;
    }
    let theirs = known.count_theirs(&who.caller, named, kind);
    let place = method.descriptor.full_name();
    (total > theirs).then(|| format!("{place} as {} counts {total}, of {theirs}: {named:?}", who.what))
}

/// The lists that members read and that count.
fn counting(contract: &Contract) -> Vec<(&Service, &Method)> {
    let counts = |method: &Method| matches!(&method.behavior, Behavior::List(list) if list.total.is_some());
    let is_of_members = |method: &Method| method.access.realms().any(|realm| realm == Realm::User);
    contract.methods().filter(|(_, method)| counts(method) && is_of_members(method)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_counts_the_members_own_entities_and_no_others() {
    let app = TestApp::start().await.unwrap();
    demo::load(&app.app, &settings()).await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let mut known = Knowledge::read(&app, &contract).await;
    let lists = counting(&contract);
    let is_shared = |method: &Method| {
        contract.aggregates.get(method.facts.entity.as_str()).is_some_and(|aggregate| aggregate.options.shared)
    };
    let (mut wrong, mut counted) = (Vec::new(), BTreeSet::new());
    for owner in known.owners() {
        let member = TestApp::member(&owner);
        for (service, method) in &lists {
            let mut request = DynamicMessage::new(method.descriptor.input());
            request.set_field_by_name(&method.access.owner, Value::String(owner.clone()));
            request.set_field_by_name("show_total", Value::Bool(true));
            request.set_field_by_name("page_size", Value::I32(1));
            let (place, kind) = (method.descriptor.full_name(), &method.facts.entity);
            // Workers write at any time, so the count lies between those before and after it.
            known.follow(&app, &member).await;
            // Shared entities are the same for everybody who may see them.
            let count = |known: &Knowledge| match is_shared(method) {
                true => known.count_theirs(&member, &BTreeSet::new(), kind),
                false => known.count_owned(&owner, kind),
            };
            let before = count(&known);
            let answer = sender::send(&app, service, method, &app.token(&member), request.encode_to_vec()).await;
            assert!(answer.status.is_none(), "{place}: {answer:?}");
            known.follow(&app, &member).await;
            let after = count(&known);
            let total = answer::total(method, &answer).unwrap_or_default();
            if !(before..=after).contains(&total) {
                wrong.push(format!("{place} counts {total} for {owner}, who has {before} to {after}"));
            }
            if total > 0 {
                counted.insert(place.to_owned());
            }
        }
    }
    println!("{} of {} lists counted something: {counted:#?}", counted.len(), lists.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counted.len() > 3, "{counted:?}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_confined_caller_learns_or_changes_what_is_not_theirs() {
    let app = TestApp::start().await.unwrap();
    demo::load(&app.app, &settings()).await.unwrap();
    leave_unowned(&app).await;
    let contract = Contract::read(&app.app.pool).unwrap();
    let mut known = Knowledge::read(&app, &contract).await;
    let callers = confined(&app, &known);
    let calls: Vec<(&Service, &Method)> = contract
        .methods()
        .filter(|(_, method)| is_asked(method))
        .flat_map(|call| std::iter::repeat_n(call, weight(call.1)))
        .collect();
    let long = usize::from(std::env::var_os("PAVISE_LONG").is_some());
    let count = of_environment("PAVISE_REQUESTS").unwrap_or(REQUESTS[long]);
    let seed = of_environment("PAVISE_SEED").unwrap_or(20_261_123);
    println!("seed {seed}: {count} requests of {} callers to {} calls", callers.len(), calls.len());
    let mut chance = SeededRandom::new(seed);
    let mut requests = Requests::of(&known);
    let (mut answered, mut written, mut counted, mut leaks) = (0_usize, 0_usize, 0_usize, Vec::new());
    for _ in 0..count {
        let (service, method) = *chance.pick_one(&calls);
        let who = chance.pick_one(&callers);
        let mut request = requests.make(method, &who.caller, &known, &mut chance);
        ask_for_total(method, &mut request, &mut chance);
        let answer = sender::send(&app, service, method, &who.token, request.encode_to_vec()).await;
        let texts = answer::texts(method, &answer);
        requests.learn(&answer::tokens(method, &answer));
        let named = answer::texts_of(&request);
        if answer.status.is_none() {
            answered += 1;
            if !method.reads() {
                let changes = known.follow(&app, &who.caller).await;
                written += usize::from(!changes.is_empty());
                leaks.extend(known.foreign_changes(&who.caller, &named, &changes).into_iter().map(|entity| {
                    format!("{} as {} changed {entity}: {request}", method.descriptor.full_name(), who.what)
                }));
            }
        }
        leaks.extend(known.foreign_texts(&who.caller, &named, &texts).into_iter().map(|(text, place)| {
            format!("{} as {} told {text:?} of {place}: {request}", method.descriptor.full_name(), who.what)
        }));
        if let Some(total) = answer::total(method, &answer) {
            counted += 1;
            leaks.extend(too_many(&app, &mut known, (method, who), &named, total).await);
        }
        if leaks.len() >= 20 {
            break;
        }
    }
    println!("{answered} were answered, {written} of them wrote, {counted} counted; {} leaks", leaks.len());
    assert!(leaks.is_empty(), "{} leaks, seed {seed}:\n{}", leaks.len(), leaks.join("\n"));
    assert!(counted > count / 1_000, "{counted} lists of {count} counted");
    assert!(answered > count / 20 && written > count / 500, "{answered} answers and {written} writes of {count}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oracle_sees_a_leak() {
    let app = TestApp::start().await.unwrap();
    demo::load(&app.app, &settings()).await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let known = Knowledge::read(&app, &contract).await;
    let (service, method) = contract.methods().find(|(_, method)| method.descriptor.name() == "ListOrders").unwrap();
    let owners = known.owners();
    let token = app.token(&TestApp::staff());
    let (mut buyer, mut named, mut texts) = (None, Default::default(), Default::default());
    // Some owners have no orders.
    for (place, owner) in owners.iter().enumerate() {
        let mut request = DynamicMessage::new(method.descriptor.input());
        request.set_field_by_name("identity_id", Value::String(owner.clone()));
        let answer = sender::send(&app, service, method, &token, request.encode_to_vec()).await;
        texts = answer::texts(method, &answer);
        named = answer::texts_of(&request);
        if !texts.is_empty() {
            buyer = Some(place);
            break;
        }
    }
    let buyer = buyer.unwrap();
    let other = owners.iter().position(|owner| *owner != owners[buyer]).unwrap();
    // Staff's answer is a leak for another member, and none for the owner.
    assert!(!known.foreign_texts(&TestApp::member(&owners[other]), &named, &texts).is_empty());
    assert!(known.foreign_texts(&TestApp::member(&owners[buyer]), &named, &texts).is_empty());
    app.finish().await;
}
