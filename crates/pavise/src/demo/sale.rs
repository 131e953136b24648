//! The story of a sale over one surface: a visitor prices a plan, signs up, is declined, pays, and holds
//! entitlements.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value answers null where there is nothing")]

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use serde_json::{Value, json};

use crate::domains;
use crate::wire::{Answer, Client, Failure, Surface};

/// The longest time of the workers.
const PATIENCE: Duration = Duration::from_secs(30);
/// The test vendor's token that is approved.
const GOOD_CARD: &str = "test_4111111111111111";
/// The test vendor's token that is declined for lack of money.
const POOR_CARD: &str = "test_4000000000000002";

/// One step, as it is printed.
#[derive(Debug, Clone)]
pub struct Step {
    /// The action of the step.
    pub what: &'static str,
    /// The result of the step.
    pub status: String,
    /// The journal clock of the write; 0 for a read.
    pub clock: i64,
}

/// The result of a sale.
#[derive(Debug, Clone)]
pub struct Story {
    /// The member.
    pub identity_id: String,
    /// The order.
    pub order_id: String,
    /// The amount paid, in minor units with the currency.
    pub paid: String,
    /// The member's entitlements.
    pub entitlements: usize,
    /// The time from first to last step.
    pub millis: u128,
}

struct Teller<F> {
    client: Client,
    tell: F,
}

impl<F: FnMut(&Step)> Teller<F> {
    /// A call that must succeed.
    async fn call(&mut self, what: &'static str, name: &str, request: Value) -> anyhow::Result<Answer> {
        let answer = self.client.call(name, request).await.with_context(|| format!("{what} ({name})"))?;
        let status = answer.json["status"].as_str().unwrap_or("ok").to_owned();
        (self.tell)(&Step { what, status, clock: answer.clock });
        Ok(answer)
    }

    /// A call that must be refused for that reason.
    async fn refused(&mut self, what: &'static str, name: &str, request: Value, reason: &str) -> anyhow::Result<()> {
        match self.client.call(name, request).await {
            Err(Failure::Refused(refusal)) if refusal.reason == reason => {
                (self.tell)(&Step { what, status: refusal.reason, clock: 0 });
                Ok(())
            }
            Err(other) => bail!("{what}: expected {reason}, got {other}"),
            Ok(answer) => bail!("{what}: expected {reason}, got {}", answer.json),
        }
    }

