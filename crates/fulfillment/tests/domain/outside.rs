//! The other domains as doubles. Like the real ones they answer a repeated idempotency key with what they answered
//! before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use http::{Request, Response};
use pavise_fulfillment::contract::{billing, catalog, identity, orders};
use pavise_kernel::error::Common;
use pavise_kernel::peers::Transport;
use pavise_kernel::{Error, Result};
use pavise_testkit::grpc::{answered, asked};
use prost::Message;
use tonic::body::Body;
use tower::BoxError;
use tower::util::BoxCloneSyncService;

/// What the other domains know.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    identities: Mutex<Vec<identity::Identity>>,
    subscriptions: Mutex<Vec<billing::Subscription>>,
    products: Mutex<Vec<catalog::Product>>,
    orders: Mutex<Vec<orders::Order>>,
    prices: Mutex<Option<catalog::ValidateSelectionsResponse>>,
    memories: Mutex<BTreeMap<String, Vec<u8>>>,
    disturbance: Mutex<Option<billing::SubscriptionItem>>,
}

impl Outside {
    /// All identities.
    pub(crate) fn identities(&self) -> Vec<identity::Identity> {
        self.identities.lock().unwrap().clone()
    }

    /// All subscriptions.
    pub(crate) fn subscriptions(&self) -> Vec<billing::Subscription> {
        self.subscriptions.lock().unwrap().clone()
    }

    /// Lets an identity be known.
    pub(crate) fn knows(&self, identity: identity::Identity) {
        self.identities.lock().unwrap().push(identity);
    }

    /// Changes a subscription.
    pub(crate) fn change_subscription(&self, id: &str, change: impl FnOnce(&mut billing::Subscription)) {
        change(self.subscriptions.lock().unwrap().iter_mut().find(|known| known.id == id).unwrap());
    }

    /// Lets somebody else add to a subscription once it was looked at.
    pub(crate) fn disturb(&self, item: billing::SubscriptionItem) {
        *self.disturbance.lock().unwrap() = Some(item);
    }

    /// Lets an order be known.
    pub(crate) fn was_ordered(&self, order: orders::Order) {
        self.orders.lock().unwrap().push(order);
    }

    /// Puts a product into the catalogue.
    pub(crate) fn sells(&self, product: catalog::Product) {
        self.products.lock().unwrap().push(product);
    }

    /// Says what the catalogue answers.
    pub(crate) fn prices(&self, answer: catalog::ValidateSelectionsResponse) {
        *self.prices.lock().unwrap() = Some(answer);
    }

