//! Promises of the specification and of our own texts, over REST on both engines. The tests move the clock.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::cell::Cell;
use std::time::Duration;

use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_testapp::{Answer, Engine, Rest, TestApp, stock};
use serde_json::{Value, json};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// A platform whose clock stands on 1 January 2026, and a member.
struct Stage {
    app: TestApp,
    me: String,
    letter: String,
}

/// The answer of a call that must succeed.
#[track_caller]
fn ok(answer: Answer) -> Value {
    assert!(answer.status.is_success(), "{}: {}", answer.status, String::from_utf8_lossy(&answer.body));
    answer.json
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

fn card(token: &str) -> Value {
    json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": token,
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}})
}

fn usd(amount: &str) -> Value {
    json!({"currency": "USD", "amount": amount})
}

impl Stage {
    async fn begin(engine: Engine) -> Self {
        let app = TestApp::on(engine).still().start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::staff())).await.unwrap();
        let mut stage = Self { app, me: String::new(), letter: "ada@example.com".to_owned() };
        stage.me = stage.person("ada@example.com").await;
        stage
    }

    async fn person(&self, email: &str) -> String {
        let wanted = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
        text(&self.machine().post("/v1/identities", wanted).await.expect(200)["id"])
    }

    fn member(&self) -> Rest {
        self.app.rest(&TestApp::member(&self.me))
    }

    fn staff(&self) -> Rest {
        self.app.rest(&TestApp::staff())
    }

    fn machine(&self) -> Rest {
        self.app.rest(&TestApp::machine())
    }

    fn administrator(&self) -> Rest {
        self.app.rest(&TestApp::group_admin("administrator", &["acme"]))
    }

    fn mine(&self, path: &str) -> String {
        format!("/v1/identities/{}/{path}", self.me)
    }

    /// A subscription of the member's through the group acme, and a plan that it pays for.
    async fn through_group(&self, period: &str) -> (String, String) {
        let item =
            json!({"type": "PRODUCT", "productId": LEGAL, "tierId": "family", "name": "Legal", "price": usd("2995")});
        let wanted = json!({"offerId": PERSONAL_US, "items": [item], "billingPeriod": period, "groupId": "acme"});
        let subscription = text(&self.machine().post(&self.mine("subscriptions"), wanted).await.expect(200)["id"]);
        let wanted = json!({"productId": LEGAL, "tierId": "family", "name": "Legal", "subscriptionId": subscription});
        let plan = text(&self.staff().post(&self.mine("entitlements"), wanted).await.expect(200)["id"]);
        (subscription, plan)
    }

    /// A plan that nothing pays for.
    async fn plan(&self, more: Value) -> String {
        let mut wanted = json!({"productId": LEGAL, "tierId": "family", "name": "Legal"});
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        text(&self.staff().post(&self.mine("entitlements"), wanted).await.expect(200)["id"])
    }

    async fn read(&self, kind: &str, id: &str) -> Value {
        self.staff().get(&self.mine(&format!("{kind}/{id}"))).await.expect(200)
    }

    /// The plan, once it is over. A run of the worker that was under way when the clock moved counts as one of the new
    /// time, and the next one is due a minute later: the clock goes on by one now and then.
    async fn ended(&self, plan: &str) -> Value {
        let polls = Cell::new(0_u32);
        let over = || async {
            polls.set(polls.get() + 1);
            if polls.get().is_multiple_of(100) {
                self.app.clock.as_ref().unwrap().move_forward(Duration::from_secs(61));
            }
            let plan = self.read("entitlements", plan).await;
            (plan["status"] == "CANCELLED").then_some(plan)
        };
        self.app.eventually("the plan is over", over).await
    }

    /// Moves the clock by days, one after the other.
    fn pass(&self, days: u32) {
        for _ in 0..days {
            self.app.clock.as_ref().unwrap().move_forward(DAY);
        }
    }

    fn draft(&self, users: &Value) -> Value {
        json!({"channel": "BuyNow", "locality": "TX",
            "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}],
            "personalInfo": {"firstName": "Ada", "lastName": "Example", "email": self.letter},
            "authorizedUsers": users})
    }

    /// Buys a plan for these people, and answers it.
    async fn buy(&self, users: &Value) -> Value {
        let orders = format!("/v2/identities/{}/orders", self.me);
        let order = text(&self.member().post(&orders, self.draft(users)).await.expect(200)["id"]);
        let card = self.member().post(&self.mine("paymentMethods"), card("test_4111111111111111")).await.expect(200);
        let buy = json!({"paymentMethodId": card["id"], "buyAgain": true});
        ok(self.member().post(&format!("{orders}/{order}/purchase"), buy).await);
        let done = || async {
            let found = self.member().get(&format!("{orders}/{order}")).await.expect(200);
            (found["status"] == "PROVISIONED").then_some(())
        };
        self.app.eventually("the plan is set up", done).await;
        let plans = self.member().get(&self.mine(&format!("entitlements?orderId={order}"))).await.expect(200);
        plans["entitlements"][0].clone()
    }
}

