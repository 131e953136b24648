//! The other domains as one double: things that belong to identities and change hands. Like the real ones it answers a
//! repeated idempotency key with what it answered before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use http::{Request, Response};
use pavise_identity::contract::{billing, fulfillment, orders};
use pavise_kernel::error::Common;
use pavise_kernel::peers::Transport;
use pavise_kernel::{Error, Result};
use pavise_testkit::grpc::{answered, asked};
use prost::Message;
use tonic::body::Body;
use tower::BoxError;
use tower::util::BoxCloneSyncService;

/// When a call is never answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Before anything happened.
    Before,
    /// After it has happened.
    After,
}

/// What the other domains know.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Owner by kind and id.
    things: Mutex<BTreeMap<(&'static str, String), String>>,
    /// Merges by provision.
    merges: Mutex<BTreeMap<String, String>>,
    memories: Mutex<BTreeMap<String, Vec<u8>>>,
    down: Mutex<BTreeSet<&'static str>>,
    refused: Mutex<BTreeMap<String, Common>>,
    processing: Mutex<BTreeSet<String>>,
    calls: AtomicUsize,
    silent: Mutex<Option<(usize, Silence)>>,
    fell_silent: tokio::sync::Notify,
}

impl Outside {
    /// Gives a thing to an identity.
    pub(crate) fn give(&self, kind: &'static str, id: &str, owner: &str) {
        self.things.lock().unwrap().insert((kind, id.to_owned()), owner.to_owned());
    }

    /// What belongs to an identity, as "kind id".
    pub(crate) fn of(&self, owner: &str) -> Vec<String> {
        let things = self.things.lock().unwrap();
        things.iter().filter(|(_, of)| *of == owner).map(|((kind, id), _)| format!("{kind} {id}")).collect()
    }

    /// The merge that was recorded on a provision.
    pub(crate) fn merge_of(&self, provision: &str) -> Option<String> {
        self.merges.lock().unwrap().get(provision).cloned()
    }

    /// Lets a domain answer nothing, or answer again.
    pub(crate) fn is_down(&self, domain: &'static str, down: bool) {
        let mut all = self.down.lock().unwrap();
        if down {
            all.insert(domain)
        } else {
            all.remove(domain)
        };
    }

    /// Refuses to move a thing, or does so no more.
    pub(crate) fn refuses(&self, id: &str, reason: Option<Common>) {
        match reason {
            Some(reason) => self.refused.lock().unwrap().insert(id.to_owned(), reason),
            None => self.refused.lock().unwrap().remove(id),
        };
    }

    /// Lets an order be paid at the moment, or not any more.
    pub(crate) fn is_processing(&self, order: &str, processing: bool) {
        let mut all = self.processing.lock().unwrap();
        if processing {
            all.insert(order.to_owned())
        } else {
            all.remove(order)
        };
    }

    /// Never answers the call number `at` (from 1) from now on.
    pub(crate) fn falls_silent(&self, at: usize, how: Silence) {
        self.calls.store(0, Ordering::SeqCst);
        *self.silent.lock().unwrap() = Some((at, how));
    }

    /// Ends when the call was made that is never answered.
    pub(crate) async fn fell_silent(&self) {
        self.fell_silent.notified().await;
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
        if self.down.lock().unwrap().iter().any(|domain| path.starts_with(&format!("/pavise.{domain}."))) {
            return Err("nobody is there".into());
        }
        let count = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let silence = self.silent.lock().unwrap().filter(|(at, _)| *at == count).map(|(_, how)| how);
        if silence == Some(Silence::Before) {
            return self.never().await;
        }
        let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
        let message = asked(request).await?;
        let memory = key.map(|key| format!("{path} {key}"));
        let known = memory.as_ref().and_then(|memory| self.memories.lock().unwrap().get(memory).cloned());
        let answer = known.map_or_else(|| self.answer(&path, &message), Ok);
        if let (Ok(answer), Some(memory)) = (&answer, memory) {
            self.memories.lock().unwrap().insert(memory, answer.clone());
        }
        if silence == Some(Silence::After) {
            return self.never().await;
        }
        Ok(answer.map_or_else(|error| error.into_status("outside", "").into_http(), |answer| answered(&answer)))
    }

    async fn never<T>(&self) -> T {
        *self.silent.lock().unwrap() = None;
        self.fell_silent.notify_one();
        std::future::pending().await
    }

    fn owned(&self, kind: &str, owner: &str) -> Vec<String> {
        let things = self.things.lock().unwrap();
        things.iter().filter(|((of, _), by)| *of == kind && *by == owner).map(|((_, id), _)| id.clone()).collect()
    }

    fn moves(&self, kind: &'static str, id: &str, from: &str, to: &str) -> Result<()> {
        if let Some(reason) = self.refused.lock().unwrap().get(id) {
            return Err(Error::new(*reason, "it stays"));
        }
        let mut things = self.things.lock().unwrap();
        let owner = things.get_mut(&(kind, id.to_owned())).filter(|owner| from.is_empty() || *owner == from);
        to.clone_into(owner.ok_or_else(|| Error::not_found(kind, id))?);
        Ok(())
    }

