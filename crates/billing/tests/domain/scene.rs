//! The domain alone, with a clock that stands still, workers that are moved by hand, and a wire that can be cut.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Request as HttpRequest, Response as HttpResponse};
use pavise_billing::contract::v1::invoice_service_client::InvoiceServiceClient;
use pavise_billing::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use pavise_billing::contract::v1::subscription_service_client::SubscriptionServiceClient;
use pavise_billing::contract::v1::test_vendor_service_client::TestVendorServiceClient;
use pavise_billing::contract::v1::*;
use pavise_billing::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::caller::{APPLICATION, Impersonator, Realm, Verifier};
use pavise_kernel::common::v1::{JournalEntry, Money, ReadJournalRequest};
use pavise_kernel::error::Common;
use pavise_kernel::peers::{Credential, Transport};
use pavise_kernel::store::Store;
use pavise_kernel::time::{Ids, Micros, TestClock};
use pavise_kernel::worker::{Feed, Work, Worker};
use pavise_kernel::{Caller, Error, Kernel, Result, async_trait};
use pavise_kernel_postgres::PostgresStore;
use pavise_kernel_sqlite::SqliteStore;
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use tonic::body::Body;
use tonic::{Request, Response, Status};
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceExt as _, service_fn};

/// 2026-01-15, noon.
pub(crate) const NOW: Micros = 1_768_478_400_000_000;

pub(crate) const ALICE: &str = "User/alice";
pub(crate) const MALLORY: &str = "User/mallory";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";
pub(crate) const ADMIN: &str = "GroupAdmin/boss/acme";

/// What happens to a call between the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It never arrives.
    Before,
    /// It has its effect, and the answer is lost.
    After,
    /// It never arrives, and whoever made it is killed.
    KilledBefore,
    /// It has its effect, and whoever made it is killed.
    KilledAfter,
}

/// The wire between the parts: the call of a number is cut.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wire {
    calls: Arc<AtomicUsize>,
    cut: Arc<Mutex<Option<(usize, Cut)>>>,
}

impl Wire {
    /// Cuts the call after so many more.
    pub(crate) fn cut(&self, after: usize, how: Cut) {
        *self.cut.lock().unwrap() = Some((self.calls() + after, how));
    }

    /// How many calls there were.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    fn around(&self, transport: Transport) -> Transport {
        let wire = self.clone();
        BoxCloneSyncService::new(service_fn(move |request: HttpRequest<Body>| {
            let (wire, transport) = (wire.clone(), transport.clone());
            async move { wire.carry(transport, request).await }
        }))
    }

    async fn carry(&self, transport: Transport, request: HttpRequest<Body>) -> Result<HttpResponse<Body>, BoxError> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        let how = self.cut.lock().unwrap().filter(|(at, _)| *at == number).map(|(_, how)| how);
        let lost = || Ok(Status::unavailable("the wire was cut").into_http());
        match how {
            None => transport.oneshot(request).await,
            Some(Cut::Before) => lost(),
            Some(Cut::After) => {
                transport.oneshot(request).await?;
                lost()
            }
            Some(Cut::KilledBefore) => std::future::pending().await,
            Some(Cut::KilledAfter) => {
                transport.oneshot(request).await?;
                std::future::pending().await
            }
        }
    }
}

pub(crate) struct Scene {
    pub(crate) kernel: Kernel,
    pub(crate) clock: TestClock,
    pub(crate) wire: Wire,
    transport: Transport,
    workers: Vec<Arc<dyn Worker>>,
}

/// The domain on an empty SQLite file.
pub(crate) async fn scene() -> Scene {
    on(Arc::new(SqliteStore::open(":memory:", &[&MIGRATIONS]).await.unwrap()), pavise_billing::Config::default())
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    let url = pavise_testkit::postgres::database().await.unwrap();
    let postgres = PostgresStore::connect(&url, 8, &[&MIGRATIONS]).await.unwrap();
    [scene().await, on(Arc::new(postgres), pavise_billing::Config::default())]
}

/// The domain on a database.
pub(crate) fn on(store: Arc<dyn Store>, config: pavise_billing::Config) -> Scene {
    let clock = TestClock::at(NOW);
    let kernel = Kernel::builder(store, Transcoder::new(&DescriptorPool::decode(DESCRIPTORS).unwrap()))
        .clock(Arc::new(clock.clone()))
        .ids(Ids::seeded(1))
        .verifier(Arc::new(Names))
        .credential(Arc::new(Names))
        .contract(METHODS, TABLES)
        .build();
    let domain = pavise_billing::domain(&kernel, &config);
    let transport = pavise_mesh::local(domain.services.into_routes());
    let wire = Wire::default();
    kernel.peers().install(BTreeMap::from([("billing".to_owned(), wire.around(transport.clone()))]));
    Scene { kernel, clock, wire, transport, workers: domain.workers }
}

/// Tokens that say who bears them: `Realm/identity/group`, or `Realm/identity@actor` for who acts in another's name.
#[derive(Debug)]
struct Names;