/// A group cannot end plans itself: its cancellation at once ends them. Staff say whether they end.
async fn a_cancellation_at_once_ends_the_plans(stage: &Stage) {
    let cancel = |subscription: &str, prefix: &str| {
        format!("{prefix}/identities/{}/subscriptions/{subscription}/cancel", stage.me)
    };
    let because = |more: Value| {
        let mut body = json!({"reason": "NO_LONGER_EMPLOYED"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let (subscription, plan) = stage.through_group("PAY_PERIOD").await;
    let refused = stage.administrator().post(&cancel(&subscription, "/v1/groups/other"), because(json!({}))).await;
    assert_eq!(refused.status.as_u16() / 100, 4, "another's group");
    ok(stage.administrator().post(&cancel(&subscription, "/v1/groups/acme"), because(json!({}))).await);
    let over = stage.ended(&plan).await;
    assert_eq!((&over["endsOn"], &over["statusReason"]), (&json!("2026-01-01"), &json!("INTERNAL")), "{over}");

    let (kept, kept_plan) = stage.through_group("MONTHLY").await;
    ok(stage.staff().post(&cancel(&kept, "/v1"), because(json!({}))).await);
    let (gone, gone_plan) = stage.through_group("MONTHLY").await;
    ok(stage.staff().post(&cancel(&gone, "/v1"), because(json!({"endPlans": true}))).await);
    stage.ended(&gone_plan).await;
    assert_eq!(stage.read("entitlements", &kept_plan).await["status"], "ACTIVE", "staff decide about it");
}

/// A plan that a payroll pays for has no paid day: its end comes with the end of the month.
async fn a_payrolls_end_comes(stage: &Stage) -> (String, String) {
    let (subscription, plan) = stage.through_group("PAY_PERIOD").await;
    let path = stage.mine(&format!("subscriptions/{subscription}/pendingCancel"));
    let pending = stage.member().post(&path, json!({})).await.expect(200);
    assert_eq!(
        (&pending["endsAfter"], &pending["dueToEndOn"]),
        (&json!("2026-01-31"), &json!("2026-02-01")),
        "{pending}"
    );
    let kept = stage.mine(&format!("subscriptions/{subscription}/removePendingCancel"));
    let kept = stage.member().post(&kept, json!({})).await.expect(200);
    assert!(kept["status"] == "ACTIVE" && kept["endsAfter"].is_null(), "{kept}");
    ok(stage.member().post(&path, json!({})).await);
    (subscription, plan)
}

/// A plan with a last day ends by itself, and can be used until then.
async fn days_end_plans(stage: &Stage) {
    let (subscription, payroll) = a_payrolls_end_comes(stage).await;
    let termed = stage.plan(json!({"endsOn": "2026-01-10"})).await;
    let cancelled = stage.plan(json!({})).await;
    let prolonged = stage.plan(json!({"endsOn": "2026-01-10"})).await;
    let cancel = json!({"reason": "MEMBER_REQUEST", "endsOn": "2026-01-10"});
    let path = stage.mine(&format!("entitlements/{cancelled}/cancel"));
    let later = stage.staff().post(&path, cancel).await.expect(200);
    assert_eq!((&later["status"], &later["endsFor"]), (&json!("ACTIVE"), &json!("MEMBER_REQUEST")), "{later}");
    let dates = json!({"effectiveOn": "2026-01-01", "endsOn": "2026-03-31"});
    let path = stage.mine(&format!("entitlements/{prolonged}/changeEffectiveDates"));
    let changed = stage.staff().post(&path, dates).await.expect(200);
    assert_eq!(changed["dueToEndOn"], "2026-04-01", "{changed}");
    stage.pass(9);
    for plan in [&termed, &cancelled] {
        assert_eq!(stage.read("entitlements", plan).await["status"], "ACTIVE", "10 January is its last day");
    }
    stage.pass(1);
    for (plan, reason) in [(&termed, "LAST_DAY_OVER"), (&cancelled, "MEMBER_REQUEST")] {
        let over = stage.ended(plan).await;
        assert_eq!((&over["statusReason"], &over["endsOn"]), (&json!(reason), &json!("2026-01-10")), "{over}");
    }
    assert_eq!(stage.read("entitlements", &prolonged).await["status"], "ACTIVE");
    assert_eq!(stage.read("subscriptions", &subscription).await["status"], "PENDING_CANCEL");
    stage.pass(21);
    let over = stage.ended(&payroll).await;
    assert_eq!((&over["endsOn"], &over["statusReason"]), (&json!("2026-01-31"), &json!("MEMBER_REQUEST")), "{over}");
    let over = stage.read("subscriptions", &subscription).await;
    assert_eq!((&over["status"], &over["cancelledOn"]), (&json!("CANCELLED"), &json!("2026-02-01")), "{over}");
}

/// A tier covers some relations, and some to an age: on orders, on plans, and when a plan changes hands.
async fn tiers_cover_whom_they_say(stage: &Stage) {
    let orders = format!("/v2/identities/{}/orders", stage.me);
    let user = |kind: &str, more: Value| {
        let mut user = json!({"firstName": "Ben", "lastName": "Example", "type": kind});
        user.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        user
    };
    let spouse = || user("SPOUSE", json!({"firstName": "Charles"}));
    let price = json!({"billingPeriod": "MONTHLY", "initial": usd("3295"), "renewal": usd("3295")});
    let couple = json!({"id": "couple", "name": "Couple", "coverage": "FAMILY", "authorizedUserTypes": ["SPOUSE"],
        "maxAuthorizedUsers": 3, "prices": [price]});
    let path = format!("/v1/products/{LEGAL}/addTiers");
    ok(stage.staff().post(&path, json!({"tiers": [couple]})).await);
    let mut two = stage.draft(&json!([spouse(), user("DEPENDENT", json!({}))]));
    two["offers"][0]["selections"][0]["tierId"] = json!("couple");
    let refused = stage.member().post(&orders, two.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"));
    two["authorizedUsers"] = json!([spouse()]);
    ok(stage.member().post(&orders, two).await);
    let grown = stage.draft(&json!([user("DEPENDENT", json!({"birthDate": "2000-01-01"}))]));
    let refused = stage.member().post(&orders, grown).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"), "26 today");

    // A label of a domain may be long; an address that an order takes is one that the plan's people may have.
    let long = format!("ben@{}.example.com", "b".repeat(70));
    let child = user("DEPENDENT", json!({"birthDate": "2000-01-02", "email": long}));
    let plan = stage.buy(&json!([spouse(), child])).await;
    let people = plan["authorizedUsers"].as_array().unwrap();
    assert_eq!(people.len(), 2, "{plan}");
    assert_eq!(people[1]["birthDate"], "2000-01-02", "the day of birth reaches the plan: {plan}");
    let path = |call: &str| stage.mine(&format!("entitlements/{}/{call}", text(&plan["id"])));
    let second = json!({"newcomers": [{"name": "Dora", "permissionType": "SPOUSE"}]});
    let elder = json!({"newcomers": [{"name": "Edgar", "permissionType": "ELDER"}]});
    let grown = json!({"newcomers": [{"name": "Fay", "permissionType": "DEPENDENT", "birthDate": "1990-05-05"}]});
    let replace = json!({"personId": people[1]["id"], "replacement": {"id": "dora", "permissionType": "SPOUSE"}});
    for caller in [stage.member(), stage.staff()] {
        for body in [&second, &elder, &grown] {
            let refused = caller.post(&path("addAuthorizedUsers"), body.clone()).await;
            assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"), "{body}");
        }
        let refused = caller.post(&path("replaceAuthorizedUser"), replace.clone()).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"));
    }
    let given = |relation: &str| {
        json!({"productId": LEGAL, "tierId": "couple",
        "authorizedUsers": [{"id": "dora", "permissionType": relation}]})
    };
    let refused = stage.staff().post(&stage.mine("entitlements"), given("DEPENDENT")).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"));
    ok(stage.staff().post(&stage.mine("entitlements"), given("SPOUSE")).await);
    let unborn = json!({"newcomers": [{"name": "Gil", "permissionType": "DEPENDENT", "birthDate": "2030-01-01"}]});
    let refused = stage.member().post(&path("addAuthorizedUsers"), unborn).await;
    assert_eq!((refused.reason(), refused.fields()), ("INVALID_FIELD", vec!["newcomers[0].birthDate"]));
    let young = json!({"newcomers": [{"name": "Gil", "permissionType": "DEPENDENT", "birthDate": "2020-01-01"}]});
    let after = stage.member().post(&path("addAuthorizedUsers"), young).await.expect(200);
    assert_eq!(after["authorizedUsers"][2]["birthDate"], "2020-01-01", "{after}");
    delegates_are_covered_too(stage, &path).await;
    another_tier_covers_the_people_on_the_plan(stage, &path).await;
}

async fn delegates_are_covered_too(stage: &Stage, path: &impl Fn(&str) -> String) {
    let one = |id: &str, kind: &str| json!({"id": id, "permissionType": kind});
    let add = |people: Value| json!({"delegates": people});
    let staff = stage.staff();
    ok(stage.member().post(&path("addDelegates"), add(json!([one("hal", "SPOUSE")]))).await);
    let grown = json!({"id": "ida", "permissionType": "DEPENDENT", "birthDate": "1990-05-05"});
    for (caller, who) in [(stage.member(), one("ida", "SPOUSE")), (stage.member(), one("ida", "ELDER")), (staff, grown)]
    {
        let refused = caller.post(&path("addDelegates"), add(json!([who]))).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"), "{who}");
    }
    let replace = |with: Value| json!({"personId": "hal", "replacement": with});
    let refused = stage.member().post(&path("replaceDelegate"), replace(one("ida", "ELDER"))).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "AUTHORIZED_USER_NOT_COVERED"));
    ok(stage.member().post(&path("replaceDelegate"), replace(one("ida", "SPOUSE"))).await);
    ok(stage.staff().post(&path("removeDelegates"), json!({"personIds": ["ida"]})).await);
}

/// Staff give a plan no tier that leaves out whom it covers, by relation or by number.
async fn another_tier_covers_the_people_on_the_plan(stage: &Stage, path: &impl Fn(&str) -> String) {
    let to = |tier: &str| json!({"productId": LEGAL, "tierId": tier});
    for (tier, reason) in [("couple", "AUTHORIZED_USER_NOT_COVERED"), ("individual", "AUTHORIZED_USERS_EXCEEDED")] {
        let refused = stage.staff().post(&path("changeProduct"), to(tier)).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, reason), "{tier}");
    }
    ok(stage.staff().post(&path("changeProduct"), to("family")).await);
}

