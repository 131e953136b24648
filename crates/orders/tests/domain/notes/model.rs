//! Random sequences of calls about parents and children, compared with a plain model. The calls are those of the contract
//! with a wider access rule: each realm is admitted, and so the parent's own rule decides.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::table::{Access, Impersonation, Method, Realm, ScopeKind, ScopeRule};
use pavise_kernel::{Error, Page, Result};
use pavise_orders::contract::METHODS;
use pavise_orders::contract::v1::*;
use pavise_testkit::chance::SeededRandom;
use pavise_testkit::runs;

use crate::scene::{PLATFORM, Scene, draft, request_by, scenes};

/// The calls of notes for callers of each realm, with each role in a group.
pub(super) struct Wide<'s> {
    scene: &'s Scene,
    create: &'static Method,
    get: &'static Method,
    list: &'static Method,
    update: &'static Method,
    delete: &'static Method,
}

fn widened(rpc: &str) -> &'static Method {
    let method = METHODS.iter().copied().find(|method| method.rpc == rpc).unwrap();
    let access = Access {
        public: true,
        realms: &[Realm::User, Realm::GroupAdmin, Realm::Internal, Realm::Machine],
        permission: "",
        owner: false,
        owner_only: false,
        owner_admitted: false,
        fresh_proof: false,
        scopes: &[ScopeRule {
            kind: ScopeKind::Group,
            named: false,
            roles: &["GROUP_ADMINISTRATOR", "CUSTOMER_SERVICE_REPRESENTATIVE", "AUTHORIZED_USER", "FILE_ADMINISTRATOR"],
        }],
        impersonation: Impersonation::Allow,
        roles: &[],
    };
    Box::leak(Box::new(Method { access, ..*method }))
}

impl<'s> Wide<'s> {
    pub(super) fn new(scene: &'s Scene) -> Self {
        Self {
            scene,
            create: widened("CreateOrderNote"),
            get: widened("GetOrderNote"),
            list: widened("ListOrderNotes"),
            update: widened("UpdateOrderNote"),
            delete: widened("DeleteOrderNote"),
        }
    }

    async fn create(&self, who: &str, order: &str, text: &str) -> Result<String> {
        let request = CreateOrderNoteRequest { order_id: order.into(), text: text.into(), kind: 0 };
        let made = self.scene.kernel.serve(self.create, request_by(who, request), |call, request| async move {
            call.admit_parent::<OrderNote>(&request.order_id).await?;
            let (order_id, text) = (request.order_id, request.text);
            call.create(OrderNote { order_id, text, author_id: "anybody".into(), ..OrderNote::default() }).await
        });
        Ok(made.await.map_err(Error::from)?.into_inner().id)
    }

    async fn get(&self, who: &str, order: &str, note: &str) -> Result<String> {
        let request = GetOrderNoteRequest { order_id: order.into(), order_note_id: note.into() };
        let found = self.scene.kernel.serve(self.get, request_by(who, request), |call, request| async move {
            call.admit_parent::<OrderNote>(&request.order_id).await?;
            call.get::<OrderNote>(&request.order_note_id).await
        });
        Ok(found.await.map_err(Error::from)?.into_inner().text)
    }

    pub(super) async fn list(&self, who: &str, order: &str) -> Result<Vec<String>> {
        let request = ListOrderNotesRequest { order_id: order.into(), ..ListOrderNotesRequest::default() };
        let listed = self.scene.kernel.serve(self.list, request_by(who, request), |call, request| async move {
            call.admit_parent::<OrderNote>(&request.order_id).await?;
            let (order_notes, next_page_token) = call.list_page(Page { size: 500, ..Page::default() }).await?;
            Ok(ListOrderNotesResponse { order_notes, next_page_token })
        });
        let page = listed.await.map_err(Error::from)?.into_inner();
        Ok(page.order_notes.into_iter().map(|note| note.id).collect())
    }

    async fn update(&self, who: &str, order: &str, note: &str, text: &str) -> Result<String> {
        let (order_id, order_note_id) = (order.into(), note.into());
        let request = UpdateOrderNoteRequest { order_id, order_note_id, text: text.into() };
        let changed = self.scene.kernel.serve(self.update, request_by(who, request), |call, request| async move {
            call.admit_parent::<OrderNote>(&request.order_id).await?;
            let text = request.text;
            call.change(&request.order_note_id, |note: &mut OrderNote| {
                note.text.clone_from(&text);
                Ok(())
            })
            .await
        });
        Ok(changed.await.map_err(Error::from)?.into_inner().text)
    }

