//! The other domains, as far as members calls them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pavise_kernel::common::v1::{
    CheckTieRequest, CheckTieResponse, ErasedCounts, ExportPersonRequest, ExportPersonResponse, HeldEntity,
    PersonalValue, RedactPersonRequest, RedactPersonResponse,
};
use pavise_kernel::table::{OwnedEntity, OwnerList, PersonCalls};
use pavise_members::contract::fulfillment::{
    Entitlement, EntitlementStatus, ListEntitlementsRequest, ListEntitlementsResponse, RemoveAuthorizedUsersRequest,
};
use pavise_members::contract::identity::{
    DataKey, DestroyDataKeysRequest, DestroyDataKeysResponse, GetDataKeysRequest, GetDataKeysResponse, Identity,
    ListDestroyedDataKeysRequest, ListDestroyedDataKeysResponse, RevokeAllSessionsRequest, RevokeAllSessionsResponse,
    SetDisplayNameRequest,
};
use pavise_testkit::scene::{PeerDouble, RecordedCall};
use prost::Message;

/// The calls about the data of one person that the domain orders has.
pub(crate) static ORDERS: PersonCalls = PersonCalls {
    domain: "orders",
    export: "/pavise.orders.v1.PersonService/ExportPerson",
    redact: "/pavise.orders.v1.PersonService/RedactPerson",
};

/// The orders, the cards and the files of a person. A card in use does not keep its owner from being erased, and a file does
/// while it is on legal hold.
pub(crate) static OWNED_ENTITIES: [&OwnedEntity; 3] = [
    &owned_entity("orders", "orders", false),
    &owned_entity("payment_methods", "billing", true),
    &OwnedEntity { in_use: Some(OwnerList { held: 2, ..list(LIST_FILES) }), ..owned_entity("files", "orders", false) },
];

const LIST: &str = "/pavise.double.v1.Records/List";
const LIST_FILES: &str = "/pavise.double.v1.Files/List";

fn destroyed_key(name: &str, at: i64) -> DataKey {
    let at = Some(prost_types::Timestamp { seconds: at, nanos: 0 });
    DataKey { name: name.to_owned(), at, ..DataKey::default() }
}

const fn owned_entity(processor: &'static str, domain: &'static str, erasable: bool) -> OwnedEntity {
    OwnedEntity {
        processor,
        domain,
        message: "",
        place: 10,
        list: list(LIST),
        transfer: None,
        in_use: Some(list(LIST)),
        erasable,
    }
}

const fn list(path: &'static str) -> OwnerList {
    OwnerList {
        path,
        owner: 1,
        status: 0,
        statuses: &[],
        page_size: 2,
        page_token: 3,
        items: 1,
        item_id: 1,
        next_page_token: 2,
        held: 0,
    }
}

#[derive(Message)]
struct ListRequest {
    #[prost(string, tag = "1")]
    owner: String,
}

#[derive(Message)]
struct ListResponse {
    #[prost(message, repeated, tag = "1")]
    items: Vec<Item>,
}

#[derive(Message)]
struct Item {
    #[prost(string, tag = "1")]
    id: String,
    #[prost(bool, tag = "2")]
    on_hold: bool,
}

/// The calls of members that the other domains received, and what they have.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    names: Mutex<Vec<(String, String)>>,
    /// The ids of open orders, by owner.
    open: Mutex<BTreeMap<String, Vec<String>>>,
    /// The files of people, each with whether it is on legal hold.
    files: Mutex<BTreeMap<String, Vec<(String, bool)>>>,
    /// The e-mail addresses on orders, by person.
    addresses: Mutex<BTreeMap<String, String>>,
    /// The destroyed keys, with the seconds at which they were destroyed.
    destroyed: Mutex<BTreeMap<String, i64>>,
    plans: Mutex<Vec<Entitlement>>,
}

impl Peers {
    /// The display names of identities, as they were set.
    pub(crate) fn names(&self) -> Vec<(String, String)> {
        self.names.lock().unwrap().clone()
    }

