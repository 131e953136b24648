//! A household over REST, gRPC and gRPC-web, on both engines. A plan is bought for two, a person is invited, a child is
//! added, and the plan is ended, kept, and over in the end. Covered persons see their cover and nothing else of the
//! holder's.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::{Value, json};

const END: &str = "subscriptions.EndSubscription";

struct House<'a> {
    platform: &'a Platform,
    surface: Surface,
    staff: Client,
}

/// Somebody who signs in.
struct Person {
    id: String,
    email: String,
    client: Client,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

async fn bad(client: &Client, name: &str, request: Value, reason: &str) {
    match client.call(name, request.clone()).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, reason, "{name}: {refusal}\n{request}"),
        other => panic!("{name}: expected {reason}, got {other:?}\n{request}"),
    }
}

impl House<'_> {
    async fn person(&self, name: &str) -> Person {
        let email = format!("{name}-{:?}@example.com", self.surface).to_lowercase();
        let wanted = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
        let machine = self.staff.with_token(&self.platform.app().token(&TestApp::machine()));
        let id = text(&good(&machine, "identities.CreateIdentity", wanted).await["id"]);
        let client = self.staff.with_token(&self.platform.app().token(&TestApp::member(&id)));
        Person { id, email, client }
    }

    /// Buys the legal plan for a family: the holder, and Charles, who has no account.
    async fn plan(&self, holder: &Person) -> Value {
        let me = &holder.id;
        let order = json!({"channel": "BuyNow", "locality": "TX",
            "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}],
            "personalInfo": {"firstName": "Ada", "lastName": "Example", "email": holder.email},
            "authorizedUsers": [{"firstName": "Charles", "lastName": "Example", "type": "SPOUSE"}]});
        let order = good(&holder.client, "orders.CreateOrder", json!({"identityId": me, "order": order})).await;
        let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
            "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}});
        let add = json!({"identityId": me, "paymentMethod": card});
        let card = good(&holder.client, "payment_methods.CreatePaymentMethod", add).await;
        let buy = json!({"identityId": me, "orderId": order["id"], "paymentMethodId": card["id"]});
        good(&holder.client, "orders.PurchaseOrder", buy).await;
        let find = json!({"identityId": me, "orderId": order["id"]});
        let done = || async {
            let order = good(&holder.client, "orders.GetOrder", find.clone()).await;
            (order["status"] == "PROVISIONED").then_some(())
        };
        self.platform.app().eventually("the plan is set up", done).await;
        let plans = good(&holder.client, "entitlements.ListEntitlements", json!({"identityId": me})).await;
        plans["entitlements"][0].clone()
    }

    /// The code in the letter to an address, once it is there.
    async fn code(&self, address: &str) -> String {
        let app = self.platform.app();
        let letter = || {
            let message = app.mailbox.of(address).pop();
            let word = |word: &&str| word.len() == 32 && word.matches('-').count() == 6;
            let code = message.and_then(|message| message.text.split_whitespace().find(word).map(str::to_owned));
            async move { code }
        };
        app.eventually("an invitation with a code", letter).await
    }
}

async fn coverages(person: &Person) -> Vec<Value> {
    let answer = good(&person.client, "entitlements.ListCoverages", json!({"identityId": person.id})).await;
    answer["coverages"].as_array().unwrap().clone()
}

