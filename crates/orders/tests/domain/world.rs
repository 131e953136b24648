//! The other domains, as far as orders sees them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use http::Response;
use pavise_kernel::common::v1::{Currency, Money};
use pavise_kernel::peers::Transport;
use pavise_orders::contract::billing::*;
use pavise_orders::contract::catalog::{
    OfferItemType, PricedLine, SelectionProblem, ValidateSelectionsRequest, ValidateSelectionsResponse,
};
use pavise_orders::contract::fulfillment::{
    CreateProvisionRequest, Entitlement, EntitlementStatus, GetEntitlementRequest, Provision, ProvisionStatus,
};
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Request, Status};
use tonic_prost::ProstCodec;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service, ServiceExt, service_fn};

/// What the world holds and has been asked to do; shared.
#[derive(Clone, Default)]
pub(crate) struct World(Arc<Mutex<State>>);

/// An offer of the catalogue: one product, and a supplement "extra" that costs 500.
#[derive(Clone)]
pub(crate) struct Sold {
    pub(crate) initial: i64,
    pub(crate) renewal: i64,
    pub(crate) family: &'static str,
    pub(crate) business: bool,
    pub(crate) max_authorized_users: i32,
    pub(crate) for_sale: bool,
    pub(crate) group_id: &'static str,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) offers: BTreeMap<String, Sold>,
    pub(crate) methods: BTreeMap<String, PaymentMethod>,
    /// What the vendor will say of the next payments of an offer; after that it approves.
    pub(crate) script: BTreeMap<String, VecDeque<TransactionStatus>>,
    pub(crate) transactions: BTreeMap<String, Transaction>,
    /// Money that moved: reference and minor units.
    pub(crate) charges: Vec<(String, i64)>,
    pub(crate) invoices: BTreeMap<String, Invoice>,
    pub(crate) payments: BTreeMap<String, (String, i64)>,
    pub(crate) provisions: BTreeMap<String, CreateProvisionRequest>,
    pub(crate) entitlements: BTreeMap<String, Entitlement>,
    pub(crate) subscriptions: BTreeMap<String, Subscription>,
    /// After so many more calls, one has its effect and its answer is lost.
    pub(crate) lost_answer_in: Option<usize>,
}

impl World {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// A legal plan for the family of the member "alice", who has a card.
    pub(crate) fn usual() -> Self {
        let world = Self::default();
        let legal = Sold {
            initial: 2495,
            renewal: 2495,
            family: "lgl",
            business: false,
            max_authorized_users: 2,
            for_sale: true,
            group_id: "",
        };
        let identity = Sold { initial: 1495, renewal: 1495, family: "ids", max_authorized_users: 0, ..legal.clone() };
        let business = Sold { initial: 4900, renewal: 4900, family: "bus", business: true, ..legal.clone() };
        let employer = Sold { initial: 1895, renewal: 1895, group_id: "acme", ..legal.clone() };
        let offers = [("legal", legal), ("identity", identity), ("business", business), ("employer", employer)];
        world.state().offers = offers.into_iter().map(|(id, offer)| (id.to_owned(), offer)).collect();
        let card = |owner: &str, group: &str, kind: PaymentMethodType| PaymentMethod {
            owner_id: owner.to_owned(),
            group_id: group.to_owned(),
            r#type: kind.into(),
            status: PaymentMethodStatus::Active.into(),
            ..PaymentMethod::default()
        };
        let methods = [
            ("card", card("alice", "", PaymentMethodType::CreditCard)),
            ("premium", card("alice", "acme", PaymentMethodType::PremiumBilling)),
            ("corporate", card("alice", "acme", PaymentMethodType::CreditCard)),
            ("her own premium", card("alice", "", PaymentMethodType::PremiumBilling)),
        ];
        world.state().methods = methods.into_iter().map(|(id, method)| (id.to_owned(), method)).collect();
        world
    }

    pub(crate) fn vendor_says(&self, offer: &str, outcomes: &[TransactionStatus]) {
        self.state().script.insert(offer.to_owned(), outcomes.iter().copied().collect());
    }

    /// One transport that plays billing, catalog and fulfillment.
    pub(crate) fn transport(&self) -> Transport {
        let world = self.clone();
        self.flaky(BoxCloneSyncService::new(service_fn(move |request: http::Request<Body>| {
            let world = world.clone();
            async move { Ok::<_, BoxError>(world.answer(request).await) }
        })))
    }

    /// The same transport, but the answer that the world was told to lose is lost.
    pub(crate) fn flaky(&self, transport: Transport) -> Transport {
        let world = self.clone();
        BoxCloneSyncService::new(service_fn(move |request: http::Request<Body>| {
            let (world, transport) = (world.clone(), transport.clone());
            async move {
                let answer = transport.oneshot(request).await?;
                let mut state = world.state();
                let lost = state.lost_answer_in == Some(0);
                state.lost_answer_in = state.lost_answer_in.and_then(|left| left.checked_sub(1));
                Ok(if lost { Status::unavailable("the answer was lost").into_http() } else { answer })
            }
        }))
    }