    /// As a transport.
    pub(crate) fn transport(self: &Arc<Self>) -> Transport {
        let outside = self.clone();
        BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
            let outside = outside.clone();
            async move { outside.serve(request).await }
        }))
    }

    async fn serve(&self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        let path = request.uri().path().to_owned();
        let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
        let version = request.headers().get("if-match").map(|tag| tag.to_str().unwrap().parse::<i64>().unwrap());
        let message = asked(request).await?;
        let memory = key.map(|key| format!("{path} {key}"));
        if let Some(known) = memory.as_ref().and_then(|memory| self.memories.lock().unwrap().get(memory).cloned()) {
            return Ok(answered(&known));
        }
        match self.answer(&path, &message, version) {
            Ok(answer) => {
                if let Some(memory) = memory {
                    self.memories.lock().unwrap().insert(memory, answer.clone());
                }
                Ok(answered(&answer))
            }
            Err(error) => Ok(error.into_status("outside", "").into_http()),
        }
    }

    fn answer(&self, path: &str, message: &[u8], version: Option<i64>) -> Result<Vec<u8>> {
        match path.rsplit('/').next().unwrap() {
            "CreateIdentity" => self.create_identity(read(message)).map(|answer| answer.encode_to_vec()),
            "GetIdentity" => {
                let wanted: identity::GetIdentityRequest = read(message);
                let found = self.identities().into_iter().find(|known| known.id == wanted.identity_id);
                found.map(|answer| answer.encode_to_vec()).ok_or_else(|| Error::not_found("identity", &wanted.identity_id))
            }
            "ListIdentities" => {
                let wanted: identity::ListIdentitiesRequest = read(message);
                let identities = self.identities().into_iter().filter(|known| has(known, &wanted.email)).collect();
                Ok(identity::ListIdentitiesResponse { identities, ..Default::default() }.encode_to_vec())
            }
            "CreateSubscription" => Ok(self.create_subscription(read(message)).encode_to_vec()),
            "GetSubscription" => {
                let wanted: billing::GetSubscriptionRequest = read(message);
                let found = self.subscriptions().into_iter().find(|known| known.id == wanted.subscription_id);
                if let Some(item) = self.disturbance.lock().unwrap().take() {
                    self.change_subscription(&wanted.subscription_id, |known| {
                        known.items.push(item);
                        known.version += 1;
                    });
                }
                found
                    .map(|answer| answer.encode_to_vec())
                    .ok_or_else(|| Error::not_found("subscription", &wanted.subscription_id))
            }
            "CancelSubscription" => {
                let wanted: billing::CancelSubscriptionRequest = read(message);
                self.change_subscription(&wanted.subscription_id, |known| {
                    known.set_status(billing::SubscriptionStatus::Cancelled);
                    known.cancel_reason = wanted.reason;
                    known.next_bill_on = None;
                });
                let found = self.subscriptions().into_iter().find(|known| known.id == wanted.subscription_id);
                Ok(found.unwrap().encode_to_vec())
            }
            "UpdateSubscriptionOffer" => self.update_offer(read(message), version).map(|answer| answer.encode_to_vec()),
            "GetProduct" => {
                let wanted: catalog::GetProductRequest = read(message);
                let found = self.products.lock().unwrap().iter().find(|known| known.id == wanted.product_id).cloned();
                found.map(|answer| answer.encode_to_vec()).ok_or_else(|| Error::not_found("product", &wanted.product_id))
            }
            "GetOrder" => {
                let wanted: orders::GetOrderRequest = read(message);
                let orders = self.orders.lock().unwrap();
                let found = orders.iter().find(|known| known.id == wanted.order_id && known.owner_id == wanted.identity_id);
                found.map(Message::encode_to_vec).ok_or_else(|| Error::not_found("order", &wanted.order_id))
            }
            "ValidateSelections" => Ok(self.prices.lock().unwrap().clone().unwrap().encode_to_vec()),
            other => Err(Error::internal(format!("nobody serves {other}"))),
        }
    }

    fn create_identity(&self, wanted: identity::CreateIdentityRequest) -> Result<identity::Identity> {
        let mut identities = self.identities.lock().unwrap();
        if wanted.emails.iter().any(|email| identities.iter().any(|known| has(known, email))) {
            return Err(Error::new(Common::AlreadyExists, "another identity has the same emails address"));
        }
        let emails = wanted.emails.into_iter().map(|address| identity::Email { address, ..Default::default() }).collect();
        let made = identity::Identity { id: format!("identity-{}", identities.len() + 1), emails, ..Default::default() };
        identities.push(made.clone());
        Ok(made)
    }

    fn update_offer(
        &self,
        wanted: billing::UpdateSubscriptionOfferRequest,
        version: Option<i64>,
    ) -> Result<billing::Subscription> {
        let mut subscriptions = self.subscriptions.lock().unwrap();
        let found = subscriptions.iter_mut().find(|known| known.id == wanted.subscription_id).unwrap();
        if version.is_some_and(|version| version != found.version) {
            return Err(Error::new(Common::VersionMismatch, "it is at another version"));
        }
        if found.status() == billing::SubscriptionStatus::Cancelled {
            return Err(Error::new(Common::StatusNotAllowed, "the subscription is CANCELLED"));
        }
        found.offer_id = wanted.offer_id;
        found.items = wanted.items;
        if wanted.billing_period != 0 {
            found.billing_period = wanted.billing_period;
        }
        found.version += 1;
        Ok(found.clone())
    }

    fn create_subscription(&self, wanted: billing::CreateSubscriptionRequest) -> billing::Subscription {
        let mut subscriptions = self.subscriptions.lock().unwrap();
        let made = billing::Subscription {
            id: format!("subscription-{}", subscriptions.len() + 1),
            owner_id: wanted.identity_id,
            status: billing::SubscriptionStatus::Active.into(),
            offer_id: wanted.offer_id,
            items: wanted.items,
            billing_period: wanted.billing_period,
            payment_method_id: wanted.payment_method_id,
            order_offer_id: wanted.order_offer_id,
            version: 1,
            next_bill_on: wanted.next_bill_on,
            paid_to_date: wanted.paid_to_date,
            ..Default::default()
        };
        subscriptions.push(made.clone());
        made
    }
}

fn has(identity: &identity::Identity, email: &str) -> bool {
    identity.emails.iter().any(|known| known.address.eq_ignore_ascii_case(email))
}

fn read<M: Message + Default>(message: &[u8]) -> M {
    M::decode(message).unwrap()
}