    fn answer(&self, path: &str, message: &[u8]) -> Result<Vec<u8>> {
        Ok(match path.rsplit('/').next().unwrap() {
            "ListOrders" => {
                let ids = self.owned("order", &read::<orders::ListOrdersRequest>(message).identity_id);
                let orders = ids.into_iter().map(|id| orders::Order { id, ..Default::default() }).collect();
                orders::ListOrdersResponse { orders, ..Default::default() }.encode_to_vec()
            }
            "GetOrder" => {
                let orders::GetOrderRequest { order_id: id, identity_id, .. } = read(message);
                if !self.owned("order", &identity_id).contains(&id) {
                    return Err(Error::not_found("order", &id));
                }
                let paid = self.processing.lock().unwrap().contains(&id);
                let status = if paid { orders::OrderStatus::Processing } else { orders::OrderStatus::Provisioned };
                orders::Order { id, status: status.into(), ..Default::default() }.encode_to_vec()
            }
            "AssignOwner" => {
                let asked: orders::AssignOwnerRequest = read(message);
                self.moves("order", &asked.order_id, "", &asked.identity_id)?;
                orders::Order { id: asked.order_id, ..Default::default() }.encode_to_vec()
            }
            "ListProvisions" => {
                let ids = self.owned("provision", &read::<fulfillment::ListProvisionsRequest>(message).identity_id);
                let provisions = ids.into_iter().map(|id| fulfillment::Provision { id, ..Default::default() }).collect();
                fulfillment::ListProvisionsResponse { provisions, ..Default::default() }.encode_to_vec()
            }
            "GetProvision" => {
                let id = read::<fulfillment::GetProvisionRequest>(message).provision_id;
                let status = fulfillment::ProvisionStatus::Completed.into();
                fulfillment::Provision { id, status, ..Default::default() }.encode_to_vec()
            }
            "UpdateIdentityMergeId" => {
                let asked: fulfillment::UpdateIdentityMergeIdRequest = read(message);
                self.merges.lock().unwrap().insert(asked.provision_id, asked.identity_merge_id);
                fulfillment::Provision::default().encode_to_vec()
            }
            "ListEntitlements" => {
                let ids = self.owned("entitlement", &read::<fulfillment::ListEntitlementsRequest>(message).identity_id);
                let entitlements = ids.into_iter().map(|id| fulfillment::Entitlement { id, ..Default::default() }).collect();
                fulfillment::ListEntitlementsResponse { entitlements, ..Default::default() }.encode_to_vec()
            }
            "ChangeOwner" => {
                let asked: fulfillment::ChangeOwnerRequest = read(message);
                self.moves("entitlement", &asked.entitlement_id, &asked.identity_id, &asked.new_owner_id)?;
                fulfillment::Entitlement::default().encode_to_vec()
            }
            "ListCoverages" => {
                let ids = self.owned("coverage", &read::<fulfillment::ListCoveragesRequest>(message).identity_id);
                let covers = |entitlement_id| fulfillment::Coverage { entitlement_id, ..Default::default() };
                let coverages = ids.into_iter().map(covers).collect();
                fulfillment::ListCoveragesResponse { coverages, ..Default::default() }.encode_to_vec()
            }
            "ChangePerson" => {
                let asked: fulfillment::ChangePersonRequest = read(message);
                self.moves("coverage", &asked.entitlement_id, &asked.person_id, &asked.new_person_id)?;
                fulfillment::Entitlement::default().encode_to_vec()
            }
            other => self.bills(other, message)?,
        })
    }

    fn bills(&self, call: &str, message: &[u8]) -> Result<Vec<u8>> {
        Ok(match call {
            "ListPaymentMethods" => {
                let asked: billing::ListPaymentMethodsRequest = read(message);
                let kind = if asked.status() == billing::PaymentMethodStatus::Active { "card" } else { "old card" };
                let ids = self.owned(kind, &asked.identity_id);
                let payment_methods = ids.into_iter().map(|id| billing::PaymentMethod { id, ..Default::default() }).collect();
                billing::ListPaymentMethodsResponse { payment_methods, ..Default::default() }.encode_to_vec()
            }
            "ChangePaymentMethodOwner" => {
                let asked: billing::ChangePaymentMethodOwnerRequest = read(message);
                self.moves("card", &asked.payment_method_id, &asked.identity_id, &asked.new_owner_id)?;
                billing::PaymentMethod::default().encode_to_vec()
            }
            "ListSubscriptions" => {
                let ids = self.owned("subscription", &read::<billing::ListSubscriptionsRequest>(message).identity_id);
                let subscriptions = ids.into_iter().map(|id| billing::Subscription { id, ..Default::default() }).collect();
                billing::ListSubscriptionsResponse { subscriptions, ..Default::default() }.encode_to_vec()
            }
            "ChangeSubscriptionOwner" => {
                let asked: billing::ChangeSubscriptionOwnerRequest = read(message);
                self.moves("subscription", &asked.subscription_id, &asked.identity_id, &asked.new_owner_id)?;
                billing::Subscription::default().encode_to_vec()
            }
            "ListInvoices" => {
                let ids = self.owned("invoice", &read::<billing::ListInvoicesRequest>(message).identity_id);
                let invoices = ids.into_iter().map(|id| billing::Invoice { id, ..Default::default() }).collect();
                billing::ListInvoicesResponse { invoices, ..Default::default() }.encode_to_vec()
            }
            "ChangeInvoiceOwner" => {
                let asked: billing::ChangeInvoiceOwnerRequest = read(message);
                self.moves("invoice", &asked.invoice_id, &asked.identity_id, &asked.new_owner_id)?;
                billing::Invoice::default().encode_to_vec()
            }
            other => return Err(Error::internal(format!("nobody serves {other}"))),
        })
    }
}

fn read<M: Message + Default>(message: &[u8]) -> M {
    M::decode(message).unwrap()
}