    async fn answer(&self, request: http::Request<Body>) -> Response<Body> {
        let path = request.uri().path().to_owned();
        let world = self.clone();
        match path.as_str() {
            "/pavise.catalog.v1.OfferService/ValidateSelections" => unary(request, move |_, ask| world.validate(&ask)).await,
            "/pavise.billing.v1.PaymentMethodService/GetPaymentMethod" => unary(request, move |_, ask| world.method(&ask)).await,
            "/pavise.billing.v1.SubscriptionService/GetSubscription" => {
                unary(request, move |_, ask| world.subscription(&ask)).await
            }
            "/pavise.billing.v1.PaymentMethodService/CreateSale" => unary(request, move |_, ask| world.sell(ask)).await,
            "/pavise.billing.v1.InvoiceService/CreateInvoice" => unary(request, move |key, ask| world.invoice(key, ask)).await,
            "/pavise.billing.v1.InvoiceService/PayInvoice" => unary(request, move |key, ask| world.pay(key, ask)).await,
            "/pavise.fulfillment.v1.ProvisionService/CreateProvision" => unary(request, move |_, ask| world.provision(ask)).await,
            "/pavise.fulfillment.v1.EntitlementService/GetEntitlement" => {
                unary(request, move |_, ask| world.entitlement(&ask)).await
            }
            other => Status::unimplemented(other.to_owned()).into_http(),
        }
    }

    fn validate(&self, ask: &ValidateSelectionsRequest) -> Result<ValidateSelectionsResponse, Status> {
        let Some(sold) = self.state().offers.get(&ask.offer_id).cloned() else { return Err(Status::not_found("no such offer")) };
        if !sold.for_sale || sold.group_id != ask.group_id {
            let problem = SelectionProblem {
                field: "offer_id".into(),
                description: "it is not for sale".into(),
                ..SelectionProblem::default()
            };
            return Ok(ValidateSelectionsResponse { problems: vec![problem], ..ValidateSelectionsResponse::default() });
        }
        let money = |amount| Some(Money { currency: ask.currency, amount });
        let mut lines = Vec::new();
        for chosen in &ask.selections {
            let product = PricedLine {
                r#type: OfferItemType::Product.into(),
                product_id: chosen.product_id.clone(),
                tier_id: chosen.tier_id.clone(),
                name: ask.offer_id.clone(),
                family: sold.family.to_owned(),
                initial_price: money(sold.initial),
                renewal_price: money(sold.renewal),
                billing_period: ask.billing_period,
                taxable: true,
                business: sold.business,
                max_authorized_users: sold.max_authorized_users,
                ..PricedLine::default()
            };
            let supplement = |id: &String| PricedLine {
                r#type: OfferItemType::Supplement.into(),
                supplement_id: id.clone(),
                initial_price: money(500),
                renewal_price: money(500),
                max_authorized_users: 0,
                ..product.clone()
            };
            lines.push(product.clone());
            lines.extend(chosen.supplement_ids.iter().map(supplement));
        }
        Ok(ValidateSelectionsResponse {
            valid: true,
            lines,
            offer_name: ask.offer_id.clone(),
            ..ValidateSelectionsResponse::default()
        })
    }

    fn method(&self, ask: &GetPaymentMethodRequest) -> Result<PaymentMethod, Status> {
        let known = self.state().methods.get(&ask.payment_method_id).filter(|method| method.owner_id == ask.identity_id).cloned();
        known.ok_or_else(|| Status::not_found("no such method"))
    }

    fn subscription(&self, ask: &GetSubscriptionRequest) -> Result<Subscription, Status> {
        let known = self.state().subscriptions.get(&ask.subscription_id).filter(|one| one.owner_id == ask.identity_id).cloned();
        known.ok_or_else(|| Status::not_found("no such subscription"))
    }

    /// A vendor that is asked twice with one reference answers of the first payment.
    fn sell(&self, ask: CreateSaleRequest) -> Result<Transaction, Status> {
        let mut state = self.state();
        let known = state.transactions.get(&ask.reference).cloned();
        if let Some(known) = known.as_ref().filter(|known| known.status() != TransactionStatus::Timedout) {
            return Ok(known.clone());
        }
        let said = state.script.get_mut(&ask.offer_id).and_then(VecDeque::pop_front).unwrap_or(TransactionStatus::Approved);
        let declined = matches!(said, TransactionStatus::Declined | TransactionStatus::HardDeclined);
        let reason = if declined { DeclineReason::InsufficientFunds } else { DeclineReason::Unspecified };
        let transaction = Transaction {
            id: known.map_or_else(|| format!("transaction {}", state.transactions.len()), |known| known.id),
            status: said.into(),
            amount: ask.amount,
            decline_reason: reason.into(),
            reference: ask.reference.clone(),
            ..Transaction::default()
        };
        if said == TransactionStatus::Approved {
            state.charges.push((ask.reference.clone(), ask.amount.unwrap().amount));
        }
        state.transactions.insert(ask.reference, transaction.clone());
        Ok(transaction)
    }

