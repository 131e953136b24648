//! The other domains as doubles.

use std::sync::{Arc, Mutex};

use pavise_fulfillment::contract::{billing, catalog, identity, members, orders};
use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

/// The state of the other domains.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    identities: Mutex<Vec<identity::Identity>>,
    subscriptions: Mutex<Vec<billing::Subscription>>,
    products: Mutex<Vec<catalog::Product>>,
    versions: Mutex<Vec<catalog::Product>>,
    orders: Mutex<Vec<orders::Order>>,
    prices: Mutex<Option<catalog::ValidateSelectionsResponse>>,
    disturbance: Mutex<Option<billing::SubscriptionItem>>,
    businesses: Mutex<Vec<members::Business>>,
    /// The people whom profiles know, by first name.
    known_people: Mutex<Vec<(String, members::ProfileMatch)>>,
}

impl Peers {
    /// All identities.
    pub(crate) fn identities(&self) -> Vec<identity::Identity> {
        self.identities.lock().unwrap().clone()
    }

    /// All subscriptions.
    pub(crate) fn subscriptions(&self) -> Vec<billing::Subscription> {
        self.subscriptions.lock().unwrap().clone()
    }

    /// All businesses.
    pub(crate) fn businesses(&self) -> Vec<members::Business> {
        self.businesses.lock().unwrap().clone()
    }

    /// Makes a business with the next id.
    fn makes(&self, business: members::Business) -> members::Business {
        let mut known = self.businesses.lock().unwrap();
        let business = members::Business { id: format!("business {}", known.len() + 1), ..business };
        known.push(business.clone());
        business
    }

    /// Adds an identity.
    pub(crate) fn knows(&self, identity: identity::Identity) {
        self.identities.lock().unwrap().push(identity);
    }

    /// Lets profiles know a person of that first name by what a description has in common with them.
    pub(crate) fn matches(&self, first_name: &str, identity: &str, reason: members::ProfileMatchReason) {
        let found = members::ProfileMatch { identity_id: identity.into(), reason: reason.into() };
        self.known_people.lock().unwrap().push((first_name.to_owned(), found));
    }

    /// Changes a subscription.
    pub(crate) fn change_subscription(&self, id: &str, change: impl FnOnce(&mut billing::Subscription)) {
        change(self.subscriptions.lock().unwrap().iter_mut().find(|known| known.id == id).unwrap());
    }

    /// Lets another caller add to a subscription after it was read.
    pub(crate) fn disturb(&self, item: billing::SubscriptionItem) {
        *self.disturbance.lock().unwrap() = Some(item);
    }

    /// Adds an order.
    pub(crate) fn was_ordered(&self, order: orders::Order) {
        self.orders.lock().unwrap().push(order);
    }

    /// Puts a product into the catalog.
    pub(crate) fn sells(&self, product: catalog::Product) {
        self.products.lock().unwrap().push(product);
    }

    /// Puts a frozen version of a product into the catalog, which has that content now.
    pub(crate) fn publishes(&self, product: catalog::Product) {
        self.products.lock().unwrap().retain(|known| known.id != product.id);
        self.versions.lock().unwrap().push(product.clone());
        self.sells(product);
    }

    /// Sets the answer of the catalog.
    pub(crate) fn prices(&self, answer: catalog::ValidateSelectionsResponse) {
        *self.prices.lock().unwrap() = Some(answer);
    }