/// A person is invited in a role, accepts, and is covered in that role.
async fn invited(house: &House<'_>, holder: &Person, guest: &Person, plan: &Value) {
    let invitee = json!({"name": "Grace Example", "email": guest.email, "relationType": "DEPENDENT"});
    let asked =
        json!({"identityId": holder.id, "invitee": invitee, "resourceType": "ENTITLEMENT", "resourceId": plan["id"]});
    let made = good(&holder.client, "invitations.CreateInvitation", asked.clone()).await;
    assert_eq!(made["invitee"]["relationType"], "DEPENDENT");
    let mut wrong = asked;
    wrong["invitee"]["relationType"] = json!(99);
    assert!(holder.client.call("invitations.CreateInvitation", wrong).await.is_err(), "a relation that is none");
    let code = house.code(&guest.email).await;
    let told = good(&guest.client, "invitations.GetInvitationByVerificationCode", json!({"code": code})).await;
    assert_eq!(told["relationType"], "DEPENDENT", "{told}");
    let accept = |born: &str| json!({"invitationId": made["id"], "code": code, "birthDate": born});
    let unborn = guest.client.call("invitations.AcceptInvitation", accept("2099-01-01")).await;
    assert!(unborn.is_err(), "no day of the past");
    // The plan covers dependents to an age.
    let accept = accept("2010-05-05");
    let accepted = good(&guest.client, "invitations.AcceptInvitation", accept).await;
    let covered = async || {
        let mut seen = coverages(guest).await;
        seen.pop().map(|coverage| text(&coverage["relationType"]))
    };
    assert_eq!(house.platform.app().eventually("whoever accepts is covered", covered).await, "DEPENDENT");
    let person =
        json!({"id": accepted["acceptedById"], "permissionType": accepted["invitee"]["relationType"], "name": "Grace"});
    let add = json!({"identityId": holder.id, "entitlementId": plan["id"], "authorizedUsers": [person]});
    bad(&guest.client, "entitlements.AddAuthorizedUsers", add.clone(), "NOT_THE_OWNER").await;
    good(&holder.client, "entitlements.AddAuthorizedUsers", add).await;
}

/// A covered person sees the kind and holder of the cover, and no data of the holder's.
async fn covered(holder: &Person, guest: &Person, plan: &Value) {
    let mut seen = coverages(guest).await;
    assert_eq!(seen.len(), 1, "{seen:?}");
    let seen = seen.remove(0);
    let known = [
        "entitlementId",
        "status",
        "productId",
        "productVersion",
        "tierId",
        "supplementIds",
        "name",
        "family",
        "holderName",
        "relationType",
        "coveredSince",
        "endsOn",
        "friendlyId",
        "serviceArea",
        "fulfillmentStatus",
    ];
    for field in seen.as_object().unwrap().keys() {
        assert!(known.contains(&field.as_str()), "{field} is none of his business: {seen}");
    }
    for (field, value) in
        [("status", "ACTIVE"), ("productId", LEGAL), ("holderName", "Ada Example"), ("relationType", "DEPENDENT")]
    {
        assert_eq!(seen[field], value, "{seen}");
    }
    assert!(seen["coveredSince"].is_string(), "{seen}");
    for secret in ["subscriptionId", "orderId", "provisionId"] {
        assert!(!seen.to_string().contains(&text(&plan[secret])), "{secret} is in {seen}");
    }

    let (mine, hers) = (json!({"identityId": guest.id}), json!({"identityId": holder.id}));
    let with = |owner: &Value, field: &str, value: &Value| {
        let mut request = owner.clone();
        request[field] = value.clone();
        request
    };
    for list in [
        "entitlements.ListEntitlements",
        "entitlements.ListCoverages",
        "subscriptions.ListSubscriptions",
        "invoices.ListInvoices",
        "payment_methods.ListPaymentMethods",
        "orders.ListOrders",
        "provision.ListProvisions",
        "invitations.ListInvitations",
    ] {
        if guest
            .client
            .call(list, hers.clone())
            .await
            .as_ref()
            .is_err_and(|failure| matches!(failure, Failure::Refused(_)))
        {
            continue;
        }
        panic!("{list} shows the holder's");
    }
    for (call, field, id) in [
        ("entitlements.GetEntitlement", "entitlementId", &plan["id"]),
        ("subscriptions.GetSubscription", "subscriptionId", &plan["subscriptionId"]),
        ("orders.GetOrder", "orderId", &plan["orderId"]),
    ] {
        bad(&guest.client, call, with(&hers, field, id), "NOT_THE_OWNER").await;
        bad(&guest.client, call, with(&mine, field, id), "NOT_FOUND").await;
    }
    bad(&guest.client, "provision.GetProvision", json!({"provisionId": plan["provisionId"]}), "NOT_FOUND").await;
    let nobody = holder.client.with_token("");
    bad(&nobody, "entitlements.ListCoverages", mine, "TOKEN_MISSING").await;
}