    fn invoice(&self, key: String, ask: CreateInvoiceRequest) -> Result<Invoice, Status> {
        let mut state = self.state();
        let known = state.methods.get(&ask.payment_method_id);
        if !ask.payment_method_id.is_empty() && known.is_none_or(|method| method.owner_id != ask.identity_id) {
            return Err(Status::not_found("no such method"));
        }
        let number = state.invoices.len() + 1;
        let made = state.invoices.entry(key).or_insert_with(|| Invoice {
            id: format!("invoice {number}"),
            owner_id: ask.identity_id,
            items: ask.items,
            order_id: ask.order_id,
            ..Invoice::default()
        });
        Ok(made.clone())
    }

    fn pay(&self, key: String, ask: PayInvoiceRequest) -> Result<Invoice, Status> {
        let mut state = self.state();
        if !state.transactions.values().any(|one| one.id == ask.transaction_id && one.status() == TransactionStatus::Approved) {
            return Err(Status::failed_precondition("no such payment"));
        }
        state.payments.insert(key, (ask.invoice_id.clone(), ask.amount.unwrap().amount));
        let invoice = state.invoices.values().find(|invoice| invoice.id == ask.invoice_id).cloned();
        invoice.ok_or_else(|| Status::not_found("no such invoice"))
    }

    fn provision(&self, ask: CreateProvisionRequest) -> Result<Provision, Status> {
        let made = completed(&ask);
        self.state().provisions.insert(ask.order_offer_id.clone(), ask);
        Ok(Provision { status: ProvisionStatus::Created.into(), ..made })
    }

    fn entitlement(&self, ask: &GetEntitlementRequest) -> Result<Entitlement, Status> {
        let known = self.state().entitlements.get(&ask.entitlement_id).filter(|one| one.owner_id == ask.identity_id).cloned();
        known.ok_or_else(|| Status::not_found("no such entitlement"))
    }
}

/// The provision as fulfilment leaves it.
pub(crate) fn completed(ask: &CreateProvisionRequest) -> Provision {
    Provision {
        id: format!("provision {}", ask.order_offer_id),
        owner_id: ask.identity_id.clone(),
        status: ProvisionStatus::Completed.into(),
        order_id: ask.order_id.clone(),
        order_offer_id: ask.order_offer_id.clone(),
        subscription_id: "subscription".to_owned(),
        entitlement_ids: vec![format!("entitlement {}", ask.order_offer_id)],
        ..Provision::default()
    }
}

/// An entitlement of "alice" to a legal plan.
pub(crate) fn plan(status: EntitlementStatus) -> Entitlement {
    Entitlement {
        id: "plan".into(),
        owner_id: "alice".into(),
        status: status.into(),
        product_id: "product".into(),
        tier_id: "tier".into(),
        supplement_ids: vec!["held".into()],
        service_area: pavise_kernel::common::v1::RegionCode::On.into(),
        market_locale: pavise_kernel::common::v1::Locale::EnCa.into(),
        ..Entitlement::default()
    }
}

pub(crate) fn cents(amount: Option<Money>) -> i64 {
    amount.unwrap().amount
}

pub(crate) fn usd(amount: i64) -> Option<Money> {
    Some(Money { currency: Currency::Usd.into(), amount })
}

/// Answers a unary call; the function gets the idempotency key.
async fn unary<Q, S>(
    request: http::Request<Body>,
    answer: impl FnOnce(String, Q) -> Result<S, Status> + Clone + Send + 'static,
) -> Response<Body>
where
    Q: prost::Message + Default + Send + 'static,
    S: prost::Message + Default + Send + 'static,
{
    let service = service_fn(move |request: Request<Q>| {
        let answer = answer.clone();
        async move {
            let key = key(request.metadata());
            answer(key, request.into_inner()).map(tonic::Response::new)
        }
    });
    tonic::server::Grpc::new(ProstCodec::<S, Q>::default()).unary(Typed(service), request).await
}

/// Names the request type, which `unary` could not infer from the service alone.
#[derive(Clone)]
struct Typed<T>(T);

impl<T, Q> Service<Request<Q>> for Typed<T>
where
    T: Service<Request<Q>>,
{
    type Response = T::Response;
    type Error = T::Error;
    type Future = T::Future;

    fn poll_ready(&mut self, context: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        self.0.call(request)
    }
}

fn key(metadata: &MetadataMap) -> String {
    metadata.get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned()
}