/// A plan has the product's frozen version, a number, and the contract of the state.
async fn a_plan_has_what_it_was_bought_with(stage: &Stage) {
    ok(stage.staff().post(&format!("/v1/products/{LEGAL}/versionProduct"), json!({})).await);
    let product = stage.staff().get(&format!("/v1/products/{LEGAL}")).await.expect(200);
    let contract = &product["contracts"][0];
    let variants = contract["variants"].as_array().unwrap();
    let texan = variants.iter().find(|variant| variant["region"] == "TX").unwrap();
    let plan = stage.buy(&json!([])).await;
    assert_eq!(
        (&plan["productVersion"], plan["productVersion"].is_u64()),
        (&product["productVersion"], true),
        "{plan}"
    );
    let number = text(&plan["friendlyId"]);
    assert!(number.len() == 14 && number.bytes().all(|byte| byte.is_ascii_digit()), "{number}");
    let own = &plan["contracts"][0];
    assert_eq!((&own["id"], &own["documentId"]), (&contract["id"], &texan["documentId"]), "{plan}");
    assert_eq!(own["effectiveOn"], plan["effectiveOn"], "{plan}");
    let other = stage.buy(&json!([])).await;
    assert_ne!(other["friendlyId"], plan["friendlyId"]);
}

/// An identity with a running plan, a card or an unpaid invoice is not deleted.
async fn an_identity_in_use_stays(stage: &Stage) {
    let delete = || async { stage.staff().delete(&format!("/v1/identities/{}", stage.me)).await };
    let refused = delete().await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "IDENTITY_IN_USE"), "{}", refused.json);
    let told = refused.json.to_string();
    for what in ["subscriptions", "entitlements", "payment_methods"] {
        assert!(told.contains(what), "{told}");
    }
    let listed = |kind: &'static str, items: &'static str| async move {
        let found = stage.staff().get(&stage.mine(&format!("{kind}?pageSize=200"))).await.expect(200);
        found[items].as_array().cloned().unwrap_or_default()
    };
    for one in listed("subscriptions", "subscriptions").await {
        if one["status"] != "CANCELLED" {
            let path = stage.mine(&format!("subscriptions/{}/cancel", text(&one["id"])));
            ok(stage.staff().post(&path, json!({"reason": "DECEASED", "endPlans": true})).await);
        }
    }
    for one in listed("entitlements", "entitlements").await {
        if one["status"] != "CANCELLED" {
            let path = stage.mine(&format!("entitlements/{}/cancel", text(&one["id"])));
            stage.staff().post(&path, json!({"reason": "INTERNAL"})).await;
        }
    }
    let refused = delete().await;
    assert_eq!(refused.reason(), "IDENTITY_IN_USE", "the cards are left: {}", refused.json);
    for one in listed("paymentMethods", "paymentMethods").await {
        ok(stage.staff().delete(&stage.mine(&format!("paymentMethods/{}", text(&one["id"])))).await);
    }
    let refused = delete().await;
    assert!(refused.json.to_string().contains("invoices"), "what they owe is left: {}", refused.json);
    for one in listed("invoices", "invoices").await {
        if ["ACTIVE", "FAILED", "DELINQUENT", "PARTIALLY_FUNDED"].iter().any(|status| one["status"] == *status) {
            let path = stage.mine(&format!("invoices/{}/forgive", text(&one["id"])));
            let forgiven = || async {
                let answer = stage.staff().post(&path, json!({"reason": "they leave"})).await;
                let is_in_progress = answer.reason() == "PAYMENT_IN_PROGRESS";
                if is_in_progress {
                    // The vendor answers late, counted from when it was asked.
                    stage.app.clock.as_ref().unwrap().move_forward(Duration::from_secs(31));
                }
                (!is_in_progress).then_some(answer)
            };
            let answer = stage.app.eventually("the charge of the invoice has an outcome", forgiven).await;
            if answer.status != 200 {
                assert_eq!(answer.reason(), "STATUS_NOT_ALLOWED", "{}", answer.json);
                let paid = stage.staff().get(&stage.mine(&format!("invoices/{}", text(&one["id"])))).await.expect(200);
                assert_eq!(paid["status"], "PAID", "{}", answer.json);
            }
        }
    }
    ok(delete().await);
}