/// A page asks for the titles of what it refers to. Each reader gets those of records that they may read.
async fn titles(house: &House<'_>, holder: &Person, guest: &Person, plan: &Value) {
    let ask = |kinds: &[(&str, &Value)]| {
        let references: Vec<_> = kinds.iter().map(|(kind, id)| json!({"type": kind, "id": id})).collect();
        json!({"references": references})
    };
    let (order, nobody) = (plan["orderId"].clone(), json!("00000000-0000-7000-8000-000000000000"));
    let orders = ask(&[("Order", &nobody), ("Order", &order), ("Order", &order)]);
    for reader in [&holder.client, &house.staff] {
        let answer = good(reader, "orders_titles.GetTitles", orders.clone()).await;
        assert_eq!(answer["titles"].as_array().unwrap().len(), 1, "{answer}");
        assert_eq!(answer["titles"][0]["reference"]["id"], order, "{answer}");
        let entity = &answer["titles"][0]["entity"];
        assert_eq!((&entity["id"], &entity["ownerId"]), (&order, &json!(holder.id)), "{answer}");
        assert!(!answer.to_string().contains(&holder.email), "a title has no more than it shows: {answer}");
        assert_eq!(answer["notFound"], json!([{"type": "Order", "id": nobody}]), "{answer}");
    }
    let none = good(&guest.client, "orders_titles.GetTitles", orders).await;
    assert_eq!((&none["titles"], none["notFound"].as_array().unwrap().len()), (&json!([]), 2), "{none}");
    let plans = ask(&[("Subscription", &plan["subscriptionId"])]);
    assert_eq!(good(&holder.client, "billing_titles.GetTitles", plans.clone()).await["notFound"], json!([]));
    assert_eq!(good(&guest.client, "billing_titles.GetTitles", plans).await["titles"], json!([]));
    let people = ask(&[("Identity", &json!(holder.id))]);
    let named = || async {
        let answer = good(&house.staff, "identity_titles.GetTitles", people.clone()).await;
        (answer["titles"][0]["entity"]["displayName"] == "Ada Example").then_some(())
    };
    house.platform.app().eventually("people are known by the name on their profile", named).await;
    assert_eq!(good(&guest.client, "identity_titles.GetTitles", people).await["titles"], json!([]));
    let cheese = good(&holder.client, "orders_titles.GetTitles", ask(&[("Cheese", &order)])).await;
    assert_eq!(cheese["notFound"], json!([{"type": "Cheese", "id": order}]), "{cheese}");
    bad(&holder.client, "orders_titles.GetTitles", json!({}), "INVALID_FIELD").await;
    bad(&holder.client.with_token(""), "orders_titles.GetTitles", ask(&[("Order", &order)]), "TOKEN_MISSING").await;
}

/// A child has no account; the plan is full at some time.
async fn child(house: &House<'_>, holder: &Person, plan: &Value) {
    let of = |more: Value| {
        let mut request = json!({"identityId": holder.id, "entitlementId": plan["id"]});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let newcomers =
        |count: usize| json!({"newcomers": vec![json!({"name": "Max Example", "permissionType": "DEPENDENT"}); count]});
    let after = good(
        &holder.client.with("idempotency-key", &format!("max {:?}", house.surface)),
        "entitlements.AddAuthorizedUsers",
        of(newcomers(1)),
    )
    .await;
    let max = after["authorizedUsers"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&max["name"], &max["permissionType"]), (&json!("Max Example"), &json!("DEPENDENT")), "{after}");
    let identity = good(&house.staff, "identities.GetIdentity", json!({"identityId": max["id"]})).await;
    assert_eq!((&identity["realm"], &identity["emails"]), (&json!("User"), &json!([])), "{identity}");
    bad(&holder.client, "entitlements.AddAuthorizedUsers", of(json!({})), "INVALID_FIELD").await;
    bad(&holder.client, "entitlements.AddAuthorizedUsers", of(newcomers(40)), "AUTHORIZED_USERS_EXCEEDED").await;
}

