//! Every call about an entity × {own, in a scope of the caller's, in a foreign scope, nobody's} × each confined realm ×
//! impersonation, made from the contract: the rows are written past the calls, so that each relation exists for each
//! aggregate.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use bytes::Bytes;
use pavise_contract::options::v1::{Answers, Impersonation, Realm, ScopeKind, TieBy};
use pavise_contract::{Aggregate, Behavior, Contract, Method, Service};
use pavise_kernel::caller::Impersonator;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::store::{Command, Outcome, StoredRow, Write};
use pavise_kernel::table::Table;
use pavise_kernel::{Caller, Scope, codec::BytesCodec};
use pavise_testapp::{Engine, TestApp};
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, Value};
use serde_json::json;
use tonic::{Request, Status};
use tonic_types::StatusExt as _;

const ME: &str = "01900000-0000-7000-8000-0000000001aa";
const OTHER: &str = "01900000-0000-7000-8000-0000000001bb";
const THIRD: &str = "01900000-0000-7000-8000-0000000001cc";
const MINE: &str = "my scope";
const FOREIGN: &str = "a foreign scope";
const CONFINED: [Realm; 2] = [Realm::Partner, Realm::GroupAdmin];

/// How an entity is related to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    /// The caller's own, in no scope.
    Own,
    /// Another's, in a scope in which the caller has a role.
    SameScope,
    /// Another's, in another scope.
    ForeignScope,
    /// Nobody's, in no scope.
    Nobodys,
}

const RELATIONS: [Relation; 4] = [Relation::Own, Relation::SameScope, Relation::ForeignScope, Relation::Nobodys];

impl Relation {
    fn owner(self) -> &'static str {
        match self {
            Self::Own => ME,
            Self::SameScope => OTHER,
            Self::ForeignScope => THIRD,
            Self::Nobodys => "",
        }
    }

    fn scope(self) -> &'static str {
        match self {
            Self::SameScope => MINE,
            Self::ForeignScope => FOREIGN,
            Self::Own | Self::Nobodys => "",
        }
    }
}

/// The ids of the rows by table and relation.
type Rows = BTreeMap<(&'static str, Relation), String>;

struct Matrix<'a> {
    app: &'a TestApp,
    contract: &'a Contract,
    rows: Rows,
    checks: u32,
    undecided: u32,
    wrong: Vec<String>,
}

/// Whether the entities of an aggregate have the id of their owner.
fn is_own_id(contract: &Contract, aggregate: &Aggregate) -> bool {
    let of_it = contract.methods().filter(|(_, method)| method.facts.entity == aggregate.descriptor.full_name());
    of_it.into_iter().any(|(_, method)| !method.facts.id.is_empty() && method.facts.id == method.access.owner)
}

/// The relations that entities of an aggregate can have.
fn relations(contract: &Contract, aggregate: &Aggregate) -> Vec<Relation> {
    let options = &aggregate.options;
    let all = RELATIONS.into_iter();
    let all = all.filter(|relation| !options.shared || *relation != Relation::Own);
    all.filter(|relation| *relation != Relation::Nobodys || !is_own_id(contract, aggregate)).collect()
}

/// Writes a row of each relation into each root aggregate's table.
async fn fill(app: &TestApp, contract: &Contract) -> Rows {
    let mut rows = Rows::new();
    for entry in pavise::domains::tables() {
        let table: &'static Table = entry.table;
        let Some(aggregate) = contract.aggregates.get(table.message) else { continue };
        if aggregate.options.parent.is_some() {
            continue;
        }
        let own_id = is_own_id(contract, aggregate);
        let mut writes = Vec::new();
        for relation in relations(contract, aggregate) {
            let owner = if aggregate.options.shared { "" } else { relation.owner() };
            let id = if own_id { relation.owner().to_owned() } else { app.id() };
            writes.push(row(app, table, &id, owner, relation.scope()));
            rows.insert((table.name, relation), id);
        }
        let command = Command { journal: table.journal, writes, at: app.now(), ..Command::default() };
        let outcomes = app.app.kernel.store().commit(&[command]).await.unwrap();
        assert!(matches!(outcomes.as_slice(), [Outcome::Committed(_)]), "{}: {outcomes:?}", table.name);
    }
    rows
}