#[async_trait]
impl Verifier for Names {
    async fn verify(&self, token: &str, _now: Micros) -> Result<Arc<Caller>> {
        let mut parts = token.split('/');
        let realm =
            parts.next().and_then(pavise_kernel::access::realm_of).ok_or_else(|| Error::new(Common::TokenInvalid, "no realm"))?;
        let named = parts.next().unwrap_or_default();
        let (identity, actor) = named.split_once('@').map_or((named, None), |(identity, actor)| (identity, Some(actor)));
        let permissions = if matches!(realm, Realm::Machine | Realm::Internal) { vec!["*".to_owned()] } else { Vec::new() };
        Ok(Arc::new(Caller {
            identity: identity.to_owned(),
            realm,
            groups: parts.map(str::to_owned).collect(),
            permissions: BTreeMap::from([(APPLICATION.to_owned(), permissions)]),
            actor: actor.map(|identity| Impersonator {
                identity: identity.to_owned(),
                may_write: true,
                ..Impersonator::default()
            }),
            ..Caller::default()
        }))
    }
}

impl Credential for Names {
    fn token(&self, _now: Micros) -> String {
        "Machine/platform".to_owned()
    }
}

/// A request of somebody; nobody for an empty name.
pub(crate) fn by<M>(who: &str, message: M) -> Request<M> {
    let mut request = Request::new(message);
    if !who.is_empty() {
        request.metadata_mut().insert("authorization", format!("Bearer {who}").parse().unwrap());
    }
    request
}

/// The same with an idempotency key.
pub(crate) fn keyed<M>(who: &str, key: &str, message: M) -> Request<M> {
    let mut request = by(who, message);
    request.metadata_mut().insert("idempotency-key", key.parse().unwrap());
    request
}

pub(crate) fn usd(amount: i64) -> Option<Money> {
    Some(Money { currency: 1, amount })
}

/// A Visa with that token.
pub(crate) fn card(token: &str) -> NewPaymentMethod {
    let printed = Card {
        brand: CardType::Visa.into(),
        last4: "1111".into(),
        expiry_month: 12,
        expiry_year: 2030,
        holder_name: "Alice".into(),
    };
    NewPaymentMethod {
        r#type: PaymentMethodType::CreditCard.into(),
        vendor: Vendor::Test.into(),
        vendor_token: token.to_owned(),
        card: Some(printed),
        ..NewPaymentMethod::default()
    }
}