/// Expected outcomes are no failures of the server: a payment without an answer.
async fn a_pending_payment_is_no_failure(stage: &Stage) {
    let slow = stage.member().post(&stage.mine("paymentMethods"), card("test_4000000000000007")).await.expect(200);
    let raise =
        json!({"currency": "USD", "items": [{"type": "ORDER", "amount": usd("700"), "description": "a letter"}]});
    let invoice = text(&stage.staff().post(&stage.mine("invoices"), raise).await.expect(200)["id"]);
    let pay = json!({"paymentMethodId": slow["id"]});
    let path = stage.mine(&format!("invoices/{invoice}/pay"));
    let member = stage.member().with("idempotency-key", "pay once");
    let pending = member.post(&path, pay.clone()).await;
    assert_eq!((pending.status.as_u16(), pending.reason()), (409, "PAYMENT_PENDING"), "{}", pending.json);
    assert!(pending.headers.contains_key("retry-after"), "{:?}", pending.headers);
    stage.app.clock.as_ref().unwrap().move_forward(Duration::from_secs(60));
    let paid = || async {
        let answer = stage.member().with("idempotency-key", "pay once").post(&path, pay.clone()).await;
        (answer.status.as_u16() == 200).then_some(answer.json)
    };
    assert_eq!(stage.app.eventually("the payment is known", paid).await["status"], "PAID");
}