    /// Sets the open orders of a person.
    pub(crate) fn has_open(&self, person: &str, orders: &[&str]) {
        let orders = orders.iter().map(|id| (*id).to_owned()).collect();
        self.open.lock().unwrap().insert(person.to_owned(), orders);
    }

    /// Sets the files of a person, each with whether it is on legal hold.
    pub(crate) fn has_files(&self, person: &str, files: &[(&str, bool)]) {
        let files = files.iter().map(|(id, on_hold)| ((*id).to_owned(), *on_hold)).collect();
        self.files.lock().unwrap().insert(person.to_owned(), files);
    }

    /// Puts the address of a person on an order.
    pub(crate) fn has_order(&self, person: &str, address: &str) {
        self.addresses.lock().unwrap().insert(person.to_owned(), address.to_owned());
    }

    /// The names of the keys that were destroyed.
    pub(crate) fn destroyed(&self) -> Vec<String> {
        self.destroyed.lock().unwrap().keys().cloned().collect()
    }

    /// Destroys a key, as an erasure did of which the database knows nothing.
    pub(crate) fn destroy(&self, name: &str, at: i64) {
        self.destroyed.lock().unwrap().insert(name.to_owned(), at);
    }

    /// A page of the destroyed keys, two at most.
    fn list_destroyed(&self, after: &str) -> Vec<DataKey> {
        let all = self.destroyed.lock().unwrap();
        let later = all.iter().filter(|(name, _)| name.as_str() > after);
        later.take(2).map(|(name, at)| destroyed_key(name, *at)).collect()
    }

    /// Adds a plan.
    pub(crate) fn has_plan(&self, plan: Entitlement) {
        self.plans.lock().unwrap().push(plan);
    }

    /// The people whom a plan covers.
    pub(crate) fn covered(&self, plan: &str) -> Vec<String> {
        let plans = self.plans.lock().unwrap();
        let plan = plans.iter().find(|known| known.id == plan).unwrap();
        plan.authorized_users.iter().map(|person| person.id.clone()).collect()
    }

