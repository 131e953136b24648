//! Billing with the stand-in of Stripe.

use std::time::Duration;

use pavise_billing::StripeConfig;
use pavise_billing::contract::v1::hosted_entry_service_client::HostedEntryServiceClient;
use pavise_billing::contract::v1::reconciliation_service_client::ReconciliationServiceClient;
use pavise_billing::contract::v1::vendor_event_service_client::VendorEventServiceClient;
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::peers::Transport;
use pavise_testkit::scene::Engine;
use pavise_testkit::stripe::{API_KEY, EVENT_SECRET, SignedEvent, StripeServer};

use crate::scene::{PLATFORM, Scene, at_with, card, configured_on, into_answer, request_by, usd};

/// Noon of 15 January 2026, when every scene begins.
pub(crate) const NOON: i64 = 1_768_478_400;

/// The settings of an account at the stand-in. An answer that does not come is waited for so long.
pub(crate) fn config(server: &StripeServer, patience: Duration) -> pavise_billing::Config {
    let account = StripeConfig {
        api_key: API_KEY.to_owned(),
        event_secrets: vec!["whsec_of_the_secret_before".to_owned(), EVENT_SECRET.to_owned()],
        api_url: server.url().to_owned(),
        patience,
    };
    pavise_billing::Config {
        test_vendor: true,
        stripe: Some(account),
        public_url: "https://pavise.example".to_owned(),
        ..pavise_billing::Config::default()
    }
}

/// How long an answer is waited for that the stand-in gives.
const LONG: Duration = Duration::from_secs(10);
/// How long a silent stand-in is waited for, where a test is silent once and where it often is.
const SHORT: Duration = Duration::from_secs(1);
const SHORTEST: Duration = Duration::from_millis(500);

/// The domain and the stand-in, on each engine.
pub(crate) async fn stripe_scenes() -> [(Scene, StripeServer); 2] {
    let both = [Engine::Sqlite, Engine::Postgres].map(|engine| async move {
        let server = StripeServer::start(NOON).await.unwrap();
        (configured_on(engine, config(&server, LONG)).await, server)
    });
    let [sqlite, postgres] = both;
    [sqlite.await, postgres.await]
}

/// The domain on SQLite and the stand-in, with little patience for silence.
pub(crate) async fn impatient_scene() -> (Scene, StripeServer) {
    let server = StripeServer::start(NOON).await.unwrap();
    (configured_on(Engine::Sqlite, config(&server, SHORT)).await, server)
}

/// Another process on the same file.
pub(crate) async fn scene_at(file: &std::path::Path, server: &StripeServer) -> Scene {
    at_with(file, config(server, SHORTEST)).await
}

impl Scene {
    pub(crate) fn entries(&self) -> HostedEntryServiceClient<Transport> {
        HostedEntryServiceClient::new(self.transport())
    }

    pub(crate) fn vendor_events(&self) -> VendorEventServiceClient<Transport> {
        VendorEventServiceClient::new(self.transport())
    }

    pub(crate) fn reconciliations(&self) -> ReconciliationServiceClient<Transport> {
        ReconciliationServiceClient::new(self.transport())
    }

    /// A card of "alice" at the stand-in, as the platform adds one.
    pub(crate) async fn stripe_card(&self, server: &StripeServer, kind: &str) -> PaymentMethod {
        let token = server.add_method(kind);
        self.stripe_method(NewPaymentMethod { vendor: Vendor::Stripe.into(), ..card(&token) }).await
    }

    pub(crate) async fn stripe_method(&self, new: NewPaymentMethod) -> PaymentMethod {
        let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
        into_answer(self.payments().create_payment_method(request_by(PLATFORM, request)).await).unwrap()
    }

    /// Delivers an event, as Stripe does.
    pub(crate) async fn deliver(&self, event: &SignedEvent) -> Result<()> {
        let request = ReceiveStripeEventsRequest { body: event.body.clone(), signature: event.signature.clone() };
        into_answer(self.vendor_events().receive_stripe_events(request_by("", request)).await).map(drop)
    }

    pub(crate) async fn stored_events(&self) -> Vec<VendorEvent> {
        let request = ListVendorEventsRequest { page_size: 500, ..ListVendorEventsRequest::default() };
        into_answer(self.vendor_events().list_vendor_events(request_by(PLATFORM, request)).await).unwrap().vendor_events
    }

    pub(crate) async fn resolve(&self, id: &str) -> Transaction {
        let request = ResolveTransactionRequest { transaction_id: id.into(), ..ResolveTransactionRequest::default() };
        into_answer(self.payments().resolve_transaction(request_by(PLATFORM, request)).await).unwrap()
    }

    pub(crate) async fn refund_part(&self, sold: &Transaction, amount: i64, reference: &str) -> Result<Transaction> {
        let request = CreateRefundRequest {
            identity_id: "alice".into(),
            payment_method_id: sold.payment_method_id.clone(),
            transaction_id: sold.id.clone(),
            amount: usd(amount),
            reference: reference.into(),
            ..CreateRefundRequest::default()
        };
        into_answer(self.payments().create_refund(request_by(PLATFORM, request)).await)
    }
}