/// The buyer of an order that is being paid cannot be deleted.
async fn a_running_order_keeps_its_buyer(stage: &Stage) {
    let orders = format!("/v2/identities/{}/orders", stage.me);
    let order = text(&stage.member().post(&orders, stage.draft(&json!([]))).await.expect(200)["id"]);
    let slow = stage.member().post(&stage.mine("paymentMethods"), card("test_4000000000000007")).await.expect(200);
    let buy = json!({"paymentMethodId": slow["id"], "buyAgain": true});
    let path = format!("{orders}/{order}/purchase");
    let member = stage.member().with("idempotency-key", "buy once");
    assert_eq!(member.post(&path, buy).await.expect(200)["status"], "PROCESSING");
    let refused = stage.staff().delete(&format!("/v1/identities/{}", stage.me)).await;
    assert_eq!(refused.reason(), "IDENTITY_IN_USE", "{}", refused.json);
    assert!(refused.json.to_string().contains("orders"), "{}", refused.json);
    let done = || async {
        // The vendor answers late, counted from when it was asked.
        stage.app.clock.as_ref().unwrap().move_forward(Duration::from_secs(31));
        let found = stage.member().get(&format!("{orders}/{order}")).await.expect(200);
        (found["status"] == "PROVISIONED").then_some(())
    };
    stage.app.eventually("the order is provisioned", done).await;
    let refused = stage.staff().delete(&format!("/v1/identities/{}", stage.me)).await;
    assert!(!refused.json.to_string().contains("orders"), "{}", refused.json);
}