    /// The domains billing, fulfillment, identity and orders. "nobody" does not exist.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        let (named, key, found, list) = (self.clone(), self.clone(), self.clone(), self.clone());
        let double = PeerDouble::default()
            .on_anew("/pavise.identity.v1.TieService/CheckTie", |ask: RecordedCall<CheckTieRequest>| {
                Ok(CheckTieResponse { exists: ask.message.identity_id != "nobody", ..CheckTieResponse::default() })
            })
            .with_call(
                "/pavise.identity.v1.IdentityService/SetDisplayName",
                move |ask: RecordedCall<SetDisplayNameRequest>| {
                    let SetDisplayNameRequest { identity_id, display_name } = ask.message;
                    named.names.lock().unwrap().push((identity_id.clone(), display_name.clone()));
                    Ok(Identity { id: identity_id, display_name, ..Identity::default() })
                },
            )
            .on_anew(
                "/pavise.identity.v1.DataKeyService/DestroyDataKeys",
                move |ask: RecordedCall<DestroyDataKeysRequest>| {
                    let mut all = key.destroyed.lock().unwrap();
                    let at = ask.message.at.unwrap_or_default().seconds;
                    for name in ask.message.names {
                        all.entry(name).or_insert(at);
                    }
                    Ok(DestroyDataKeysResponse {})
                },
            );
        let double = double
            .on_anew("/pavise.identity.v1.DataKeyService/GetDataKeys", move |ask: RecordedCall<GetDataKeysRequest>| {
                let all = found.destroyed.lock().unwrap();
                let known = ask.message.names.iter().filter_map(|name| Some(destroyed_key(name, *all.get(name)?)));
                Ok(GetDataKeysResponse { keys: known.collect() })
            })
            .on_anew(
                "/pavise.identity.v1.DataKeyService/ListDestroyedDataKeys",
                move |ask: RecordedCall<ListDestroyedDataKeysRequest>| {
                    Ok(ListDestroyedDataKeysResponse { keys: list.list_destroyed(&ask.message.after) })
                },
            );
        let double = double.on_anew(
            "/pavise.identity.v1.SessionService/RevokeAllSessions",
            |_: RecordedCall<RevokeAllSessionsRequest>| Ok(RevokeAllSessionsResponse::default()),
        );
        self.covers(self.keeps_orders(double))
    }

    /// Orders, which have the address of a person, their open orders, and their files.
    fn keeps_orders(self: &Arc<Self>, double: PeerDouble) -> PeerDouble {
        let (list, export, redact, files) = (self.clone(), self.clone(), self.clone(), self.clone());
        double
            .on_anew(LIST_FILES, move |ask: RecordedCall<ListRequest>| {
                let files = files.files.lock().unwrap().get(&ask.message.owner).cloned().unwrap_or_default();
                Ok(ListResponse { items: files.into_iter().map(|(id, on_hold)| Item { id, on_hold }).collect() })
            })
            .on_anew(LIST, move |ask: RecordedCall<ListRequest>| {
                let open = list.open.lock().unwrap().get(&ask.message.owner).cloned().unwrap_or_default();
                Ok(ListResponse { items: open.into_iter().map(|id| Item { id, on_hold: false }).collect() })
            })
            .on_anew(ORDERS.export, move |ask: RecordedCall<ExportPersonRequest>| {
                let address = export.addresses.lock().unwrap().get(&ask.message.identity_id).cloned();
                let value = |value| PersonalValue {
                    service: "orders".into(),
                    entity: "Order".into(),
                    id: "order".into(),
                    field: "personalInfo.email".into(),
                    value,
                    current: true,
                };
                // The first part is empty, as one of a long journal may be.
                let is_first = ask.message.page_token.is_empty();
                let values = address.filter(|_| !is_first).map(value).into_iter().collect();
                let next_page_token = if is_first { "orders:1".to_owned() } else { String::new() };
                Ok(ExportPersonResponse { values, next_page_token })
            })
            .on_anew(ORDERS.redact, move |ask: RecordedCall<RedactPersonRequest>| {
                let (mut all, person) = (redact.addresses.lock().unwrap(), &ask.message.identity_id);
                let known = if ask.message.preview { all.get(person).cloned() } else { all.remove(person) };
                let counts =
                    |_| ErasedCounts { service: "orders".into(), entities: 1, entries: 3, ..Default::default() };
                let files = redact.files.lock().unwrap().get(person).cloned().unwrap_or_default();
                let held = files.into_iter().filter(|(_, on_hold)| *on_hold && !ask.message.preview);
                let held_entities = held.map(|(id, _)| HeldEntity { service: "files".into(), id }).collect();
                let services = known.map(counts).into_iter().collect();
                Ok(RedactPersonResponse { services, held_entities, ..Default::default() })
            })
    }

    /// Plans, which people can be taken off.
    fn covers(self: &Arc<Self>, double: PeerDouble) -> PeerDouble {
        let (list, remove) = (self.clone(), self.clone());
        double
            .on_anew(
                "/pavise.fulfillment.v1.EntitlementService/ListEntitlements",
                move |ask: RecordedCall<ListEntitlementsRequest>| {
                    let is_asked = |plan: &&Entitlement| {
                        plan.owner_id == ask.message.identity_id && plan.status == ask.message.status
                    };
                    let entitlements = list.plans.lock().unwrap().iter().filter(is_asked).cloned().collect();
                    Ok(ListEntitlementsResponse { entitlements, ..Default::default() })
                },
            )
            .with_call(
                "/pavise.fulfillment.v1.EntitlementService/RemoveAuthorizedUsers",
                move |ask: RecordedCall<RemoveAuthorizedUsersRequest>| {
                    let mut plans = remove.plans.lock().unwrap();
                    let plan = plans.iter_mut().find(|plan| plan.id == ask.message.entitlement_id).unwrap();
                    assert_eq!(plan.status(), EntitlementStatus::Active);
                    plan.authorized_users.retain(|person| !ask.message.person_ids.contains(&person.id));
                    Ok(plan.clone())
                },
            )
    }
}