    async fn delete(&self, who: &str, order: &str, note: &str) -> Result<String> {
        let request = DeleteOrderNoteRequest { order_id: order.into(), order_note_id: note.into() };
        let deleted = self.scene.kernel.serve(self.delete, request_by(who, request), |call, request| async move {
            call.admit_parent::<OrderNote>(&request.order_id).await?;
            call.delete::<OrderNote>(&request.order_note_id).await
        });
        Ok(deleted.await.map_err(Error::from)?.into_inner().id)
    }
}

/// An order of the model.
struct Parent {
    id: String,
    owner: String,
    group: String,
    removed: bool,
}

/// The model: the orders, and of each note its order and its text.
struct Model {
    orders: Vec<Parent>,
    notes: BTreeMap<String, (String, String)>,
    /// Notes that were removed, with their order.
    gone: Vec<(String, String)>,
}

/// The notes of a page.
const PAGE: usize = 500;

const CALLERS: [&str; 10] = [
    "",
    "User/alice",
    "User/bob",
    "User/mallory",
    "GroupAdmin/ann/acme",
    "GroupAdmin/sue/acme:CUSTOMER_SERVICE_REPRESENTATIVE",
    "GroupAdmin/fay/acme:FILE_ADMINISTRATOR",
    "GroupAdmin/otto/other",
    "Internal/eve/+orders.order_notes.*",
    "Internal/staff",
];

/// Whether the caller may read an order, as the contract of `GetOrder` says.
fn may_read(who: &str, order: &Parent) -> bool {
    let mut parts = who.split('/');
    let (realm, identity, scope) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next());
    let reads_group = matches!(scope, Some("acme" | "acme:CUSTOMER_SERVICE_REPRESENTATIVE")) && order.group == "acme";
    let own = order.owner.is_empty() || order.owner == identity;
    !order.removed
        && match realm {
            "" => order.owner.is_empty(),
            "User" => own,
            "GroupAdmin" => own || reads_group,
            _ => scope.is_none(),
        }
}

async fn make_orders(scene: &Scene) -> Vec<Parent> {
    let mut orders = Vec::new();
    let groups = ["", "acme", "", "acme", "", "acme", "", ""];
    for (owner, group) in ["alice", "alice", "bob", "bob", "mallory", "alice", "", ""].into_iter().zip(groups) {
        let offer = if group.is_empty() { "legal" } else { "employer" };
        let order = Some(draft(RegionCode::Tx, &[offer]));
        let made = if owner.is_empty() {
            scene.orders().create_anonymous_order(request_by("", CreateAnonymousOrderRequest { order })).await
        } else if group.is_empty() {
            let request = CreateOrderRequest { identity_id: owner.into(), order };
            scene.orders().create_order(request_by(PLATFORM, request)).await
        } else {
            let request = CreateGroupOrderRequest { group_id: group.into(), identity_id: owner.into(), order };
            scene.orders().create_group_order(request_by(PLATFORM, request)).await
        };
        let id = made.unwrap().into_inner().id;
        orders.push(Parent { id, owner: owner.into(), group: group.into(), removed: false });
    }
    orders
}

impl Model {
    /// A note, or one that is gone, or one that never was.
    fn pick(&self, chance: &mut SeededRandom) -> String {
        match chance.next_below(8) {
            0 => self
                .gone
                .get(chance.next_below(self.gone.len()))
                .map_or_else(|| "none".to_owned(), |(id, _)| id.clone()),
            _ => {
                self.notes.keys().nth(chance.next_below(self.notes.len())).cloned().unwrap_or_else(|| "none".to_owned())
            }
        }
    }

    /// The text of a note that the caller reaches through an order.
    fn reached(&self, who: &str, order: &Parent, note: &str) -> Option<&String> {
        let (of, text) = self.notes.get(note)?;
        (may_read(who, order) && *of == order.id).then_some(text)
    }