/// A row with the fields that decide who sees it.
fn row(app: &TestApp, table: &'static Table, id: &str, owner: &str, scope: &str) -> Write {
    // Of a shared aggregate, a status in which everybody sees it.
    let shown = table.visible.first().and_then(|rule| rule.statuses.first());
    let status = shown.copied().unwrap_or(table.initial).to_owned();
    let mut doc = json!({"id": id, "ownerId": owner, "status": status, "version": "1"});
    let (mut lookups, fields) = (Vec::new(), doc.as_object_mut().unwrap());
    let outer = table.scopes.iter().filter(|(kind, _)| kind.within() == ScopeKind::Unspecified && !scope.is_empty());
    for lookup in outer.filter_map(|(_, name)| table.lookup(name)) {
        if lookup.many {
            fields.insert(lookup.json.to_owned(), json!([scope]));
            lookups.push((lookup, scope.to_owned()));
        } else {
            fields.insert(lookup.json.to_owned(), json!(scope));
        }
    }
    // The rows of a search and of an expression index need no further value.
    let row = StoredRow {
        id: id.to_owned(),
        owner_id: owner.to_owned(),
        status,
        version: 1,
        created_at: app.now(),
        updated_at: app.now(),
        doc: doc.to_string(),
        ..StoredRow::default()
    };
    Write { table, row, expected: None, removed: false, action: "WRITTEN".to_owned(), lookups }
}

/// A caller of a realm whom the call admits, with an admitted role in one scope of each kind of the realm.
fn caller(method: &Method, realm: Realm) -> Caller {
    let kinds = [ScopeKind::Group, ScopeKind::Branch, ScopeKind::Firm, ScopeKind::Associate];
    let scopes = kinds.into_iter().filter(|kind| kind.realm() == realm).map(|kind| {
        let said = method.access.scopes.iter().find(|scope| scope.kind() == kind);
        let said = said.and_then(|scope| scope.roles.first().map(String::as_str));
        Scope::new(kind, MINE, &[said.or_else(|| kind.roles().first().copied()).unwrap_or_default()])
    });
    let caller = TestApp::with_permissions(realm, ME, &["*"]);
    Caller { scopes: scopes.collect(), ..caller }
}

/// Whether the contract lets callers of the realm see an entity of that relation, said anew.
fn is_open(method: &Method, aggregate: &Aggregate, realm: Realm, relation: Relation) -> bool {
    let options = &aggregate.options;
    let unconfined = options.unconfined.iter().any(|one| one.realms().any(|other| other == realm));
    let scoped = options.scopes.iter().any(|scope| scope.kind().realm() == realm);
    // The owner of the row in the caller's scope never became a member of it.
    let of_member = method.access.ties.iter().any(|tie| tie.by() == TieBy::Member);
    match relation {
        _ if unconfined => true,
        Relation::Own => !options.shared,
        Relation::SameScope => scoped && !of_member,
        Relation::ForeignScope => false,
        Relation::Nobodys => method.access.public && !options.shared,
    }
}

impl Matrix<'_> {
    async fn ask(&self, service: &Service, method: &Method, caller: &Caller, request: &DynamicMessage) -> Answer {
        let token = self.app.token(caller);
        let channel = PeerChannel::new(self.app.app.kernel.peers(), &service.domain, &token, "", None);
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await.unwrap();
        let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
        let mut request = Request::new(Bytes::from(request.encode_to_vec()));
        if !method.reads() {
            // The rows stay as they are for the calls that follow.
            request.metadata_mut().insert("pavise-validate-only", "true".parse().unwrap());
        }
        let answer = client.unary(request, path.parse().unwrap(), BytesCodec).await?;
        Ok(DynamicMessage::decode(method.descriptor.output(), answer.into_inner()).unwrap())
    }

    /// The request about an entity, which names its owner and the caller's scope.
    fn request(&self, method: &Method, id: Option<&str>, owner: &str) -> DynamicMessage {
        let mut message = DynamicMessage::new(method.descriptor.input());
        let named = owner == OTHER || method.access.owner.is_empty();
        let scopes = method.access.scopes.iter().filter(|scope| named && !scope.field.is_empty());
        let scopes = scopes.map(|scope| (scope.field.as_str(), MINE));
        let named = scopes.chain([(method.access.owner.as_str(), owner)]);
        for (field, value) in named.chain(id.map(|id| (method.facts.id.as_str(), id))) {
            if !field.is_empty() && !value.is_empty() {
                message.set_field_by_name(field, Value::String(value.to_owned()));
            }
        }
        message
    }

    /// A call about one entity: of each relation, it is found or it is not.
    async fn one(&mut self, service: &Service, method: &Method, aggregate: &Aggregate, caller: &Caller) {
        for relation in relations(self.contract, aggregate) {
            let Some(id) = self.rows.get(&(aggregate.options.table.as_str(), relation)).cloned() else { continue };
            let owner = if aggregate.options.shared { "" } else { relation.owner() };
            let request = self.request(method, Some(&id), owner);
            let answer = self.ask(service, method, caller, &request).await;
            let reason = answer.as_ref().err().map(reason).unwrap_or_default();
            let closed = ["NOT_FOUND", "NOT_THE_OWNER", "NOT_TIED"].contains(&reason.as_str());
            let open = is_open(method, aggregate, caller.realm, relation);
            self.checks += 1;
            match (open, closed) {
                // A refusal before the entity is read leaks nothing.
                (false, false) if reason == "INVALID_FIELD" || (answer.is_err() && !method.reads()) => {
                    self.undecided += 1
                }
                (true, false) | (false, true) => {}
                _ => self.report(method, caller, &format!("{relation:?} is to be open: {open}, but: {answer:?}")),
            }
        }
    }

    /// A list: it holds what the caller sees and nothing else.
    async fn many(&mut self, service: &Service, method: &Method, aggregate: &Aggregate, caller: &Caller) {
        for owner in [ME, OTHER, THIRD, ""] {
            if method.access.owner.is_empty() && !owner.is_empty() {
                continue;
            }
            let request = self.request(method, None, owner);
            let Ok(answer) = self.ask(service, method, caller, &request).await else {
                self.undecided += 1;
                continue;
            };
            let listed = ids(&answer);
            for relation in relations(self.contract, aggregate) {
                let Some(id) = self.rows.get(&(aggregate.options.table.as_str(), relation)) else { continue };
                self.checks += 1;
                if listed.contains(id) && !is_open(method, aggregate, caller.realm, relation) {
                    self.report(method, caller, &format!("it lists {relation:?} for the owner {owner:?}"));
                }
            }
        }
    }

    fn report(&mut self, method: &Method, caller: &Caller, what: &str) {
        let acting = caller.actor.is_some();
        self.wrong.push(format!("{} by {:?}, acting {acting}: {what}", method.descriptor.full_name(), caller.realm));
    }
}