/// A type of factor whose codes cannot be sent is not offered.
async fn types_of_factors(stage: &Stage) {
    let types = stage.app.visitor().get("/v1/factors/types").await.expect(200);
    for kind in ["EMAIL", "SMS"] {
        assert!(types["types"].as_array().unwrap().contains(&json!(kind)), "{types}");
    }
}

/// The sources of the applications' pages.
const PAGES: [(&str, &str); 2] = [
    ("app", include_str!("../../../../web/apps/member/src/router.tsx")),
    ("console", include_str!("../../../../web/apps/console/src/routes.tsx")),
];

/// Each composed address is that of a page which its application has. Nobody signs up to the console.
async fn composed_pages_exist(stage: &Stage) {
    for (app, source) in PAGES {
        for page in ["sign-in", "sign-up", "sign-out", "cross-realm"] {
            let answer = stage.app.visitor().get(&format!("/v1/signIn/address?app={app}&page={page}")).await;
            if (app, page) == ("console", "sign-up") {
                assert_eq!((answer.reason(), answer.fields()), ("INVALID_FIELD", vec!["page"]));
                continue;
            }
            let address = text(&answer.expect(200)["address"]);
            assert!(address.contains(&format!("/{app}/{page}?")), "{address}");
            assert!(source.contains(&format!("\"/{page}\"")), "{app} has no page {page}");
        }
    }
}

/// Prices are those of a billing period.
async fn another_period_needs_its_prices(stage: &Stage) {
    let (subscription, _) = stage.through_group("MONTHLY").await;
    let path = stage.mine(&format!("subscriptions/{subscription}/updateBillingFrequency"));
    let refused = stage.staff().post(&path, json!({"billingPeriod": "ANNUAL", "billingFrequency": 1})).await;
    assert_eq!((refused.reason(), refused.fields()), ("INVALID_FIELD", vec!["items"]));
    let item =
        json!({"type": "PRODUCT", "productId": LEGAL, "tierId": "family", "name": "Legal", "price": usd("29900")});
    let annual = json!({"billingPeriod": "ANNUAL", "billingFrequency": 1, "items": [item]});
    let changed = stage.staff().post(&path, annual).await.expect(200);
    assert_eq!((&changed["billingPeriod"], &changed["items"][0]["price"]), (&json!("ANNUAL"), &usd("29900")));
    let every_second = json!({"billingPeriod": "ANNUAL", "billingFrequency": 2});
    assert_eq!(stage.staff().post(&path, every_second).await.expect(200)["billingFrequency"], 2);
    let (payroll, _) = stage.through_group("PAY_PERIOD").await;
    for (subscription, period) in [(&subscription, "PAY_PERIOD"), (&payroll, "MONTHLY")] {
        let before = stage.read("subscriptions", subscription).await;
        let path = stage.mine(&format!("subscriptions/{subscription}/updateBillingFrequency"));
        let wanted = json!({"billingPeriod": period, "billingFrequency": 1, "items": before["items"]});
        let refused = stage.staff().post(&path, wanted).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_FIELD"), "to {period}");
        assert_eq!(refused.fields(), ["billingPeriod"], "to {period}");
        assert_eq!(stage.read("subscriptions", subscription).await, before, "to {period}");
    }
}

/// A call, its body, and the fields that it leaves on the entity.
type Effect = (&'static str, Value, &'static [(&'static str, &'static str)]);

