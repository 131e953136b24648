//! The domain alone, and short names for its calls.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pavise_billing::contract::v1::credit_service_client::CreditServiceClient;
use pavise_billing::contract::v1::invoice_export_service_client::InvoiceExportServiceClient;
use pavise_billing::contract::v1::invoice_service_client::InvoiceServiceClient;
use pavise_billing::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use pavise_billing::contract::v1::subscription_service_client::SubscriptionServiceClient;
use pavise_billing::contract::v1::test_vendor_service_client::TestVendorServiceClient;
use pavise_billing::contract::v1::*;
use pavise_billing::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::Result;
use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::time::{HOUR, start_of};
use pavise_testkit::scene::{Contract, Database, Engine, Setup};
use tempfile::TempDir;
use tonic::{Response, Status};

use crate::peers::{Letters, peers};

pub(crate) use pavise_testkit::scene::{WireFault, into_answer, refusal_reason, request_by, request_with_key};

pub(crate) const ALICE: &str = "User/alice";
pub(crate) const MALLORY: &str = "User/mallory";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";
pub(crate) const ADMIN: &str = "GroupAdmin/boss/acme";

fn config() -> pavise_billing::Config {
    pavise_billing::Config { test_vendor: true, ..pavise_billing::Config::default() }
}

pub(crate) struct Scene(pavise_testkit::scene::Scene, Arc<TempDir>, Letters);

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

fn contract() -> Contract {
    Contract { domain: "billing", descriptors: DESCRIPTORS, methods: METHODS, tables: TABLES, migrations: &MIGRATIONS }
}

/// The domain on an empty SQLite file.
pub(crate) async fn scene() -> Scene {
    configured(config()).await
}

/// The same with other settings.
pub(crate) async fn configured(config: pavise_billing::Config) -> Scene {
    begin(contract().start_on(Engine::Sqlite).await, config, folder())
}

/// The same on an engine.
pub(crate) async fn configured_on(engine: Engine, config: pavise_billing::Config) -> Scene {
    begin(contract().start_on(engine).await, config, folder())
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [scene().await, begin(contract().start_on(Engine::Postgres).await, config(), folder())]
}

/// The domain on the SQLite file at a path.
pub(crate) async fn at(file: &Path) -> Scene {
    at_with(file, config()).await
}

/// The same with other settings.
pub(crate) async fn at_with(file: &Path, config: pavise_billing::Config) -> Scene {
    begin(contract().start_with(Database::at(file, &MIGRATIONS).await), config, folder())
}

fn folder() -> Arc<TempDir> {
    Arc::new(tempfile::tempdir().unwrap())
}

fn begin(setup: Setup, config: pavise_billing::Config, folder: Arc<TempDir>) -> Scene {
    let letters = Letters::default();
    let setup =
        setup.peers(["catalog", "groups", "identity", "members", "messaging", "orders"], &peers(&letters).transport());
    let settings = Settings::default().with(config).with(pavise_files::open_folder(folder.path()).unwrap());
    Scene(setup.begin_scene(|kernel| pavise_billing::DOMAIN.build(kernel, &settings).unwrap()), folder, letters)
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
    let printed = BankAccount {
        r#type: kind,
        routing_last4: "0021".into(),
        last4: "6789".into(),
        holder_name: "Alice".into(),
        ..BankAccount::default()
    };
    NewPaymentMethod {
        r#type: PaymentMethodType::BankDraft.into(),
        card: None,
        bank_account: Some(printed),
        ..card(token)
    }
}

pub(crate) const APPROVES: &str = "test_4111111111111111";

impl Scene {
    pub(crate) fn payments(&self) -> PaymentMethodServiceClient<Transport> {
        PaymentMethodServiceClient::new(self.transport())
    }

    pub(crate) fn invoices(&self) -> InvoiceServiceClient<Transport> {
        InvoiceServiceClient::new(self.transport())
    }

    pub(crate) fn exports(&self) -> InvoiceExportServiceClient<Transport> {
        InvoiceExportServiceClient::new(self.transport())
    }

    /// The letters that were sent: their templates and the values of their gaps, without the reader's name.
    pub(crate) fn letters(&self) -> Vec<(String, String)> {
        self.2.sent()
    }

    /// Moves the clock to noon of a day.
    pub(crate) fn go_to(&self, day: Date) {
        let noon = start_of(day) + 12 * HOUR;
        let wait = u64::try_from(noon - self.kernel.business_clock().now()).unwrap();
        self.clock.move_forward(Duration::from_micros(wait));
    }

