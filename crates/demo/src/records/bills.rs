//! Bills of some members beside those of their orders: three paid months, of which the last is disputed, one at each step of
//! dunning, one that is held, a discount with a change that waits, and a credit.

use anyhow::Context as _;
use pavise_billing_client::v1::credit_service_client::CreditServiceClient;
use pavise_billing_client::v1::invoice_service_client::InvoiceServiceClient;
use pavise_billing_client::v1::payment_method_service_client::PaymentMethodServiceClient;
use pavise_billing_client::v1::subscription_service_client::SubscriptionServiceClient;
use pavise_billing_client::v1::{
    BillSubscriptionRequest, Card, CardType, ChangeTime, CollectInvoiceRequest, CreateCreditRequest,
    CreatePaymentMethodRequest, CreateSubscriptionRequest, CreditReason, HoldInvoiceRequest, Invoice, InvoiceStatus,
    ListInvoicesRequest, MakeInvoiceDelinquentRequest, NewPaymentMethod, OfferItemType, PaymentMethodType,
    PreCancelSubscriptionRequest, ReviewSubscriptionRequest, SubscriptionDiscount, SubscriptionItem,
    UpdateSubscriptionDiscountsRequest, UpdateSubscriptionOfferRequest, Vendor,
};
use pavise_catalog::demo::{LEGAL, PERSONAL_US};
use pavise_kernel::common::v1::{BillingPeriod, Money};
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::time::{add_days, to_date, to_days};
use pavise_kernel::worker::Work;

use super::disputes;
use super::member::Member;

/// The state of a member's further bills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Three months are paid. The bank of the member asks for the money of the last one back.
    Paid,
    /// The first try was refused.
    Refused,
    /// The first try was refused, and the member promised to pay later.
    Held,
    /// All tries were refused, and the subscription is suspended.
    Suspended,
    /// It was suspended for long, and has its last warning.
    Warned,
    /// A year is paid; the next one begins with a discount and another price.
    Changing,
    /// The next bill is lowered by a credit.
    Credited,
}

/// The number of a member, and the state of their bills. None of them has a story that other members are copied from.
const BILLS: [(u32, State); 7] = [
    (0, State::Credited),
    (8, State::Refused),
    (17, State::Suspended),
    (20, State::Paid),
    (29, State::Warned),
    (41, State::Held),
    (48, State::Changing),
];
/// A card of the test vendor without enough money.
const POOR: &str = "test_4000000000000002";
/// The days since the first of three months began. Two months have at most 62 days, and three at least 89.
const THREE_MONTHS: i64 = 65;
/// The days until the payment that a member promised.
const PROMISED: i64 = 14;
/// The most periods that are billed.
const MOST_PERIODS: usize = 5;
const MONTHLY: i64 = 2_995;
const ANNUAL: [i64; 2] = [29_900, 34_900];

/// Writes the bills of a member.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    let bills = Bills { work, member };
    for (_, state) in BILLS.iter().filter(|(number, _)| *number == member.number) {
        match state {
            State::Credited => bills.give_credit().await?,
            State::Changing => bills.change_later().await?,
            State::Paid => bills.bill(THREE_MONTHS, "", State::Paid).await?,
            State::Refused | State::Held | State::Suspended | State::Warned => bills.refuse(*state).await?,
        }
    }
    Ok(())
}

struct Bills<'a> {
    work: &'a Work,
    member: &'a Member,
}