/// A checking account with that token.
pub(crate) fn account(token: &str) -> NewPaymentMethod {
    let kind = BankAccountType::Checking.into();
    let printed = BankAccount { r#type: kind, routing_last4: "0021".into(), last4: "6789".into(), holder_name: "Alice".into() };
    NewPaymentMethod { r#type: PaymentMethodType::BankDraft.into(), card: None, bank_account: Some(printed), ..card(token) }
}

pub(crate) const APPROVES: &str = "test_4111111111111111";

/// What a call answered, or why it was refused.
pub(crate) fn answer<T>(answer: Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}

/// The reason of a refusal.
pub(crate) fn reason<T: std::fmt::Debug>(answer: Result<T>) -> String {
    answer.unwrap_err().reason().to_owned()
}

impl Scene {
    pub(crate) fn payments(&self) -> PaymentMethodServiceClient<Transport> {
        PaymentMethodServiceClient::new(self.transport.clone())
    }

    pub(crate) fn invoices(&self) -> InvoiceServiceClient<Transport> {
        InvoiceServiceClient::new(self.transport.clone())
    }

    pub(crate) fn subscriptions(&self) -> SubscriptionServiceClient<Transport> {
        SubscriptionServiceClient::new(self.transport.clone())
    }

    pub(crate) fn vendor(&self) -> TestVendorServiceClient<Transport> {
        TestVendorServiceClient::new(self.transport.clone())
    }

    /// A payment method of "alice".
    pub(crate) async fn method(&self, new: NewPaymentMethod) -> PaymentMethod {
        let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
        answer(self.payments().create_payment_method(by(ALICE, request)).await).unwrap()
    }

    pub(crate) async fn get_method(&self, id: &str) -> PaymentMethod {
        let request = GetPaymentMethodRequest { identity_id: "alice".into(), payment_method_id: id.into() };
        answer(self.payments().get_payment_method(by(PLATFORM, request)).await).unwrap()
    }

    /// The platform's sale of 29.95 to "alice".
    pub(crate) async fn sell(&self, method: &PaymentMethod, reference: &str) -> Result<Transaction> {
        answer(self.payments().create_sale(by(PLATFORM, sale(method, reference))).await)
    }

    pub(crate) async fn transaction(&self, id: &str) -> Transaction {
        let request = GetTransactionRequest { identity_id: "alice".into(), transaction_id: id.into() };
        answer(self.payments().get_transaction(by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn transactions(&self) -> Vec<Transaction> {
        let request = ListTransactionsRequest { page_size: 500, ..ListTransactionsRequest::default() };
        answer(self.payments().list_transactions(by(PLATFORM, request)).await).unwrap().transactions
    }

    /// The vendor's ledger.
    pub(crate) async fn ledger(&self) -> Vec<TestVendorEntry> {
        let request = ListTestVendorEntriesRequest { page_size: 500, page_token: String::new() };
        answer(self.vendor().list_test_vendor_entries(by(PLATFORM, request)).await).unwrap().entries
    }

    /// What the vendor moved to us, less what it moved back, in minor units.
    pub(crate) async fn moved(&self) -> i64 {
        let signed = |entry: &TestVendorEntry| {
            let amount = entry.amount.map_or(0, |amount| amount.amount) * i64::from(entry.movements);
            if entry.r#type() == TransactionType::Refund { -amount } else { amount }
        };
        self.ledger().await.iter().map(signed).sum()
    }

    /// An invoice of "alice" over these amounts.
    pub(crate) async fn invoice(&self, amounts: &[i64], method: &str) -> Invoice {
        let request = CreateInvoiceRequest {
            identity_id: "alice".into(),
            currency: 1,
            items: amounts.iter().map(|amount| item(ItemType::Order, *amount)).collect(),
            payment_method_id: method.into(),
            ..CreateInvoiceRequest::default()
        };
        answer(self.invoices().create_invoice(by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn get_invoice(&self, id: &str) -> Invoice {
        let request = GetInvoiceRequest { identity_id: "alice".into(), invoice_id: id.into() };
        answer(self.invoices().get_invoice(by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn pay(&self, who: &str, key: &str, request: PayInvoiceRequest) -> Result<Invoice> {
        let request = PayInvoiceRequest { identity_id: "alice".into(), ..request };
        answer(self.invoices().pay_invoice(keyed(who, key, request)).await)
    }

    /// What a call about an invoice answers while what is in progress on that invoice is ended by the worker, too.
    pub(crate) async fn while_settled(
        &self,
        invoice_id: &str,
        call: impl Future<Output = Result<Response<Invoice>, Status>>,
    ) -> Result<Invoice> {
        let worker = async {
            loop {
                let settle = SettleInvoiceRequest { invoice_id: invoice_id.to_owned() };
                let _ = self.invoices().settle_invoice(by(PLATFORM, settle)).await;
            }
        };
        tokio::select! {
            biased;
            answered = call => answer(answered),
            () = worker => unreachable!(),
        }
    }

    /// A journal of the domain, by the path of its ReadJournal.
    pub(crate) async fn journal(&self, path: &str) -> Vec<JournalEntry> {
        let ask = by(PLATFORM, ReadJournalRequest { limit: 1000, ..ReadJournalRequest::default() });
        let page = match path {
            path if path.contains("PaymentMethodService") => self.payments().read_journal(ask).await,
            path if path.contains("InvoiceService") => self.invoices().read_journal(ask).await,
            path if path.contains("SubscriptionService") => self.subscriptions().read_journal(ask).await,
            _ => self.vendor().read_journal(ask).await,
        };
        page.unwrap().into_inner().entries
    }

    /// Lets every worker do what is due, until there is nothing new; an entry that fails is tried again later. What is
    /// left undone.
    pub(crate) async fn work(&self, occasion: &str) -> usize {
        let mut left = 0;
        for round in 0..3 {
            left = 0;
            for worker in &self.workers {
                match worker.feed() {
                    Feed::Every(_) => {
                        let work = Work::new(&self.kernel, worker.name(), format!("{occasion} {round}"), "");
                        left += usize::from(worker.tick(&work).await.is_err());
                    }
                    Feed::Journal { path, .. } => {
                        for entry in self.journal(path).await {
                            let work = Work::new(&self.kernel, worker.name(), entry.clock.to_string(), &entry.request_id);
                            left += usize::from(worker.handle(&work, &entry).await.is_err());
                        }
                    }
                }
            }
        }
        left
    }

    /// What every journal must be: without a gap, each version of an entity once.
    pub(crate) async fn assert_journals(&self) {
        for path in ["PaymentMethodService", "InvoiceService", "SubscriptionService", "TestVendorService"] {
            let mut versions: BTreeMap<String, i64> = BTreeMap::new();
            for (entry, clock) in self.journal(path).await.into_iter().zip(1..) {
                assert_eq!(entry.clock, clock, "{path}");
                let version = versions.entry(entry.entity_id.clone()).or_default();
                *version += 1;
                assert_eq!(entry.version, *version, "{path} {}", entry.action);
            }
        }
    }
}

pub(crate) fn sale(method: &PaymentMethod, reference: &str) -> CreateSaleRequest {
    CreateSaleRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        amount: usd(2995),
        order_id: "order".into(),
        offer_id: "offer".into(),
        reference: reference.into(),
        ..CreateSaleRequest::default()
    }
}

pub(crate) fn item(kind: ItemType, amount: i64) -> InvoiceItem {
    InvoiceItem { r#type: kind.into(), amount: usd(amount), description: "something".into(), ..InvoiceItem::default() }
}

/// Lets a call go on for as long as something happens; `None` when it hangs for good, as a killed process does.
pub(crate) async fn unless_killed<T>(call: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(Duration::from_millis(300), call).await.ok()
}