/// Calls of which only the answer was tested: another read sees their effect, and a journal entry tells of it.
async fn calls_have_their_effect(stage: &Stage) {
    let other = stage.person("grace@example.com").await;
    let (subscription, plan) = stage.through_group("MONTHLY").await;
    let effects: [Effect; 8] = [
        ("updateVendor", json!({"vendor": "PAYPAL"}), &[("vendor", "PAYPAL")]),
        ("updateDoNotReinstate", json!({"doNotReinstate": true}), &[("doNotReinstate", "true")]),
        ("updateAdministrativeArea", json!({"administrativeArea": "OK"}), &[("administrativeArea", "OK")]),
        ("updatePostalCode", json!({"postalCode": "74820"}), &[("postalCode", "74820")]),
        ("updateSource", json!({"source": "fair"}), &[("source", "fair")]),
        ("updateBillingDivision", json!({"billingDivision": "north"}), &[("billingDivision", "north")]),
        ("updateRetrySchedule", json!({"retrySchedule": [1, 2]}), &[("retrySchedule", "[1,2]")]),
        ("updateBillCycleDay", json!({"billCycleDay": 28}), &[("billCycleDay", "28")]),
    ];
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (call, body, fields) in effects {
        let path = stage.mine(&format!("subscriptions/{subscription}/{call}"));
        ok(stage.staff().post(&path, body).await);
        let now = stage.read("subscriptions", &subscription).await;
        for (field, value) in fields {
            assert_eq!(shown(&now[*field]), *value, "{call}: {now}");
        }
    }
    let key = stage.read("subscriptions", &subscription).await["idempotentKey"].clone();
    let path = stage.mine(&format!("subscriptions/{subscription}/updateIdempotentKey"));
    ok(stage.staff().post(&path, json!({})).await);
    assert_ne!(stage.read("subscriptions", &subscription).await["idempotentKey"], key);
    let offer = json!({"offerId": "other-offer", "items": [{"type": "PRODUCT", "productId": LEGAL, "name": "Legal",
        "price": usd("3995")}]});
    ok(stage.staff().post(&stage.mine(&format!("subscriptions/{subscription}/updateOffer")), offer).await);
    assert_eq!(stage.read("subscriptions", &subscription).await["offerId"], "other-offer");
    let card = stage.member().post(&stage.mine("paymentMethods"), card("test_4111111111111111")).await.expect(200);
    let with = json!({"paymentMethodId": card["id"]});
    for (call, expected) in [("updatePaymentMethod", card["id"].clone()), ("removePaymentMethod", Value::Null)] {
        let path = stage.mine(&format!("subscriptions/{subscription}/{call}"));
        ok(stage.staff().post(&path, with.clone()).await);
        let now = stage.read("subscriptions", &subscription).await;
        assert_eq!(
            now.get("paymentMethodId").filter(|id| **id != "").unwrap_or(&Value::Null),
            &expected,
            "{call}: {now}"
        );
    }
    let migrated = json!({"cancelOn": "2030-05-01", "reason": "LEAVE_OF_ABSENCE"});
    let group = format!("/v1/groups/acme/identities/{}/subscriptions/{subscription}", stage.me);
    let path = format!("{group}/migration/updateScheduledCancellation");
    ok(stage.machine().post(&path, migrated).await);
    assert_eq!(stage.read("subscriptions", &subscription).await["scheduledCancelOn"], "2030-05-01");

    let raise =
        json!({"currency": "USD", "items": [{"type": "ORDER", "amount": usd("700"), "description": "a letter"}]});
    let invoice = text(&stage.staff().post(&stage.mine("invoices"), raise).await.expect(200)["id"]);
    let path = stage.mine(&format!("invoices/{invoice}/updatePaymentMethod"));
    ok(stage.member().post(&path, with).await);
    assert_eq!(stage.read("invoices", &invoice).await["paymentMethodId"], card["id"]);

    let delegate = |id: &str| json!({"id": id, "permissionType": "SPOUSE"});
    let effects: [Effect; 5] = [
        ("products/changeProductInfo", json!({"name": "Lex", "family": "lgl", "business": true}), &[("name", "Lex")]),
        ("changeEffectiveDates", json!({"effectiveOn": "2026-01-05"}), &[("effectiveOn", "2026-01-05")]),
        ("updateMarketLocale", json!({"marketLocale": "es-US"}), &[("marketLocale", "es-US")]),
        ("changeServiceArea?serviceArea=OK", json!({}), &[("serviceArea", "OK")]),
        ("updateProvisioningType?provisioningType=ON_FIRST_USE", json!({}), &[("provisioningType", "ON_FIRST_USE")]),
    ];
    for (call, body, fields) in effects {
        let path = stage.mine(&format!("entitlements/{plan}/{call}"));
        // A call with a query has no body.
        let body = Some(body).filter(|_| !call.contains('?'));
        ok(stage.machine().send("POST".parse().unwrap(), &path, body).await);
        let now = stage.read("entitlements", &plan).await;
        for (field, value) in fields {
            assert_eq!(shown(&now[*field]), *value, "{call}: {now}");
        }
    }
    let delegates = async |call: &str, body: Value| {
        ok(stage.staff().post(&stage.mine(&format!("entitlements/{plan}/{call}")), body).await);
        let now = stage.read("entitlements", &plan).await;
        let ids = now["delegates"].as_array().cloned().unwrap_or_default();
        ids.iter().map(|one| text(&one["id"])).collect::<Vec<_>>()
    };
    let two = json!({"delegates": [delegate("a"), {"id": "b", "permissionType": "DEPENDENT"}]});
    assert_eq!(delegates("addDelegates", two).await, ["a", "b"]);
    let replace = json!({"personId": "a", "replacement": delegate("c")});
    assert_eq!(delegates("replaceDelegate", replace).await, ["c", "b"]);
    assert_eq!(delegates("removeDelegates", json!({"personIds": ["b"]})).await, ["c"]);
    let path = format!("/v1/entitlements/{plan}/updateSubscriptionId");
    ok(stage.machine().post(&path, json!({"subscriptionId": "another"})).await);
    assert_eq!(stage.read("entitlements", &plan).await["subscriptionId"], "another");
    for (kind, id, call) in [("entitlements", &plan, "reassignOwner"), ("subscriptions", &subscription, "changeOwner")]
    {
        let path = stage.mine(&format!("{kind}/{id}/{call}"));
        ok(stage.staff().post(&path, json!({"newOwnerId": other})).await);
        let moved = stage.staff().get(&format!("/v1/identities/{other}/{kind}/{id}")).await.expect(200);
        assert_eq!(moved["ownerId"], json!(other), "{call}");
        assert_eq!(stage.staff().get(&stage.mine(&format!("{kind}/{id}"))).await.status.as_u16(), 404, "{call}");
    }
}