    /// The calls that fulfillment makes.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        let this = || self.clone();
        let (made, one, all) = (this(), this(), this());
        let double = PeerDouble::default()
            .with_call("/pavise.identity.v1.IdentityService/CreateIdentity", move |ask: RecordedCall<_>| {
                made.create_identity(ask.message)
            })
            .with_call(
                "/pavise.identity.v1.IdentityService/GetIdentity",
                move |ask: RecordedCall<identity::GetIdentityRequest>| {
                    let id = &ask.message.identity_id;
                    one.identities()
                        .into_iter()
                        .find(|known| known.id == *id)
                        .ok_or_else(|| Error::not_found("identity", id))
                },
            )
            .with_call(
                "/pavise.identity.v1.IdentityService/ListIdentities",
                move |ask: RecordedCall<identity::ListIdentitiesRequest>| {
                    let identities =
                        all.identities().into_iter().filter(|known| has(known, &ask.message.email)).collect();
                    Ok(identity::ListIdentitiesResponse { identities, ..Default::default() })
                },
            );
        let (product, frozen, order, priced) = (this(), this(), this(), this());
        let (bought, made, people) = (this(), this(), this());
        self.bills(double)
            .on_anew(
                "/pavise.members.v1.ProfileService/MatchProfiles",
                move |ask: RecordedCall<members::MatchProfilesRequest>| {
                    let known = people.known_people.lock().unwrap();
                    let same = known.iter().filter(|(name, _)| *name == ask.message.first_name);
                    let matches = same.map(|(_, found)| found.clone()).collect();
                    Ok(members::MatchProfilesResponse { matches })
                },
            )
            .with_call(
                "/pavise.members.v1.BusinessService/CreateBusinessFromCheckout",
                move |ask: RecordedCall<members::CreateBusinessFromCheckoutRequest>| {
                    let cart = ask.message.business_info.unwrap_or_default();
                    let emails = vec![members::BusinessEmail { address: cart.email, ..Default::default() }];
                    let ids = ask.message.associated_entitlement_ids;
                    let business = members::Business { name: cart.name, emails, ..Default::default() };
                    Ok(bought.makes(members::Business { associated_entitlement_ids: ids, ..business }))
                },
            )
            .with_call(
                "/pavise.members.v1.BusinessService/CreateBusiness",
                move |ask: RecordedCall<members::CreateBusinessRequest>| {
                    let (name, ids) = (ask.message.name, ask.message.associated_entitlement_ids);
                    let business = members::Business { name, ..Default::default() };
                    Ok(made.makes(members::Business { associated_entitlement_ids: ids, ..business }))
                },
            )
            .with_call(
                "/pavise.catalog.v1.ProductService/GetProduct",
                move |ask: RecordedCall<catalog::GetProductRequest>| {
                    let id = &ask.message.product_id;
                    let found = product.products.lock().unwrap().iter().find(|known| known.id == *id).cloned();
                    found.ok_or_else(|| Error::not_found("product", id))
                },
            )
            .with_call(
                "/pavise.catalog.v1.ProductService/GetProductVersion",
                move |ask: RecordedCall<catalog::GetProductVersionRequest>| {
                    let (id, number) = (&ask.message.product_id, ask.message.version);
                    let versions = frozen.versions.lock().unwrap();
                    let found = versions.iter().find(|known| known.id == *id && known.product_version == number);
                    let found = found.cloned().ok_or_else(|| Error::not_found("product version", id))?;
                    Ok(catalog::ProductVersion { product: Some(found), ..Default::default() })
                },
            )
            .with_call("/pavise.orders.v1.OrderService/GetOrder", move |ask: RecordedCall<orders::GetOrderRequest>| {
                let (id, owner) = (&ask.message.order_id, &ask.message.identity_id);
                let orders = order.orders.lock().unwrap();
                let found = orders.iter().find(|known| known.id == *id && known.owner_id == *owner).cloned();
                found.ok_or_else(|| Error::not_found("order", id))
            })
            .with_call(
                "/pavise.catalog.v1.OfferService/ValidateSelections",
                move |_: RecordedCall<catalog::ValidateSelectionsRequest>| {
                    Ok(priced.prices.lock().unwrap().clone().unwrap())
                },
            )
    }

    fn bills(self: &Arc<Self>, double: PeerDouble) -> PeerDouble {
        const CREATE: &str = "/pavise.billing.v1.SubscriptionService/CreateSubscription";
        const GET: &str = "/pavise.billing.v1.SubscriptionService/GetSubscription";
        const GET_METHOD: &str = "/pavise.billing.v1.PaymentMethodService/GetPaymentMethod";
        const CANCEL: &str = "/pavise.billing.v1.SubscriptionService/CancelSubscription";
        const UPDATE: &str = "/pavise.billing.v1.SubscriptionService/UpdateSubscriptionOffer";
        let this = || self.clone();
        let (create, get, cancel, update) = (this(), this(), this(), this());
        double
            .with_call(CREATE, move |ask: RecordedCall<_>| Ok(create.create_subscription(ask.message)))
            .with_call(GET, move |ask: RecordedCall<billing::GetSubscriptionRequest>| {
                get.subscription(&ask.message.subscription_id)
            })
            .with_call(GET_METHOD, move |ask: RecordedCall<billing::GetPaymentMethodRequest>| {
                let id = ask.message.payment_method_id;
                let group_id = if id == "card of acme" { "acme".to_owned() } else { String::new() };
                Ok(billing::PaymentMethod { id, group_id, ..Default::default() })
            })
            .with_call(CANCEL, move |ask: RecordedCall<billing::CancelSubscriptionRequest>| {
                cancel.change_subscription(&ask.message.subscription_id, |known| {
                    known.set_status(billing::SubscriptionStatus::Cancelled);
                    known.cancel_reason = ask.message.reason;
                    known.next_bill_on = None;
                });
                Ok(cancel.known(&ask.message.subscription_id).unwrap())
            })
            .with_call(UPDATE, move |ask: RecordedCall<_>| update.update_offer(ask.message, ask.version))
    }

    fn known(&self, id: &str) -> Option<billing::Subscription> {
        self.subscriptions().into_iter().find(|known| known.id == id)
    }

    /// A subscription before the pending disturbance, which happens after this read.
    fn subscription(&self, id: &str) -> Result<billing::Subscription> {
        let found = self.known(id);
        if let Some(item) = self.disturbance.lock().unwrap().take() {
            self.change_subscription(id, |known| {
                known.items.push(item);
                known.version += 1;
            });
        }
        found.ok_or_else(|| Error::not_found("subscription", id))
    }

    fn create_identity(&self, wanted: identity::CreateIdentityRequest) -> Result<identity::Identity> {
        let mut identities = self.identities.lock().unwrap();
        if wanted.emails.iter().any(|email| identities.iter().any(|known| has(known, email))) {
            return Err(Error::new(Common::AlreadyExists, "another identity has the same emails address"));
        }
        let emails =
            wanted.emails.into_iter().map(|address| identity::Email { address, ..Default::default() }).collect();
        let made =
            identity::Identity { id: format!("identity-{}", identities.len() + 1), emails, ..Default::default() };
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
