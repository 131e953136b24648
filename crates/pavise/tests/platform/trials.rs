//! Offers on trial over REST, gRPC and gRPC-web: the members of the cohort see, price and buy them, and for everybody else
//! there is no such offer. In one process on SQLite, and with orders and the catalog apart on PostgreSQL.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::LEGAL;
use pavise_kernel::time::{add_days, to_date};
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::{Value, json};

/// An id that nothing has.
const NOBODY: &str = "99999999-0000-4000-8000-000000000000";
/// A site name that nothing has.
const NOTHING: &str = "nothing-here";

/// A brand with an offer on trial between two ordinary ones, and its callers.
struct Shop<'a> {
    platform: &'a Platform,
    staff: Client,
    visitor: Client,
    /// A member of the cohort.
    member: Client,
    me: String,
    /// Another member.
    other: Client,
    them: String,
    brand: String,
    trial: String,
    /// The ordinary offers, newest first.
    ordinary: [String; 2],
}

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

async fn bad(client: &Client, name: &str, request: Value, reason: &str) -> Vec<String> {
    match client.call(name, request.clone()).await {
        Err(Failure::Refused(refusal)) => {
            assert_eq!(refusal.reason, reason, "{name}: {refusal}\n{request}");
            refusal.fields
        }
        other => panic!("{name}: expected {reason}, got {other:?}\n{request}"),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

fn draft(more: Value) -> Value {
    let mut draft = json!({"names": [{"locale": "en-US", "text": "Plans"}], "channel": "D2C",
        "products": [{"productId": LEGAL}]});
    draft.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    draft
}

fn selections() -> Value {
    json!([{"productId": LEGAL, "tierId": "individual"}])
}

async fn sign_up(platform: &Platform, staff: &Client, name: &str) -> (Client, String) {
    let wanted =
        json!({"realm": "User", "emails": [format!("{name}@example.com")], "password": "correct horse battery"});
    let id = text(&good(staff, "identities.CreateIdentity", wanted).await["id"]);
    (staff.with_token(&platform.app().token(&TestApp::member(&id))), id)
}

impl<'a> Shop<'a> {
    async fn open(platform: &'a Platform, surface: Surface) -> Self {
        let visitor = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let staff = visitor.with_token(&platform.app().token(&TestApp::staff()));
        let brand = format!("trial-{surface:?}").to_lowercase();
        let (member, me) = sign_up(platform, &staff, &format!("{brand}-ann")).await;
        let (other, them) = sign_up(platform, &staff, &format!("{brand}-bob")).await;
        let mut shop = Self {
            platform,
            staff,
            visitor,
            member,
            me,
            other,
            them,
            brand,
            trial: String::new(),
            ordinary: <[String; 2]>::default(),
        };
        shop.ordinary[1] = shop.offer().await;
        shop.trial = shop.trial().await;
        shop.ordinary[0] = shop.offer().await;
        shop
    }

    /// An ordinary offer on sale.
    async fn offer(&self) -> String {
        let new = json!({"brand": self.brand, "offer": draft(json!({}))});
        let id = text(&good(&self.staff, "offers.CreateOffer", new).await["id"]);
        good(&self.staff, "offers.MakeReadyForSale", json!({"brand": self.brand, "offerId": id})).await;
        id
    }

    /// An offer on trial, which is put on sale once it names a cohort.
    async fn trial(&self) -> String {
        let staff = &self.staff;
        let content = |more: Value| json!({"brand": self.brand, "offer": draft(more)});
        let cohort = json!({"cohort": "SHIELD_AT_WORK_BETA"});
        assert_eq!(bad(staff, "offers.CreateOffer", content(cohort), "INVALID_FIELD").await, ["offer.cohort"]);
        let made = good(staff, "offers.CreateOffer", content(json!({"type": "EXPERIMENTAL"}))).await;
        let one = json!({"brand": self.brand, "offerId": made["id"]});
        bad(staff, "offers.MakeReadyForSale", one.clone(), "OFFER_EXPERIMENTAL").await;
        let mut update = content(json!({"type": "EXPERIMENTAL", "cohort": "SHIELD_AT_WORK_BETA"}));
        update["offerId"] = made["id"].clone();
        good(staff, "offers.UpdateOffer", update).await;
        let sold = good(staff, "offers.MakeReadyForSale", one.clone()).await;
        assert_eq!((&sold["status"], &sold["cohort"]), (&json!("AVAILABLE_FOR_SALE"), &json!("SHIELD_AT_WORK_BETA")));
        let mut name = one;
        name["siteName"] = json!(self.brand);
        good(staff, "offers.UpdateOfferSiteName", name).await;
        text(&made["id"])
    }

    /// The offers that a caller lists, one on a page. No page is empty, and none is announced that does not come.
    async fn list(&self, client: &Client) -> Vec<String> {
        let mut ask = json!({"brand": self.brand, "pageSize": 1});
        let mut found = Vec::new();
        loop {
            let page = good(client, "offers.ListOffers", ask.clone()).await;
            let offers = page["offers"].as_array().unwrap();
            assert_eq!(offers.len(), 1, "{page}");
            found.push(text(&offers[0]["id"]));
            ask["pageToken"] = page["nextPageToken"].clone();
            if ask["pageToken"] == "" {
                return found;
            }
        }
    }

    /// All that a caller learns of an offer without the list. The names by which it is asked for are left out.
    async fn look(&self, client: &Client, order: (&str, Value), offer: &str, site_name: &str) -> Vec<String> {
        let choice = json!({"brand": self.brand, "offerId": offer, "selections": selections()});
        let mut price = choice.clone();
        price["locality"] = json!("TX");
        let (create, mut request) = order;
        request["order"] = json!({"channel": "BuyNow", "locality": "TX", "offers": [choice]});
        let asks = [
            ("offers.GetOffer", json!({"brand": self.brand, "offerId": offer})),
            ("offers.GetOffersByIdList", json!({"brand": self.brand, "ids": [offer]})),
            ("offers.GetOffersBySiteName", json!({"brand": self.brand, "siteNames": [site_name]})),
            ("catalog_titles.GetTitles", json!({"references": [{"type": "Offer", "id": offer}]})),
            ("offers.ValidateSelections", price),
            (create, request),
        ];
        let mut told = Vec::new();
        for (name, ask) in asks {
            let answer = match client.call(name, ask).await {
                Ok(answer) => answer.json.to_string(),
                Err(Failure::Refused(refusal)) => refusal.to_string(),
                Err(Failure::Broken(error)) => panic!("{name}: {error:#}"),
            };
            told.push(format!("{name}: {}", answer.replace(offer, "?").replace(site_name, "?")));
        }
        told
    }

    /// For the caller there is no offer on trial, whichever way they look.
    async fn is_hidden_from(&self, client: &Client, order: (&str, Value)) {
        assert_eq!(self.list(client).await, self.ordinary);
        let hidden = self.look(client, order.clone(), &self.trial, &self.brand).await;
        assert_eq!(hidden, self.look(client, order, NOBODY, NOTHING).await);
    }

    async fn is_hidden_from_the_member(&self) {
        self.is_hidden_from(&self.member, ("orders.CreateOrder", json!({"identityId": self.me}))).await;
    }

    /// The caller finds the offer on trial, whichever way they look.
    async fn is_shown_to(&self, client: &Client) {
        let [newest, oldest] = &self.ordinary;
        assert_eq!(self.list(client).await, [newest.clone(), self.trial.clone(), oldest.clone()]);
        let of = |more: Value| {
            let mut request = json!({"brand": self.brand});
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            request
        };
        let one = good(client, "offers.GetOffer", of(json!({"offerId": self.trial}))).await;
        assert_eq!((&one["type"], &one["cohort"]), (&json!("EXPERIMENTAL"), &json!("SHIELD_AT_WORK_BETA")));
        let by_id = good(client, "offers.GetOffersByIdList", of(json!({"ids": [NOBODY, self.trial]}))).await;
        assert_eq!((&by_id["offers"][0]["id"], &by_id["notFound"]), (&json!(self.trial), &json!([NOBODY])));
        let by_name = good(client, "offers.GetOffersBySiteName", of(json!({"siteNames": [self.brand]}))).await;
        assert_eq!(by_name["offers"][0]["id"], json!(self.trial));
        let titles = json!({"references": [{"type": "Offer", "id": self.trial}]});
        let titles = good(client, "catalog_titles.GetTitles", titles).await;
        assert_eq!(titles["titles"][0]["reference"]["id"], json!(self.trial), "{titles}");
    }

    /// A price for a caller, who may name a buyer.
    async fn price(&self, client: &Client, buyer: &str) -> Result<Value, String> {
        let ask = json!({"brand": self.brand, "offerId": self.trial, "selections": selections(), "locality": "TX",
            "identityId": buyer});
        match client.call("offers.ValidateSelections", ask).await {
            Ok(answer) => Ok(answer.json),
            Err(Failure::Refused(refusal)) => Err(refusal.reason),
            Err(Failure::Broken(error)) => panic!("{error:#}"),
        }
    }

    async fn prices(&self) {
        let program = self.visitor.with_token(&self.platform.app().token(&TestApp::machine()));
        for (client, buyer) in
            [(&self.member, ""), (&self.member, &*self.me), (&self.staff, &*self.me), (&program, &*self.me)]
        {
            assert_eq!(self.price(client, buyer).await.unwrap()["valid"], true);
        }
        let to_staff = self.price(&self.staff, "").await.unwrap();
        assert_eq!(
            (&to_staff["valid"], &to_staff["problems"][0]["kind"]),
            (&json!(false), &json!("OFFER_NOT_FOR_SALE"))
        );
        assert_eq!(to_staff["lines"].as_array().unwrap().len(), 1, "staff see what it costs: {to_staff}");
        for (client, buyer, reason) in [
            (&self.staff, &*self.them, "NOT_FOUND"),
            (&program, &*self.them, "NOT_FOUND"),
            (&program, "", "NOT_FOUND"),
            (&self.visitor, &*self.me, "NOT_FOUND"),
            (&self.other, &*self.me, "NOT_THE_OWNER"),
            (&self.member, &*self.them, "NOT_THE_OWNER"),
        ] {
            assert_eq!(self.price(client, buyer).await.unwrap_err(), reason, "for {buyer:?}");
        }
    }

    async fn order(&self) -> Value {
        let offer = json!({"brand": self.brand, "offerId": self.trial, "selections": selections()});
        let order = json!({"channel": "BuyNow", "locality": "TX", "offers": [offer]});
        good(&self.member, "orders.CreateOrder", json!({"identityId": self.me, "order": order})).await
    }

    async fn buy(&self) {
        let order = self.order().await;
        let purchase = self.purchase(&order).await;
        good(&self.member, "orders.PurchaseOrder", purchase).await;
        let find = json!({"identityId": self.me, "orderId": order["id"]});
        let done = || async {
            let order = good(&self.member, "orders.GetOrder", find.clone()).await;
            (order["status"] == "PROVISIONED").then_some(())
        };
        self.platform.app().eventually("the offer on trial is bought", done).await;
    }

    async fn purchase(&self, order: &Value) -> Value {
        let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
            "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}});
        let add = json!({"identityId": self.me, "paymentMethod": card});
        let card = good(&self.member, "payment_methods.CreatePaymentMethod", add).await;
        json!({"identityId": self.me, "orderId": order["id"], "paymentMethodId": card["id"], "buyAgain": true})
    }
}

/// The day before today, as JSON.
fn yesterday(platform: &Platform) -> String {
    let day = add_days(to_date(platform.app().now()), -1);
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

async fn run(engine: Engine, cut: Cut) {
    let platform = Platform::start(engine, cut).await.unwrap();
    for surface in Surface::ALL {
        let shop = Shop::open(&platform, surface).await;
        let staff = &shop.staff;
        shop.is_hidden_from(&shop.visitor, ("orders.CreateAnonymousOrder", json!({}))).await;
        shop.is_hidden_from_the_member().await;
        shop.is_shown_to(staff).await;

        let days = json!({"startsOn": "2020-01-01", "source": "the first trial"});
        let mut new = days.clone();
        new.as_object_mut()
            .unwrap()
            .extend([("identityId".to_owned(), json!(shop.me)), ("type".to_owned(), json!("SHIELD_AT_WORK_BETA"))]);
        let cohort = good(staff, "cohorts.CreateCohort", new).await;
        let change = |more: Value| {
            let mut request = days.clone();
            request["cohortId"] = cohort["id"].clone();
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            request
        };
        shop.is_shown_to(&shop.member).await;
        let orders_of_others = ("orders.CreateOrder", json!({"identityId": shop.them}));
        shop.is_hidden_from(&shop.other, orders_of_others).await;
        shop.is_hidden_from(&shop.visitor, ("orders.CreateAnonymousOrder", json!({}))).await;
        shop.prices().await;
        shop.buy().await;

        let order = shop.order().await;
        let purchase = shop.purchase(&order).await;
        good(staff, "cohorts.UpdateCohort", change(json!({"endsOn": yesterday(&platform)}))).await;
        shop.is_hidden_from_the_member().await;
        bad(&shop.member, "orders.PurchaseOrder", purchase, "OFFER_NOT_BUYABLE").await;
        good(staff, "cohorts.UpdateCohort", change(json!({}))).await;
        shop.is_shown_to(&shop.member).await;
        good(staff, "cohorts.DeleteCohort", json!({"cohortId": cohort["id"]})).await;
        shop.is_hidden_from_the_member().await;
    }
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite, Cut::Whole).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_with_orders_apart() {
    run(Engine::Postgres, Cut::Split).await;
}