/// The plan is ended, and kept by the person who is to keep it.
async fn ended(house: &House<'_>, holder: &Person, guest: &Person, plan: &Value) {
    let of = |owner: &Person| json!({"identityId": owner.id, "subscriptionId": plan["subscriptionId"]});
    let (end, keep) = ("subscriptions.PendingCancelSubscription", "subscriptions.RemovePendingCancelSubscription");
    let pending = good(&holder.client, end, of(holder)).await;
    assert_eq!(
        (&pending["status"], &pending["cancelReason"]),
        (&json!("PENDING_CANCEL"), &json!("MEMBER_REQUESTED_CANCEL"))
    );
    bad(&guest.client, keep, of(holder), "NOT_THE_OWNER").await;
    bad(&guest.client, keep, of(guest), "NOT_FOUND").await;
    assert_eq!(good(&holder.client, keep, of(holder)).await["status"], "ACTIVE");
    good(&house.staff, end, of(holder)).await;
    bad(&holder.client, keep, of(holder), "SUBSCRIPTION_END_NOT_YOURS").await;
    assert_eq!(good(&house.staff, keep, of(holder)).await["status"], "ACTIVE");
}

/// The plan is ended again and not kept: it is over after the last paid day.
async fn over(house: &House<'_>, holder: &Person, plan: &Value) {
    let subscription = json!({"identityId": holder.id, "subscriptionId": plan["subscriptionId"]});
    let mut paid = subscription.clone();
    paid["paidToDate"] = json!("2020-02-29");
    good(&house.staff, "subscriptions.UpdateSubscriptionPaidToDate", paid).await;
    let ended = good(&holder.client, "subscriptions.PendingCancelSubscription", subscription.clone()).await;
    assert_eq!(ended["dueToEndOn"], "2020-03-01", "{ended}");
    // The worker that checks the days every minute makes this call, too; it has no address.
    let ask = json!({"subscriptionId": plan["subscriptionId"]});
    let machine = house.platform.app().token(&TestApp::machine());
    let platform = Client::new(house.platform.addresses()[0], Surface::Grpc, &house.platform.app().app.pool).unwrap();
    bad(
        &platform.with_token(&house.platform.app().token(&TestApp::member(&holder.id))),
        END,
        ask.clone(),
        "REALM_NOT_ALLOWED",
    )
    .await;
    let done = good(&platform.with_token(&machine), END, ask).await;
    assert_eq!((&done["status"], &done["cancelledOn"]), (&json!("CANCELLED"), &json!("2020-03-01")), "{done}");
    bad(&holder.client, "subscriptions.RemovePendingCancelSubscription", subscription, "STATUS_NOT_ALLOWED").await;
    let find = json!({"identityId": holder.id, "entitlementId": plan["id"]});
    let over = || async {
        let plan = good(&holder.client, "entitlements.GetEntitlement", find.clone()).await;
        (plan["status"] == "CANCELLED").then_some(plan)
    };
    let plan = house.platform.app().eventually("what the subscription paid for is over", over).await;
    assert_eq!((&plan["statusReason"], &plan["endsOn"]), (&json!("MEMBER_REQUEST"), &plan["effectiveOn"]), "{plan}");
}

async fn run(engine: Engine) {
    let platform = Platform::start(engine, Cut::Whole).await.unwrap();
    for surface in Surface::ALL {
        let client = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let staff = client.with_token(&platform.app().token(&TestApp::staff()));
        let house = House { platform: &platform, surface, staff };
        let (holder, guest) = (house.person("ada").await, house.person("grace").await);
        let plan = house.plan(&holder).await;
        assert_eq!(plan["authorizedUsers"][0]["name"], "Charles Example", "{plan}");
        let (begin, _) = holder.email.split_once('@').unwrap();
        let found =
            good(&house.staff, "orders.SearchOrders", json!({"text": begin.to_uppercase(), "status": "PROVISIONED"}))
                .await;
        assert_eq!(found["orders"][0]["id"], plan["orderId"], "{found}");
        bad(&holder.client, "orders.SearchOrders", json!({"text": begin}), "REALM_NOT_ALLOWED").await;
        invited(&house, &holder, &guest, &plan).await;
        covered(&holder, &guest, &plan).await;
        titles(&house, &holder, &guest, &plan).await;
        child(&house, &holder, &plan).await;
        ended(&house, &holder, &guest, &plan).await;
        let remove = json!({"identityId": holder.id, "entitlementId": plan["id"], "personIds": [guest.id]});
        good(&holder.client, "entitlements.RemoveAuthorizedUsers", remove).await;
        assert!(coverages(&guest).await.is_empty(), "who is taken off is covered no more");
        over(&house, &holder, &plan).await;
    }
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}
