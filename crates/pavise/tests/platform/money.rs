//! Nobody pays with what is not theirs, or what nothing owes: over REST, gRPC and gRPC-web, on both engines.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::{BRAND, GROUP, GROUP_US, LEGAL, PERSONAL_US};
use pavise_kernel::time::DAY;
use pavise_testapp::{Cut, Database, Engine, Platform, TestApp};
use serde_json::{Value, json};

use crate::employer::open_group;
use crate::identity::invitations::code_for;

/// The callers of one surface.
struct Shop<'a> {
    platform: &'a Platform,
    visitor: Client,
    staff: Client,
    member: Client,
    me: String,
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

fn card() -> Value {
    json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}})
}

fn draft() -> Value {
    json!({"channel": "BuyNow", "locality": "TX",
        "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}]})
}

impl Shop<'_> {
    /// The member's own card, and one that the group acme added for them.
    async fn cards(&self) -> (Value, Value) {
        let own = json!({"identityId": self.me, "paymentMethod": card()});
        let own = good(&self.member, "payment_methods.CreatePaymentMethod", own).await;
        open_group(self.platform.app(), &self.staff, "acme").await;
        let employers = json!({"groupId": "acme", "identityId": self.me, "paymentMethod": card()});
        let employers = good(&self.staff, "payment_methods.CreateGroupPaymentMethod", employers).await;
        (own["id"].clone(), employers["id"].clone())
    }

    /// A member neither charges a card by themselves nor pays a private invoice with their employer's.
    async fn employers_card(&self) {
        let (own, employers) = self.cards().await;
        let usd = |amount: &str| json!({"currency": "USD", "amount": amount});
        for method in [&own, &employers] {
            let charge = json!({"identityId": self.me, "paymentMethodId": method, "amount": usd("99900")});
            for call in ["CreateCharge", "CreateSale", "CreateAuthorization"] {
                let call = format!("payment_methods.{call}");
                bad(&self.member, &call, charge.clone(), "REALM_NOT_ALLOWED").await;
                bad(&self.staff, &call, charge.clone(), "INVALID_FIELD").await;
            }
        }
        let raise = json!({"identityId": self.me, "currency": "USD",
            "items": [{"type": "ORDER", "amount": usd("700"), "description": "a letter"}]});
        let invoice = good(&self.staff, "invoices.CreateInvoice", raise).await;
        let with =
            |method: &Value| json!({"identityId": self.me, "invoiceId": invoice["id"], "paymentMethodId": method});
        for call in ["invoices.PayInvoice", "invoices.UpdateInvoicePaymentMethod"] {
            bad(&self.member, call, with(&employers), "PAYMENT_METHOD_NOT_CHARGEABLE").await;
        }
        good(&self.member, "invoices.UpdateInvoicePaymentMethod", with(&own)).await;
        let paid = good(&self.member, "invoices.PayInvoice", with(&own)).await;
        assert_eq!(paid["status"], "PAID", "{paid}");
    }

    /// Members do not say who is credited with a sale, or which system bills it.
    async fn credited(&self) {
        let credits = [
            json!({"source": {"name": "site", "associateId": "mallory"}}),
            json!({"classicIds": [{"type": "Member", "value": "1"}]}),
            json!({"billingProvider": "SYSTEM I"}),
            json!({"vendor": "mallory"}),
            json!({"coBrandPartner": "SOFI"}),
            json!({"marketingChannel": "LSA_PLUS"}),
        ];
        for credit in credits {
            let mut order = draft();
            order.as_object_mut().unwrap().extend(credit.as_object().unwrap().clone());
            let request = json!({"identityId": self.me, "order": order});
            bad(&self.member, "orders.CreateOrder", request.clone(), "INVALID_FIELD").await;
            bad(&self.visitor, "orders.CreateAnonymousOrder", json!({"order": order}), "INVALID_FIELD").await;
            good(&self.staff, "orders.CreateOrder", request).await;
        }
        let mut order = draft();
        order["source"] = json!({"name": "site", "campaignId": "spring"});
        let order = good(&self.member, "orders.CreateOrder", json!({"identityId": self.me, "order": order})).await;
        let source = |source: Value| json!({"orderId": order["id"], "source": source});
        let credited = source(json!({"name": "site", "associateId": "mallory"}));
        bad(&self.member, "orders.UpdateSource", credited.clone(), "INVALID_FIELD").await;
        good(&self.member, "orders.UpdateSource", source(json!({"name": "site", "siteName": "ann"}))).await;
        good(&self.staff, "orders.UpdateSource", credited).await;
    }

    /// An order that the classic system bills is set up, and neither charged nor subscribed here.
    async fn billed_elsewhere(&self) {
        let (own, _) = self.cards().await;
        let mut order = draft();
        order["billingProvider"] = json!("SYSTEM I");
        let order = good(&self.staff, "orders.CreateOrder", json!({"identityId": self.me, "order": order})).await;
        let buy = json!({"identityId": self.me, "orderId": order["id"], "paymentMethodId": own});
        good(&self.staff, "orders.PurchaseOrder", buy).await;
        let find = json!({"identityId": self.me, "orderId": order["id"]});
        let done = || async {
            let order = good(&self.member, "orders.GetOrder", find.clone()).await;
            (order["status"] == "PROVISIONED").then_some(order)
        };
        let order = self.platform.app().eventually("the plan is set up", done).await;
        assert!(order.get("invoiceId").is_none_or(|id| id == ""), "{order}");
        let subscriptions = self.subscriptions().await;
        assert!(subscriptions["subscriptions"].as_array().is_none_or(Vec::is_empty), "{subscriptions}");
    }

    async fn subscriptions(&self) -> Value {
        good(&self.member, "subscriptions.ListSubscriptions", json!({"identityId": self.me})).await
    }

    /// Buys an order, and waits until it has that status.
    async fn buy(&self, client: &Client, request: Value, status: &str) {
        good(client, "orders.PurchaseOrder", request.clone()).await;
        let find = json!({"identityId": self.me, "orderId": request["orderId"]});
        let done = || async {
            let order = good(&self.member, "orders.GetOrder", find.clone()).await;
            (order["status"] == status).then_some(())
        };
        self.platform.app().eventually(status, done).await;
    }

    /// A card that a plan is paid with is deleted with a successor only, which the plan gets.
    async fn successors(&self) {
        let (own, _) = self.cards().await;
        let (other, _) = self.cards().await;
        let order = good(&self.member, "orders.CreateOrder", json!({"identityId": self.me, "order": draft()})).await;
        let buy = json!({"identityId": self.me, "orderId": order["id"], "paymentMethodId": own, "buyAgain": true});
        self.buy(&self.member, buy, "PROVISIONED").await;
        let paid_with = async || self.subscriptions().await["subscriptions"][0]["paymentMethodId"].clone();
        assert_eq!(paid_with().await, own);
        let delete = |card: &Value, more: Value| {
            let mut request = json!({"identityId": self.me, "paymentMethodId": card});
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            request
        };
        let call = "payment_methods.DeletePaymentMethod";
        bad(&self.member, call, delete(&own, json!({})), "PAYMENT_METHOD_IN_USE").await;
        bad(&self.member, call, delete(&own, json!({"successorId": own})), "INVALID_FIELD").await;
        bad(&self.member, call, delete(&own, json!({"successorId": "somebody-elses"})), "NOT_FOUND").await;
        assert_eq!(paid_with().await, own, "a refused call moves nothing");
        let gone = good(&self.member, call, delete(&own, json!({"successorId": other}))).await;
        assert_eq!((&gone["status"], paid_with().await), (&json!("INACTIVE"), other));
    }

    /// A visitor's card is nobody's: it is in no list, and its id alone claims it, once.
    async fn unclaimed(&self) {
        let made = json!({"paymentMethod": card()});
        let made = good(&self.visitor, "payment_methods.CreateAnonymousPaymentMethod", made).await["id"].clone();
        let id = made.as_str().unwrap();
        assert_eq!(id.len(), 51, "a time and 128 random bits: {id}");
        let get = json!({"identityId": self.me, "paymentMethodId": id});
        bad(&self.member, "payment_methods.GetPaymentMethod", get.clone(), "NOT_FOUND").await;
        let listed = good(&self.member, "payment_methods.ListPaymentMethods", json!({"identityId": self.me})).await;
        assert!(!listed.to_string().contains(id), "{listed}");
        let claim = |id: &str, who: &str| json!({"paymentMethodId": id, "identityId": who});
        let last = if id.ends_with('0') { '1' } else { '0' };
        let neighbour = format!("{}{last}", &id[..id.len() - 1]);
        let call = "payment_methods.AssignPaymentMethodOwner";
        for guess in [neighbour.as_str(), &id[..18]] {
            bad(&self.member, call, claim(guess, &self.me), "NOT_FOUND").await;
        }
        bad(&self.visitor, call, claim(id, &self.me), "TOKEN_MISSING").await;
        bad(&self.member, call, claim(id, "mallory"), "NOT_THE_OWNER").await;
        let claimed = good(&self.member, call, claim(id, &self.me)).await;
        assert_eq!(claimed["ownerId"], json!(self.me));
        good(&self.member, "payment_methods.GetPaymentMethod", get).await;
        let mallory = self.visitor.with_token(&self.platform.app().token(&TestApp::member("mallory")));
        bad(&mallory, call, claim(id, "mallory"), "NOT_FOUND").await;
    }

    /// An administrator orders, adds a card and pays for an employee who belongs to the group, and for nobody else.
    async fn group(&self, surface: Surface) {
        let app = self.platform.app();
        let name = format!("boss-{surface:?}").to_lowercase();
        open_group(self.platform.app(), &self.staff, GROUP).await;
        let program = self.visitor.with_token(&app.token(&TestApp::machine()));
        good(&program, "groups.MigrateOffers", json!({"groupId": GROUP, "offerIds": [GROUP_US]})).await;
        let boss = json!({"realm": "GroupAdmin", "usernames": [name], "groupIds": [GROUP]});
        let boss = good(&self.visitor.with_token(&app.token(&TestApp::machine())), "identities.CreateIdentity", boss)
            .await["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let admin = self.visitor.with_token(&app.token(&TestApp::group_admin(&boss, &[GROUP])));
        let other = self.visitor.with_token(&app.token(&TestApp::group_admin("ann", &["acme"])));
        let about = |more: Value| {
            let mut request = json!({"groupId": GROUP, "identityId": self.me});
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            request
        };
        let add = about(json!({"paymentMethod": card()}));
        let order = json!({"channel": "GroupSites", "locality": "TX",
            "offers": [{"brand": BRAND, "offerId": GROUP_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}]});
        let order = about(json!({"order": order}));
        bad(&admin, "payment_methods.CreateGroupPaymentMethod", add.clone(), "NOT_TIED").await;
        bad(&admin, "orders.CreateGroupOrder", order.clone(), "NOT_TIED").await;
        let address = format!("employee-{surface:?}@example.com").to_lowercase();
        let invite =
            json!({"groupId": GROUP, "identityId": boss, "invitee": {"name": "Emma Example", "email": address}});
        let sent = good(&admin, "invitations.CreateGroupInvitation", invite).await;
        let accept = json!({"invitationId": sent["id"], "code": code_for(app, &address).await});
        good(&self.member, "invitations.AcceptInvitation", accept).await;

        bad(&other, "payment_methods.CreateGroupPaymentMethod", add.clone(), "NOT_THE_OWNER").await;
        bad(&other, "orders.CreateGroupOrder", order.clone(), "NOT_THE_OWNER").await;
        let method = good(&admin, "payment_methods.CreateGroupPaymentMethod", add).await;
        assert_eq!((&method["groupId"], &method["ownerId"]), (&json!(GROUP), &json!(self.me)));
        let order = good(&admin, "orders.CreateGroupOrder", order).await;
        let buy = about(json!({"orderId": order["id"], "paymentMethodId": method["id"], "buyAgain": true}));
        bad(&other, "orders.PurchaseOrder", buy.clone(), "NOT_THE_OWNER").await;
        // The plans of the group are set up when they are first used.
        self.buy(&admin, buy, "FUNDED").await;
    }
}

async fn run(engine: Engine) {
    let platform = Platform::start(engine, Cut::Whole).await.unwrap();
    for surface in Surface::ALL {
        let visitor = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let staff = visitor.with_token(&platform.app().token(&TestApp::staff()));
        let email = format!("ada-{surface:?}@example.com").to_lowercase();
        let wanted = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
        let made = good(&staff, "identities.CreateIdentity", wanted).await;
        let me = made["id"].as_str().unwrap().to_owned();
        let member = visitor.with_token(&platform.app().token(&TestApp::member(&me)));
        let shop = Shop { platform: &platform, visitor, staff, member, me };
        let vendors = good(&shop.visitor, "payment_methods.ListPaymentVendors", json!({})).await;
        assert_eq!(vendors["vendors"], json!(["TEST"]), "{vendors}");
        shop.employers_card().await;
        shop.credited().await;
        shop.billed_elsewhere().await;
        shop.successors().await;
        shop.unclaimed().await;
        shop.group(surface).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_inactive_from_the_day_after_its_last_month() {
    for engine in Engine::BOTH {
        let database = Database::new(engine).await.unwrap();
        let platform = Platform::begin(engine, Cut::Whole, &database, |settings| settings.still()).await.unwrap();
        let app = platform.app();
        let visitor = |surface| Client::new(platform.addresses()[0], surface, &app.app.pool).unwrap();
        let member = |surface| visitor(surface).with_token(&app.token(&TestApp::member("ada")));
        let mut cards = Vec::new();
        for surface in [Surface::Rest, Surface::Grpc] {
            let mut ending = card();
            // The clock stands in January 2026.
            ending["card"]["expiryMonth"] = json!(1);
            ending["card"]["expiryYear"] = json!(2026);
            for method in [ending, card()] {
                let add = json!({"identityId": "ada", "paymentMethod": method});
                let made = good(&member(surface), "payment_methods.CreatePaymentMethod", add).await;
                assert_eq!(made["status"], "ACTIVE");
                cards.push((surface, made["id"].clone()));
            }
        }
        // A run that is under way when the day comes counts as the one of that day.
        app.eventually("the first run", || async {
            let state = app.app.kernel.store().worker_state("billing.expire_cards").await.unwrap();
            (state.run.ended_at != 0).then_some(())
        })
        .await;
        app.clock.as_ref().unwrap().move_forward(std::time::Duration::from_micros(u64::try_from(32 * DAY).unwrap()));
        for (at, (surface, id)) in cards.iter().enumerate() {
            let (caller, get) = (member(*surface), json!({"identityId": "ada", "paymentMethodId": id}));
            let expected = if at % 2 == 0 { "INACTIVE" } else { "ACTIVE" };
            let there = || async {
                let method = good(&caller, "payment_methods.GetPaymentMethod", get.clone()).await;
                (method["status"] == expected).then_some(())
            };
            app.eventually(expected, there).await;
        }
        platform.finish().await;
    }
}