async fn run(engine: Engine) {
    let stage = Stage::begin(engine).await;
    a_cancellation_at_once_ends_the_plans(&stage).await;
    tiers_cover_whom_they_say(&stage).await;
    a_plan_has_what_it_was_bought_with(&stage).await;
    another_period_needs_its_prices(&stage).await;
    types_of_factors(&stage).await;
    composed_pages_exist(&stage).await;
    a_pending_payment_is_no_failure(&stage).await;
    a_running_order_keeps_its_buyer(&stage).await;
    calls_have_their_effect(&stage).await;
    days_end_plans(&stage).await;
    an_identity_in_use_stays(&stage).await;
    stage.app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}

/// Nothing that is not set up is offered, and a request for it is refused.
async fn what_is_not_set_up(engine: Engine) {
    let bare = TestApp::on(engine)
        .without_text_messages()
        .identity(|config| pavise_identity::Config { public_url: String::new(), ..config });
    let app = bare.start().await.unwrap();
    let types = app.visitor().get("/v1/factors/types").await.expect(200);
    let offers = |kind: &str| types["types"].as_array().unwrap().contains(&json!(kind));
    assert!(offers("EMAIL") && !offers("SMS"), "{types}");
    let machine = app.rest(&TestApp::machine());
    let wanted = json!({"realm": "User", "emails": ["ada@example.com"], "password": "correct horse battery"});
    let me = text(&machine.post("/v1/identities", wanted).await.expect(200)["id"]);
    let member = app.rest(&TestApp::member(&me));
    let by_telephone = json!({"type": "SMS", "phoneNumber": "+15555550123"});
    for (path, body) in [("passkeys/begin", json!({})), ("factors", by_telephone)] {
        let refused = member.post(&format!("/v1/identities/{me}/{path}"), body).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "NOT_CONFIGURED"), "{path}: {}", refused.json);
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_set_up_is_not_offered_on_sqlite() {
    what_is_not_set_up(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_set_up_is_not_offered_on_postgres() {
    what_is_not_set_up(Engine::Postgres).await;
}