impl Bills<'_> {
    fn subscriptions(&self) -> SubscriptionServiceClient<PeerChannel> {
        SubscriptionServiceClient::new(self.work.peer_channel("billing"))
    }

    fn invoices(&self) -> InvoiceServiceClient<PeerChannel> {
        InvoiceServiceClient::new(self.work.peer_channel("billing"))
    }

    fn request<M>(&self, message: M, step: &str) -> tonic::Request<M> {
        self.member.request(self.work, message, step)
    }

    /// Makes a plan that began so many days ago. Nothing is paid for one by the month, and the first year for one by the year.
    async fn subscribe(
        &self,
        price: i64,
        period: BillingPeriod,
        days: i64,
        method: &str,
    ) -> anyhow::Result<Option<String>> {
        let first = add_days(to_date(self.work.now()), -days);
        let request = CreateSubscriptionRequest {
            identity_id: self.member.id.clone(),
            offer_id: PERSONAL_US.to_owned(),
            items: vec![legal_plan(price)],
            billing_period: period.into(),
            started_on: Some(first),
            next_bill_on: (period == BillingPeriod::Monthly).then_some(first),
            payment_method_id: method.to_owned(),
            ..CreateSubscriptionRequest::default()
        };
        let made = self.subscriptions().create_subscription(self.request(request, "bills")).await;
        Ok(self.work.skip_refused(made, "bills")?.map(|made| made.into_inner().id))
    }

    /// Bills the periods that are due, and charges them, as the workers do on each day.
    async fn bill(&self, days: i64, method: &str, state: State) -> anyhow::Result<()> {
        let Some(id) = self.subscribe(MONTHLY, BillingPeriod::Monthly, days, method).await? else { return Ok(()) };
        let today = to_days(to_date(self.work.now()));
        for period in 0..MOST_PERIODS {
            let step = format!("bill {period}");
            let request = BillSubscriptionRequest { subscription_id: id.clone() };
            let billed = self.subscriptions().bill_subscription(self.request(request, &step)).await;
            let Some(billed) = self.work.skip_refused(billed, &step)? else { return Ok(()) };
            if billed.get_ref().bills_on.is_none_or(|day| to_days(day) > today) {
                break;
            }
        }
        for invoice in self.list_bills(&id).await?.into_iter().map(|invoice| invoice.id) {
            let request = CollectInvoiceRequest { invoice_id: invoice.clone() };
            let step = format!("collect {invoice}");
            let collected = self.invoices().collect_invoice(self.request(request, &step)).await;
            self.work.skip_refused(collected, &step)?;
            match state {
                State::Suspended | State::Warned => self.give_up(&id, &invoice).await?,
                State::Held => self.hold(&invoice).await?,
                State::Paid | State::Refused | State::Changing | State::Credited => {}
            }
        }
        if state == State::Paid {
            self.dispute_last(&id).await?;
        }
        if state == State::Warned {
            let request = PreCancelSubscriptionRequest { identity_id: self.member.id.clone(), subscription_id: id };
            let warned = self.subscriptions().pre_cancel_subscription(self.request(request, "warn")).await;
            self.work.skip_refused(warned, "warn")?;
        }
        Ok(())
    }

    /// The invoices of a subscription, the newest first.
    async fn list_bills(&self, subscription: &str) -> anyhow::Result<Vec<Invoice>> {
        let list = ListInvoicesRequest {
            identity_id: self.member.id.clone(),
            subscription_id: subscription.to_owned(),
            ..ListInvoicesRequest::default()
        };
        Ok(self.invoices().list_invoices(list).await.context("the invoices")?.into_inner().invoices)
    }

    /// Lets the member dispute the newest paid month.
    async fn dispute_last(&self, subscription: &str) -> anyhow::Result<()> {
        let bills = self.list_bills(subscription).await?;
        match bills.iter().find(|invoice| invoice.status() == InvoiceStatus::Paid) {
            Some(paid) => disputes::load(self.work, paid).await.context("the dispute"),
            None => Ok(()),
        }
    }

    /// Holds an invoice until the day that the member promised.
    async fn hold(&self, invoice: &str) -> anyhow::Result<()> {
        let request = HoldInvoiceRequest {
            identity_id: self.member.id.clone(),
            invoice_id: invoice.to_owned(),
            held_until: Some(add_days(to_date(self.work.now()), PROMISED)),
            note: "They pay after payday.".to_owned(),
        };
        let held = self.invoices().hold_invoice(self.request(request, "hold")).await;
        self.work.skip_refused(held, "hold")?;
        Ok(())
    }

    /// Ends the tries of an invoice, which suspends the subscription.
    async fn give_up(&self, subscription: &str, invoice: &str) -> anyhow::Result<()> {
        let request =
            MakeInvoiceDelinquentRequest { identity_id: self.member.id.clone(), invoice_id: invoice.to_owned() };
        let given_up = self.invoices().make_invoice_delinquent(self.request(request, "give up")).await;
        self.work.skip_refused(given_up, "give up")?;
        let request = ReviewSubscriptionRequest { subscription_id: subscription.to_owned() };
        let reviewed = self.subscriptions().review_subscription(self.request(request, "review")).await;
        self.work.skip_refused(reviewed, "review")?;
        Ok(())
    }

    /// Bills a month to a card without enough money. The member's default stays as it is.
    async fn refuse(&self, state: State) -> anyhow::Result<()> {
        let card = Card {
            brand: CardType::Visa.into(),
            last4: "0002".to_owned(),
            expiry_month: 12,
            expiry_year: 2099,
            holder_name: "A. Member".to_owned(),
        };
        let method = NewPaymentMethod {
            r#type: PaymentMethodType::CreditCard.into(),
            vendor: Vendor::Test.into(),
            vendor_token: POOR.to_owned(),
            card: Some(card),
            ..NewPaymentMethod::default()
        };
        let request = CreatePaymentMethodRequest { identity_id: self.member.id.clone(), payment_method: Some(method) };
        let added = PaymentMethodServiceClient::new(self.work.peer_channel("billing"))
            .create_payment_method(self.request(request, "poor card"))
            .await;
        let Some(added) = self.work.skip_refused(added, "poor card")? else { return Ok(()) };
        self.bill(0, &added.into_inner().id, state).await
    }

    /// A plan by the year, whose next year has a discount and another price.
    async fn change_later(&self) -> anyhow::Result<()> {
        let [now, later] = ANNUAL;
        let Some(id) = self.subscribe(now, BillingPeriod::Annual, 40, "").await? else { return Ok(()) };
        let discount = SubscriptionDiscount {
            name: "Loyal member".to_owned(),
            rate_ppm: 100_000,
            periods_left: 1,
            ..SubscriptionDiscount::default()
        };
        let request = UpdateSubscriptionDiscountsRequest {
            identity_id: self.member.id.clone(),
            subscription_id: id.clone(),
            discounts: vec![discount],
        };
        let lowered = self.subscriptions().update_subscription_discounts(self.request(request, "discount")).await;
        self.work.skip_refused(lowered, "discount")?;
        let request = UpdateSubscriptionOfferRequest {
            identity_id: self.member.id.clone(),
            subscription_id: id,
            offer_id: PERSONAL_US.to_owned(),
            items: vec![legal_plan(later)],
            time: ChangeTime::NextBillingDay.into(),
            ..UpdateSubscriptionOfferRequest::default()
        };
        let waits = self.subscriptions().update_subscription_offer(self.request(request, "change")).await;
        self.work.skip_refused(waits, "change")?;
        Ok(())
    }

    async fn give_credit(&self) -> anyhow::Result<()> {
        let request = CreateCreditRequest {
            identity_id: self.member.id.clone(),
            amount: Some(usd(500)),
            reason: CreditReason::Goodwill.into(),
            note: "The letter to the landlord was late.".to_owned(),
            ..CreateCreditRequest::default()
        };
        let mut credits = CreditServiceClient::new(self.work.peer_channel("billing"));
        let given = credits.create_credit(self.request(request, "credit")).await;
        self.work.skip_refused(given, "credit")?;
        Ok(())
    }
}

fn usd(amount: i64) -> Money {
    Money { currency: 1, amount }
}

fn legal_plan(price: i64) -> SubscriptionItem {
    SubscriptionItem {
        r#type: OfferItemType::Product.into(),
        product_id: LEGAL.to_owned(),
        tier_id: "individual".to_owned(),
        name: "Legal".to_owned(),
        family: "lgl".to_owned(),
        price: Some(usd(price)),
        ..SubscriptionItem::default()
    }
}