    /// Makes one random call, and compares its answer.
    async fn step(&mut self, wide: &Wide<'_>, chance: &mut SeededRandom, number: usize) -> bool {
        let who = *chance.pick_one(&CALLERS);
        let place = chance.next_below(self.orders.len());
        let order = &self.orders[place];
        let (id, note, text) = (order.id.clone(), self.pick(chance), number.to_string());
        // Most calls name the note's own order, so that many succeed.
        let (id, order) = match self.notes.get(&note).filter(|_| chance.is_in_percent(60)) {
            Some((of, _)) => (of.clone(), self.orders.iter().find(|order| order.id == *of).unwrap()),
            None => (id, order),
        };
        let known = may_read(who, order);
        let reached = self.reached(who, order, &note).cloned();
        let place = self.orders.iter().position(|order| order.id == id).unwrap();
        let what = format!("step {number}: {who:?} at order {place}, note {note}");
        match chance.next_below(20) {
            0..5 => match wide.create(who, &id, &text).await {
                Ok(made) => {
                    assert!(known, "{what}: written");
                    self.notes.insert(made, (id, text));
                    return true;
                }
                Err(error) => assert!(!known && error.reason() == "NOT_FOUND", "{what}: {error:?}"),
            },
            5..10 => return answered(&what, wide.get(who, &id, &note).await, reached),
            10..14 => {
                let of_it = self.notes.iter().filter(|(_, (of, _))| *of == id).map(|(note, _)| note.clone());
                let mut expected: Vec<String> = of_it.collect();
                expected.sort_unstable_by(|one, other| other.cmp(one));
                expected.truncate(PAGE);
                return answered(&what, wide.list(who, &id).await, known.then_some(expected));
            }
            14..16 => {
                let done = answered(&what, wide.update(who, &id, &note, &text).await, reached.map(|_| text.clone()));
                if done {
                    self.notes.insert(note, (id, text));
                }
                return done;
            }
            16 | 17 => {
                let done = answered(&what, wide.delete(who, &id, &note).await, reached.map(|_| note.clone()));
                if done {
                    self.notes.remove(&note);
                    self.gone.push((note, id));
                }
                return done;
            }
            18 if chance.is_in_percent(20) => {
                let owner = *chance.pick_one(&["alice", "bob", "mallory"]);
                let request = AssignOwnerRequest { order_id: id, identity_id: owner.into() };
                let moved = wide.scene.orders().assign_owner(request_by(PLATFORM, request)).await;
                assert_eq!(moved.is_err(), self.orders[place].removed, "{what}");
                self.orders[place].owner = owner.into();
            }
            _ if self.orders.iter().filter(|order| order.removed).count() < 2 && chance.is_in_percent(5) => {
                let request = DeleteOrderRequest { order_id: id };
                let removed = wide.scene.orders().delete_order(request_by(PLATFORM, request)).await;
                assert_eq!(removed.is_err(), self.orders[place].removed, "{what}");
                self.orders[place].removed = true;
            }
            _ => {}
        }
        false
    }
}

/// Compares an answer with the expected one; a note or an order that the caller does not reach is not found.
fn answered<T: PartialEq + std::fmt::Debug>(what: &str, answer: Result<T>, expected: Option<T>) -> bool {
    match (answer, expected) {
        (Ok(answer), Some(expected)) => assert_eq!(answer, expected, "{what}"),
        (Err(error), None) => {
            assert_eq!(error.reason(), "NOT_FOUND", "{what}");
            return false;
        }
        (answer, expected) => assert_eq!(answer.ok(), expected, "{what}"),
    }
    true
}

/// No note is reached through another order, or by a caller who may not read the order, on both engines.
#[tokio::test]
async fn random_calls_reach_what_a_plain_model_says() {
    let count = runs::run_size(2_000, 60_000);
    for (scene, seed) in scenes().await.iter().zip(1..) {
        let mut chance = SeededRandom::new(runs::only_seed().unwrap_or(seed));
        let wide = Wide::new(scene);
        let mut model = Model { orders: make_orders(scene).await, notes: BTreeMap::new(), gone: Vec::new() };
        let mut reached = 0;
        for number in 0..count {
            reached += usize::from(model.step(&wide, &mut chance, number).await);
        }
        println!("{reached} of {count} calls reached a note; {} notes are left", model.notes.len());
        assert!(reached * 6 > count && reached * 5 < count * 4, "{reached} of {count} tell something");
    }
}