    /// Makes the stored files of exports old.
    pub(crate) fn age_stored_exports(&self) {
        for name in self.stored_exports() {
            let file = std::fs::File::open(self.1.path().join("invoice_exports").join(name)).unwrap();
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
        }
    }

    /// The names of the stored files of exports.
    pub(crate) fn stored_exports(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.1.path().join("invoice_exports")) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    pub(crate) fn subscriptions(&self) -> SubscriptionServiceClient<Transport> {
        SubscriptionServiceClient::new(self.transport())
    }

    pub(crate) fn credits(&self) -> CreditServiceClient<Transport> {
        CreditServiceClient::new(self.transport())
    }

    pub(crate) fn vendor(&self) -> TestVendorServiceClient<Transport> {
        TestVendorServiceClient::new(self.transport())
    }

    /// A payment method of "alice".
    pub(crate) async fn method(&self, new: NewPaymentMethod) -> PaymentMethod {
        let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
        into_answer(self.payments().create_payment_method(request_by(ALICE, request)).await).unwrap()
    }

    pub(crate) async fn get_method(&self, id: &str) -> PaymentMethod {
        let request = GetPaymentMethodRequest { identity_id: "alice".into(), payment_method_id: id.into() };
        into_answer(self.payments().get_payment_method(request_by(PLATFORM, request)).await).unwrap()
    }

    /// The platform's sale of 29.95 to "alice".
    pub(crate) async fn sell(&self, method: &PaymentMethod, reference: &str) -> Result<Transaction> {
        into_answer(self.payments().create_sale(request_by(PLATFORM, sale(method, reference))).await)
    }

    pub(crate) async fn transaction(&self, id: &str) -> Transaction {
        let request = GetTransactionRequest { identity_id: "alice".into(), transaction_id: id.into() };
        into_answer(self.payments().get_transaction(request_by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn transactions(&self) -> Vec<Transaction> {
        let request = ListTransactionsRequest { page_size: 500, ..ListTransactionsRequest::default() };
        into_answer(self.payments().list_transactions(request_by(PLATFORM, request)).await).unwrap().transactions
    }

    /// The vendor's ledger.
    pub(crate) async fn ledger(&self) -> Vec<TestVendorEntry> {
        let request = ListTestVendorEntriesRequest { page_size: 500, page_token: String::new() };
        into_answer(self.vendor().list_test_vendor_entries(request_by(PLATFORM, request)).await).unwrap().entries
    }

    /// The net amount that the vendor moved to us, in minor units.
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
        into_answer(self.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn get_invoice(&self, id: &str) -> Invoice {
        let request = GetInvoiceRequest { identity_id: "alice".into(), invoice_id: id.into() };
        into_answer(self.invoices().get_invoice(request_by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn pay(&self, who: &str, key: &str, request: PayInvoiceRequest) -> Result<Invoice> {
        let request = PayInvoiceRequest { identity_id: "alice".into(), ..request };
        into_answer(self.invoices().pay_invoice(request_with_key(who, key, request)).await)
    }

    /// The answer to a call about an invoice while the worker ends the operation in progress on that invoice, too.
    pub(crate) async fn while_settled(
        &self,
        invoice_id: &str,
        call: impl Future<Output = Result<Response<Invoice>, Status>>,
    ) -> Result<Invoice> {
        let worker = async {
            loop {
                let settle = SettleInvoiceRequest { invoice_id: invoice_id.to_owned() };
                let _ = self.invoices().settle_invoice(request_by(PLATFORM, settle)).await;
            }
        };
        tokio::select! {
            biased;
            answered = call => into_answer(answered),
            () = worker => unreachable!(),
        }
    }

    /// Runs every worker, then runs all again, which must change nothing. Answers the number of failures that are
    /// left.
    pub(crate) async fn run_workers(&self, occasion: &str) -> usize {
        let worked = self.0.run_workers(occasion).await;
        worked.left + self.replay().await
    }
}

pub(crate) fn sale(method: &PaymentMethod, reference: &str) -> CreateSaleRequest {
    CreateSaleRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        amount: usd(2995),
        // Each reference is a purchase of its own.
        order_id: format!("{}:2995:{}:{}", method.id, method.group_id, tail(reference)),
        offer_id: "offer".into(),
        reference: reference.into(),
        ..CreateSaleRequest::default()
    }
}

/// The end of a reference: an id of an order has 64 characters at most.
fn tail(reference: &str) -> &str {
    reference.get(reference.len().saturating_sub(16)..).unwrap_or(reference)
}

pub(crate) fn item(kind: ItemType, amount: i64) -> InvoiceItem {
    InvoiceItem { r#type: kind.into(), amount: usd(amount), description: "something".into(), ..InvoiceItem::default() }
}
