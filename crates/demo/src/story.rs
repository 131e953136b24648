//! The story of a member, told through the normal calls; the platform's workers do their part.

mod ending;
mod wares;

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use pavise_billing_client::v1::payment_method_service_client::PaymentMethodServiceClient;
use pavise_billing_client::v1::{
    BankAccount, BankAccountType, Card, CardType, CreatePaymentMethodRequest, NewPaymentMethod, PaymentMethodType,
    Vendor,
};
use pavise_identity::contract::v1::{CreateIdentityRequest, IdentityRealm};
use pavise_kernel::worker::Work;
use pavise_orders_client::v1::order_service_client::OrderServiceClient;
use pavise_orders_client::v1::{
    CreateGroupOrderRequest, CreateOrderRequest, GetOrderRequest, Order, OrderStatus, PurchaseOrderRequest,
};

pub(crate) use ending::Ending;

use super::people::{Person, pick};
use pavise_identity::demo::{by_name, is_ours};

/// How long the workers may take for one step.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often they are looked after.
const LOOK: Duration = Duration::from_millis(40);
/// Cards and an account that pay.
const PAYING: [(&str, CardType, &str); 4] = [
    ("test_4111111111111111", CardType::Visa, "1111"),
    ("test_5555555555554444", CardType::Mastercard, "4444"),
    ("test_378282246310005", CardType::Amex, "0005"),
    ("test_6011111111111117", CardType::Discover, "1117"),
];

/// A story while it is told. Each call is made once, however often the story begins anew.
struct Story<'a> {
    work: &'a Work,
    number: u32,
    person: Person,
    ending: Ending,
    identity: String,
}

/// The address by which the member of a story is found.
pub(crate) fn email(number: u32) -> String {
    // The first story is what the demonstration's own member sees.
    if number == 0 { "member@demo.pavise.example".to_owned() } else { Person::nth(number).email() }
}

/// Tells the story of a member to its end.
pub(crate) async fn tell(work: &Work, number: u32) -> anyhow::Result<()> {
    let identity = member(work, number).await?;
    let story = Story { work, number, person: Person::nth(number), ending: Ending::of(number), identity };
    let order = story.order("order").await?;
    if story.ending == Ending::Open {
        return Ok(());
    }
    let method = story.method(story.ending.token(number)).await.context("the payment method")?;
    story.purchase(&order, &method, "purchase").await?;
    let order = story.until(&order.id, story.ending.status()).await?;
    story.end(order, &method).await
}

/// The member's identity.
async fn member(work: &Work, number: u32) -> anyhow::Result<String> {
    let email = email(number);
    if number == 0 {
        let found = by_name(work, &email).await?.filter(|identity| identity.realm() == IdentityRealm::User);
        return Ok(found.context("the demonstration's member has no identity")?.id);
    }
    let request =
        CreateIdentityRequest { realm: IdentityRealm::User.into(), emails: vec![email.clone()], ..Default::default() };
    match pavise_identity::enroll_identity(work, request).await {
        Err(error) if !error.is_transient() => {
            let id = by_name(work, &email).await?.context(error)?.id;
            ensure!(is_ours(work, &id).await?, "the address of member {number} is somebody else's");
            Ok(id)
        }
        made => Ok(made?.id),
    }
}

impl Story<'_> {
    /// A request of this story that has the effect of one.
    fn request<M>(&self, message: M, step: &str) -> tonic::Request<M> {
        self.work.new_request(message, &format!("member {} {step}", self.number))
    }

    fn orders(&self) -> OrderServiceClient<pavise_kernel::peers::PeerChannel> {
        OrderServiceClient::new(self.work.peer_channel("orders"))
    }

    /// Chooses, and has it priced.
    async fn order(&self, step: &str) -> anyhow::Result<Order> {
        let (identity_id, order) = (self.identity.clone(), Some(wares::draft(self.number, &self.person, self.ending)));
        let made = if self.ending == Ending::Employee {
            let request =
                CreateGroupOrderRequest { group_id: pavise_catalog::demo::GROUP.to_owned(), identity_id, order };
            self.orders().create_group_order(self.request(request, step)).await
        } else {
            self.orders().create_order(self.request(CreateOrderRequest { identity_id, order }, step)).await
        };
        Ok(made.context("the order")?.into_inner())
    }

    /// Adds the card or the account that the test vendor knows by that token.
    async fn method(&self, token: &str) -> anyhow::Result<String> {
        let (holder_name, bank) = (self.person.name(), token.starts_with("test_bank"));
        let known = PAYING.iter().find(|(known, _, _)| *known == token);
        let (brand, last4) = known.map_or(
            (CardType::Visa, token.get(token.len().saturating_sub(4)..).unwrap_or_default()),
            |(_, brand, last4)| (*brand, *last4),
        );
        let card = Card {
            brand: brand.into(),
            last4: last4.to_owned(),
            expiry_month: i32::try_from(self.number % 12).unwrap_or(0) + 1,
            expiry_year: 2099,
            holder_name: holder_name.clone(),
        };
        let account = BankAccount {
            r#type: BankAccountType::Checking.into(),
            routing_last4: "0021".to_owned(),
            last4: last4.to_owned(),
            holder_name,
            ..BankAccount::default()
        };
        let method = NewPaymentMethod {
            r#type: if bank { PaymentMethodType::BankDraft } else { PaymentMethodType::CreditCard }.into(),
            vendor: Vendor::Test.into(),
            vendor_token: token.to_owned(),
            card: (!bank).then_some(card),
            bank_account: bank.then_some(account),
            billing_address: Some(self.person.address()),
            is_default: true,
            ..NewPaymentMethod::default()
        };
        let request = CreatePaymentMethodRequest { identity_id: self.identity.clone(), payment_method: Some(method) };
        let made = PaymentMethodServiceClient::new(self.work.peer_channel("billing"))
            .create_payment_method(self.request(request, "method"))
            .await?;
        Ok(made.into_inner().id)
    }

    async fn purchase(&self, order: &Order, method: &str, step: &str) -> anyhow::Result<()> {
        let request = PurchaseOrderRequest {
            order_id: order.id.clone(),
            identity_id: self.identity.clone(),
            group_id: order.group_id.clone(),
            payment_method_id: method.to_owned(),
            ..PurchaseOrderRequest::default()
        };
        self.orders().purchase_order(self.request(request, step)).await.context("the purchase")?;
        Ok(())
    }

    /// Waits until the workers have brought an order so far.
    async fn until(&self, order_id: &str, status: OrderStatus) -> anyhow::Result<Order> {
        let began = Instant::now();
        loop {
            let find = GetOrderRequest {
                order_id: order_id.to_owned(),
                identity_id: self.identity.clone(),
                ..GetOrderRequest::default()
            };
            let order = self.orders().get_order(find).await?.into_inner();
            if order.status() == status {
                return Ok(order);
            }
            if began.elapsed() > PATIENCE {
                bail!(
                    "order {order_id} is {} instead of {} after {} s",
                    order.status().spelling(),
                    status.spelling(),
                    PATIENCE.as_secs()
                );
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// A token that pays.
fn paying(number: u32) -> &'static str {
    if number % 5 == 4 { "test_bank_0001" } else { pick(&PAYING, u64::from(number)).map_or("", |(token, _, _)| token) }
}