type Answer = Result<DynamicMessage, Status>;

fn reason(status: &Status) -> String {
    status.get_error_details().error_info().map(|info| info.reason.clone()).unwrap_or_default()
}

/// The ids of the items of an answer's lists.
fn ids(answer: &DynamicMessage) -> Vec<String> {
    let id = |item: &Value| item.as_message()?.get_field_by_name("id")?.as_str().map(str::to_owned);
    let lists = answer.fields().filter(|(field, _)| field.is_list()).filter_map(|(_, value)| value.as_list());
    lists.flatten().filter_map(id).collect()
}

/// Whether the request has the text field that a rule names.
fn has_text(message: &MessageDescriptor, field: &str) -> bool {
    message.get_field_by_name(field).is_some_and(|field| matches!(field.kind(), Kind::String) && !field.is_list())
}

async fn run(engine: Engine) {
    let app = TestApp::on(engine).without_workers().start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let rows = fill(&app, &contract).await;
    let mut matrix = Matrix { app: &app, contract: &contract, rows, checks: 0, undecided: 0, wrong: Vec::new() };
    for (service, method) in contract.methods() {
        let Some(aggregate) = contract.aggregates.get(&method.facts.entity) else { continue };
        // A create finds nothing, and a stream has its own test.
        let finds = !matches!(method.behavior, Behavior::Create(_)) && !method.descriptor.is_server_streaming();
        if !finds || aggregate.options.parent.is_some() {
            continue;
        }
        for realm in method.access.realms().filter(|realm| CONFINED.contains(realm)).collect::<Vec<_>>() {
            let usual = caller(method, realm);
            let acting = Impersonator { identity: OTHER.to_owned(), ..Impersonator::default() };
            let acting = Caller { actor: Some(acting), ..usual.clone() };
            let reads_too = method.reads() && method.access.impersonation() != Impersonation::Deny;
            for caller in [Some(usual), Some(acting).filter(|_| reads_too)].into_iter().flatten() {
                if has_text(&method.descriptor.input(), &method.facts.id) {
                    matrix.one(service, method, aggregate, &caller).await;
                } else if method.facts.answers() == Answers::Many {
                    matrix.many(service, method, aggregate, &caller).await;
                }
            }
        }
    }
    let Matrix { checks, undecided, wrong, .. } = matrix;
    println!("{engine:?}: {checks} relations, {undecided} were refused earlier");
    assert!(wrong.is_empty(), "{} of {checks} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checks > 100 && undecided < checks, "only {checks} relations were checked");
    app.app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn confined_callers_see_their_own_and_their_scopes_on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn confined_callers_see_their_own_and_their_scopes_on_postgres() {
    run(Engine::Postgres).await;
}