    /// Polls until the entity has one of these statuses.
    async fn until(
        &mut self,
        what: &'static str,
        name: &str,
        request: Value,
        wanted: &[&str],
    ) -> anyhow::Result<Value> {
        let began = Instant::now();
        loop {
            let answer = self.client.call(name, request.clone()).await?;
            let status = answer.json["status"].as_str().unwrap_or_default().to_owned();
            if wanted.contains(&status.as_str()) {
                (self.tell)(&Step { what, status, clock: 0 });
                return Ok(answer.json);
            }
            ensure!(
                began.elapsed() < PATIENCE,
                "{what}: still {status} after {} s: {}",
                PATIENCE.as_secs(),
                answer.json
            );
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }
}

/// Leads a running server through a sale.
///
/// # Errors
/// When anything is not as it should be.
pub async fn tell(server: &str, surface: Surface, tell: impl FnMut(&Step)) -> anyhow::Result<Story> {
    tell_with(Client::new(server, surface, &domains::pool(false)?)?, tell).await
}

/// The same with a client that knows the contract already, for many sales.
///
/// # Errors
/// When anything is not as it should be.
pub(super) async fn tell_with(client: Client, tell: impl FnMut(&Step)) -> anyhow::Result<Story> {
    let began = Instant::now();
    let mut teller = Teller { client, tell };
    let choice = choose(&mut teller).await?;
    let identity = sign_up(&mut teller).await?;
    let order = order(&mut teller, &identity, &choice).await?;
    let order_id = text(&order, "id")?;
    let due = order["totals"]["due"].clone();

    let purchase = |method: &str| json!({"identityId": identity, "orderId": order_id, "paymentMethodId": method, "expectedTotal": due});
    let poor = card(&mut teller, "Add a card without money", &identity, POOR_CARD).await?;
    teller.call("Purchase with it", "orders.PurchaseOrder", purchase(&poor)).await?;
    let find = json!({"identityId": identity, "orderId": order_id});
    teller.until("The card is declined", "orders.GetOrder", find.clone(), &["PAYMENT_FAILED"]).await?;

    let good = card(&mut teller, "Add a good card", &identity, GOOD_CARD).await?;
    let before = teller.client.clone();
    teller.client = before.with("idempotency-key", &format!("purchase-{order_id}"));
    let first = teller.call("Purchase with it", "orders.PurchaseOrder", purchase(&good)).await?;
    let again = teller.call("The same again, same idempotency key", "orders.PurchaseOrder", purchase(&good)).await?;
    teller.client = before;
    ensure!(first.json == again.json && first.clock == again.clock, "the repeated purchase was answered otherwise");
    let done = teller.until("Paid, provisioned", "orders.GetOrder", find, &["PROVISIONED"]).await?;
    ensure!(done["totals"]["total"] == due, "the total changed on the way: {}", done["totals"]);
    let entitlements = list_entitlements(&mut teller, &identity, &done).await?;
    teller
        .refused("A paid order cannot be bought again", "orders.PurchaseOrder", purchase(&good), "STATUS_NOT_ALLOWED")
        .await?;
    let paid =
        format!("{} {}", due["amount"].as_str().unwrap_or_default(), due["currency"].as_str().unwrap_or_default());
    Ok(Story { identity_id: identity, order_id, paid, entitlements, millis: began.elapsed().as_millis() })
}

/// The individual legal plan, as the shop sells it in the United States.
async fn choose<F: FnMut(&Step)>(teller: &mut Teller<F>) -> anyhow::Result<Value> {
    let shop =
        teller.call("Look at the shop", "offers.ListOffers", json!({"brand": BRAND, "pageSize": 100})).await?.json;
    let for_sale =
        shop["offers"].as_array().is_some_and(|offers| offers.iter().any(|offer| offer["id"] == PERSONAL_US));
    ensure!(for_sale, "the plan is not for sale: load the demonstration's data with serve --demo-data");
    teller.call("Look at the plan", "products.GetProduct", json!({"productId": LEGAL})).await?;
    let choice =
        json!({"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "individual"}]});
    let mut ask = choice.clone();
    for (name, value) in [("billingPeriod", "MONTHLY"), ("currency", "USD"), ("locality", "TX"), ("channel", "D2C")] {
        ask[name] = json!(value);
    }
    let priced = teller.call("Price it", "offers.ValidateSelections", ask).await?.json;
    ensure!(priced["valid"] == true, "the choice is not valid: {}", priced["problems"]);
    Ok(choice)
}

async fn sign_up<F: FnMut(&Step)>(teller: &mut Teller<F>) -> anyhow::Result<String> {
    let mut bytes = [0; 8];
    pavise_kernel::time::Ids::random().fill_random(&mut bytes);
    let email = format!("member-{}@example.com", pavise_kernel::hex::to_hex(&bytes));
    let password = format!("correct horse {}", pavise_kernel::hex::to_hex(&bytes));
    let sign_up = json!({"realm": "User", "emails": [email], "password": password});
    let identity = text(&teller.call("Sign up", "identities.CreateIdentity", sign_up).await?.json, "id")?;
    let token =
        teller.call("Sign in", "identities.CreateToken", json!({"email": email, "password": password})).await?.json;
    teller.client = teller.client.with_token(&text(&token, "accessToken")?);
    Ok(identity)
}

async fn order<F: FnMut(&Step)>(teller: &mut Teller<F>, identity: &str, choice: &Value) -> anyhow::Result<Value> {
    let draft = json!({
        "offers": [choice],
        "personalInfo": {"firstName": "Ada", "lastName": "Example", "email": "ada@example.com"},
        "address": {"address1": "1 Main Street", "city": "Austin", "locality": "TX", "postalCode": "78701", "country": "USA"},
        "channel": "BuyNow",
    });
    let order =
        teller.call("Create the order", "orders.CreateOrder", json!({"identityId": identity, "order": draft})).await?;
    ensure!(!order.etag.is_empty() && order.clock > 0, "the order came without version or clock");
    ensure!(
        order.json["totals"]["due"]["amount"].as_str().is_some_and(|amount| amount != "0"),
        "the order costs nothing: {}",
        order.json["totals"]
    );
    Ok(order.json)
}

async fn card<F: FnMut(&Step)>(
    teller: &mut Teller<F>,
    what: &'static str,
    identity: &str,
    token: &str,
) -> anyhow::Result<String> {
    let last4: String = token.chars().skip(token.len().saturating_sub(4)).collect();
    let method = json!({
        "type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": token,
        "card": {"brand": "VISA", "last4": last4, "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"},
    });
    let created = teller
        .call(what, "payment_methods.CreatePaymentMethod", json!({"identityId": identity, "paymentMethod": method}))
        .await?;
    text(&created.json, "id")
}

/// Checks what the member holds: an active entitlement and a subscription for each offer, an invoice that is paid once.
async fn list_entitlements<F: FnMut(&Step)>(
    teller: &mut Teller<F>,
    identity: &str,
    order: &Value,
) -> anyhow::Result<usize> {
    let mine = json!({"identityId": identity});
    let list = |answer: Answer, name: &str| answer.json[name].as_array().cloned().unwrap_or_default();
    let entitlements =
        list(teller.call("My entitlements", "entitlements.ListEntitlements", mine.clone()).await?, "entitlements");
    ensure!(
        !entitlements.is_empty() && entitlements.iter().all(|one| one["status"] == "ACTIVE"),
        "entitlements are not active: {entitlements:?}"
    );
    let subscriptions =
        list(teller.call("My subscriptions", "subscriptions.ListSubscriptions", mine.clone()).await?, "subscriptions");
    ensure!(
        subscriptions.len() == order["offers"].as_array().map_or(0, Vec::len),
        "there are {} subscriptions",
        subscriptions.len()
    );
    let invoices = list(teller.call("My invoices", "invoices.ListInvoices", mine).await?, "invoices");
    let paid: Vec<&Value> = invoices.iter().filter(|invoice| invoice["status"] == "PAID").collect();
    ensure!(paid.len() == 1, "{} invoices are paid", paid.len());
    Ok(entitlements.len())
}

fn text(value: &Value, field: &str) -> anyhow::Result<String> {
    Ok(value[field].as_str().with_context(|| format!("the answer has no {field}: {value}"))?.to_owned())
}
