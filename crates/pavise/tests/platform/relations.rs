//! Every call about an entity × {own, in a scope of the caller's, in a foreign scope, nobody's} × {visitor, member, partner,
//! group's administrator} × {usual, without a fresh proof, acted for by a reader, acted for by a writer}, made from the
//! contract: the rows are written past the calls, so that each relation exists for each aggregate. Of an aggregate with
//! divisions, also {the caller's division, another division, the whole group} × each role of people in a division.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use bytes::Bytes;
use pavise_contract::options::v1::{Answers, Impersonation, Realm, ScopeKind, TieBy};
use pavise_contract::{Aggregate, Behavior, Contract, Method, Service};
use pavise_kernel::caller::Impersonator;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::store::{Command, Outcome, StoredRow, Write};
use pavise_kernel::table::Table;
use pavise_kernel::time::MINUTE;
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
/// Divisions of the scope MINE, but for those of groups: the other division is then the foreign group's.
const MY_DIVISION: &str = "my division";
const OTHER_DIVISION: &str = "another division";
const REALMS: [Realm; 3] = [Realm::User, Realm::Partner, Realm::GroupAdmin];
/// The refusals of an entity that the caller does not see.
const CLOSED: [&str; 3] = ["NOT_FOUND", "NOT_THE_OWNER", "NOT_TIED"];
/// The refusals of a request that is not looked at any further: its fields are wrong, or it only tries a proof.
const UNREAD: [&str; 2] = ["INVALID_FIELD", "VALIDATE_ONLY_REFUSED"];

/// How a caller comes, beside their realm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coming {
    /// With a fresh proof, for themselves.
    Usual,
    /// With a proof of eleven minutes ago.
    StaleProof,
    /// Somebody acts for them, and may only read.
    ActingReader,
    /// Somebody acts for them, and may write.
    ActingWriter,
}

const COMINGS: [Coming; 4] = [Coming::Usual, Coming::StaleProof, Coming::ActingReader, Coming::ActingWriter];

impl Coming {
    fn caller(self, usual: &Caller, now: i64) -> Caller {
        let acting = |may_write| Impersonator { identity: OTHER.to_owned(), may_write, ..Impersonator::default() };
        match self {
            Self::Usual => usual.clone(),
            Self::StaleProof => Caller { proved_at: Some(now - 11 * MINUTE), ..usual.clone() },
            Self::ActingReader => Caller { actor: Some(acting(false)), ..usual.clone() },
            Self::ActingWriter => Caller { actor: Some(acting(true)), ..usual.clone() },
        }
    }

    /// The reason why the call is refused whatever it is about, said anew.
    fn refusal(self, method: &Method) -> Option<&'static str> {
        let rule = method.access.impersonation();
        let denied = match self {
            Self::Usual | Self::StaleProof => false,
            Self::ActingReader => rule == Impersonation::Deny || !(method.reads() || rule == Impersonation::Allow),
            Self::ActingWriter => rule == Impersonation::Deny,
        };
        let unproved = self == Self::StaleProof && method.access.fresh_proof;
        denied.then_some("IMPERSONATION_DENIED").or(unproved.then_some("PROOF_NEEDED"))
    }
}

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
    /// Another's, in a scope and a division in which the caller has a role.
    MyDivision,
    /// Another's, in a scope in which the caller has a role, and in another division of it.
    OtherDivision,
}

const RELATIONS: [Relation; 6] = [
    Relation::Own,
    Relation::SameScope,
    Relation::ForeignScope,
    Relation::Nobodys,
    Relation::MyDivision,
    Relation::OtherDivision,
];

impl Relation {
    fn owner(self) -> &'static str {
        match self {
            Self::Own => ME,
            Self::SameScope | Self::MyDivision | Self::OtherDivision => OTHER,
            Self::ForeignScope => THIRD,
            Self::Nobodys => "",
        }
    }

    fn scope(self) -> &'static str {
        match self {
            Self::SameScope | Self::MyDivision | Self::OtherDivision => MINE,
            Self::ForeignScope => FOREIGN,
            Self::Own | Self::Nobodys => "",
        }
    }

    /// The division; of an entity that is itself a scope, one that it has.
    fn division(self, is_own_scope: bool) -> &'static str {
        match self {
            Self::MyDivision => MY_DIVISION,
            Self::OtherDivision => OTHER_DIVISION,
            Self::SameScope if is_own_scope => MY_DIVISION,
            Self::ForeignScope if is_own_scope => OTHER_DIVISION,
            Self::Own | Self::SameScope | Self::ForeignScope | Self::Nobodys => "",
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
    early: u32,
    in_divisions: u32,
    wrong: Vec<String>,
}

/// Whether the entities of an aggregate have the id of their owner.
fn is_own_id(contract: &Contract, aggregate: &Aggregate) -> bool {
    let of_it = contract.methods().filter(|(_, method)| method.facts.entity == aggregate.descriptor.full_name());
    of_it.into_iter().any(|(_, method)| !method.facts.id.is_empty() && method.facts.id == method.access.owner)
}

/// Whether the entities of an aggregate are scopes: the call about one names it as a scope, too.
fn is_own_scope(contract: &Contract, aggregate: &Aggregate) -> bool {
    let of_it = contract.methods().filter(|(_, method)| method.facts.entity == aggregate.descriptor.full_name());
    let names = |method: &Method| method.access.scopes.iter().any(|scope| scope.field == method.facts.id);
    of_it.into_iter().any(|(_, method)| !method.facts.id.is_empty() && names(method))
}

/// Whether the entities of an aggregate lie in divisions, or have them.
fn has_divisions(aggregate: &Aggregate) -> bool {
    aggregate.options.scopes.iter().any(|scope| scope.kind() == ScopeKind::Division)
}

/// The relations that entities of an aggregate can have.
fn relations(contract: &Contract, aggregate: &Aggregate) -> Vec<Relation> {
    let options = &aggregate.options;
    let all = RELATIONS.into_iter();
    let all = all.filter(|relation| !options.shared || *relation != Relation::Own);
    let all = all.filter(|relation| *relation != Relation::Nobodys || !is_own_id(contract, aggregate));
    let in_divisions = has_divisions(aggregate) && !is_own_scope(contract, aggregate);
    all.filter(|relation| in_divisions || !matches!(relation, Relation::MyDivision | Relation::OtherDivision)).collect()
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
        let (own_id, own_scope) = (is_own_id(contract, aggregate), is_own_scope(contract, aggregate));
        let mut writes = Vec::new();
        for relation in relations(contract, aggregate) {
            let owner = if aggregate.options.shared { "" } else { relation.owner() };
            let id = match relation.scope() {
                _ if own_id => relation.owner().to_owned(),
                scope if own_scope && !scope.is_empty() => scope.to_owned(),
                _ => app.id(),
            };
            let places = (relation.scope(), relation.division(own_scope));
            writes.push(row(app, table, &id, owner, places));
            rows.insert((table.name, relation), id);
        }
        let command = Command { journal: table.journal, writes, at: app.now(), ..Command::default() };
        let outcomes = app.app.kernel.store().commit(&[command]).await.unwrap();
        assert!(matches!(outcomes.as_slice(), [Outcome::Committed(_)]), "{}: {outcomes:?}", table.name);
    }
    rows
}

/// A row with the fields that decide who sees it.
fn row(app: &TestApp, table: &'static Table, id: &str, owner: &str, (scope, division): (&str, &str)) -> Write {
    // Of a shared aggregate, a status in which everybody sees it.
    let shown = table.visible.first().and_then(|rule| rule.statuses.first());
    let status = shown.copied().unwrap_or(table.initial).to_owned();
    let mut doc = json!({"id": id, "ownerId": owner, "status": status, "version": "1"});
    let (mut lookups, fields) = (Vec::new(), doc.as_object_mut().unwrap());
    if table.name == "questions" {
        // One that everybody may answer.
        fields.insert("public".to_owned(), json!(true));
    }
    for (kind, name) in table.scopes {
        let place = if kind.within() == ScopeKind::Unspecified { scope } else { division };
        let Some(lookup) = table.lookup(name).filter(|_| !place.is_empty()) else { continue };
        if lookup.many {
            fields.insert(lookup.json.to_owned(), json!([place]));
            lookups.push((lookup, place.to_owned()));
        } else {
            fields.insert(lookup.json.to_owned(), json!(place));
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
    let caller = match realm {
        Realm::User => TestApp::member(ME),
        realm => TestApp::with_permissions(realm, ME, &["*"]),
    };
    Caller { scopes: scopes.collect(), ..caller }
}

/// A caller with one role in a division, and with none in the group.
fn caller_in_division(role: &str) -> Caller {
    let scope = Scope::new(ScopeKind::Division, MY_DIVISION, &[role]).within(MINE);
    Caller { scopes: [scope].into_iter().collect(), ..TestApp::with_permissions(Realm::GroupAdmin, ME, &["*"]) }
}

/// Whether the contract admits a role in a division, said anew.
fn admits_in_division(method: &Method, role: &str) -> bool {
    let mut divisions = method.access.scopes.iter().filter(|scope| scope.kind() == ScopeKind::Division);
    let of_member = method.access.ties.iter().any(|tie| tie.by() == TieBy::Member);
    !of_member && divisions.any(|scope| scope.roles.iter().any(|one| one == role))
}

/// The relations that tell divisions apart.
fn relations_in_group(is_own_scope: bool) -> &'static [Relation] {
    if is_own_scope {
        &[Relation::SameScope, Relation::ForeignScope]
    } else {
        &[Relation::MyDivision, Relation::OtherDivision, Relation::SameScope]
    }
}

/// Whether the contract lets the caller see an entity of that relation, said anew.
fn is_open(method: &Method, aggregate: &Aggregate, caller: &Caller, relation: Relation) -> bool {
    let (options, realm) = (&aggregate.options, caller.realm);
    if caller.is_anonymous() || realm == Realm::User {
        // An entity of nobody belongs to the bearer of its id. A shared one is everybody's in the statuses of the rows.
        let own = relation == Relation::Own && !caller.is_anonymous();
        return options.shared || own || (relation == Relation::Nobodys && method.access.public);
    }
    // The keys that check signatures are for everybody.
    let is_everybodys = options.shared && method.access.public && method.access.realms().next().is_none();
    let unconfined = is_everybodys || options.unconfined.iter().any(|one| one.realms().any(|other| other == realm));
    let scoped = options.scopes.iter().any(|scope| scope.kind().realm() == realm);
    // The owner of the row in the caller's scope never became a member of it.
    let of_member = method.access.ties.iter().any(|tie| tie.by() == TieBy::Member);
    match relation {
        _ if unconfined => true,
        Relation::Own => !options.shared,
        Relation::SameScope | Relation::MyDivision | Relation::OtherDivision => scoped && !of_member,
        Relation::ForeignScope => false,
        Relation::Nobodys => method.access.public && !options.shared,
    }
}

impl Matrix<'_> {
    async fn ask(&self, service: &Service, method: &Method, caller: &Caller, request: &DynamicMessage) -> Answer {
        let token = if caller.is_anonymous() { String::new() } else { self.app.token(caller) };
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
    async fn one(&mut self, (service, method): Call<'_>, aggregate: &Aggregate, caller: &Caller, coming: Coming) {
        for relation in relations(self.contract, aggregate) {
            let Some(id) = self.rows.get(&(aggregate.options.table.as_str(), relation)).cloned() else { continue };
            let owner = if aggregate.options.shared { "" } else { relation.owner() };
            let request = self.request(method, Some(&id), owner);
            let answer = self.ask(service, method, caller, &request).await;
            let reason = answer.as_ref().err().map(reason).unwrap_or_default();
            let closed = CLOSED.contains(&reason.as_str());
            let open = is_open(method, aggregate, caller, relation);
            self.checks += 1;
            match (coming.refusal(method), open, closed) {
                _ if UNREAD.contains(&reason.as_str()) => self.undecided += 1,
                // The rule of the realm comes before that of the proof, so that either says nothing of the entity.
                (Some(expected), _, closed) if reason == expected || (closed && !open) => self.early += 1,
                (None, true, false) | (None, false, true) => {}
                (refusal, open, _) => {
                    let expected = refusal.unwrap_or(if open { "it is found" } else { "it is not found" });
                    self.report(method, caller, coming, &format!("{relation:?}: expected {expected}, got {answer:?}"));
                }
            }
        }
    }

    /// A list: it holds what the caller sees and nothing else.
    async fn many(&mut self, (service, method): Call<'_>, aggregate: &Aggregate, caller: &Caller, coming: Coming) {
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
                let is_nobodys = relation == Relation::Nobodys && !aggregate.options.shared;
                if listed.contains(id) && (is_nobodys || !is_open(method, aggregate, caller, relation)) {
                    self.report(method, caller, coming, &format!("it lists {relation:?} for the owner {owner:?}"));
                }
            }
        }
    }

    /// A call by a caller in each way in which they can come.
    async fn each(&mut self, call: Call<'_>, aggregate: &Aggregate, usual: &Caller) {
        let (_, method) = call;
        for coming in COMINGS {
            // A visitor proves nothing, and nobody acts for them.
            if usual.is_anonymous() && coming != Coming::Usual {
                continue;
            }
            // An impersonator ends their own impersonation, which is another entity.
            if method.descriptor.name() == "EndImpersonation" && coming != Coming::Usual {
                continue;
            }
            let caller = coming.caller(usual, self.app.now());
            if has_text(&method.descriptor.input(), &method.facts.id) {
                self.one(call, aggregate, &caller, coming).await;
            } else if method.facts.answers() == Answers::Many {
                self.many(call, aggregate, &caller, coming).await;
            }
        }
    }

    /// A call by people with one role each in a division. They reach what lies in the division, if the call admits the role.
    async fn in_division(&mut self, call: Call<'_>, aggregate: &Aggregate) {
        let (_, method) = call;
        for role in ScopeKind::Division.roles() {
            let caller = caller_in_division(role);
            if has_text(&method.descriptor.input(), &method.facts.id) {
                self.one_in_division(call, aggregate, &caller, role).await;
            } else if method.facts.answers() == Answers::Many {
                self.many_in_division(call, aggregate, &caller, role).await;
            }
        }
    }

    async fn one_in_division(
        &mut self,
        (service, method): Call<'_>,
        aggregate: &Aggregate,
        caller: &Caller,
        role: &str,
    ) {
        let own_scope = is_own_scope(self.contract, aggregate);
        for relation in relations_in_group(own_scope) {
            let Some(id) = self.rows.get(&(aggregate.options.table.as_str(), *relation)).cloned() else { continue };
            let owner = if aggregate.options.shared { "" } else { relation.owner() };
            let request = self.request(method, Some(&id), owner);
            let answer = self.ask(service, method, caller, &request).await;
            let reason = answer.as_ref().err().map(reason).unwrap_or_default();
            self.checks += 1;
            self.in_divisions += 1;
            let closed = reason == "ROLE_MISSING" || CLOSED.contains(&reason.as_str());
            let open = admits_in_division(method, role) && relation.division(own_scope) == MY_DIVISION;
            if UNREAD.contains(&reason.as_str()) {
                self.undecided += 1;
            } else if open == closed {
                let expected = if open { "it is found" } else { "it is not found" };
                let what = format!("{role} in a division, {relation:?}: expected {expected}, got {answer:?}");
                self.report(method, caller, Coming::Usual, &what);
            }
        }
    }

    async fn many_in_division(
        &mut self,
        (service, method): Call<'_>,
        aggregate: &Aggregate,
        caller: &Caller,
        role: &str,
    ) {
        let own_scope = is_own_scope(self.contract, aggregate);
        let admitted = admits_in_division(method, role);
        // A list of one owner answers those of the owner; another does not take one, or refuses it.
        let mut answers = 0;
        for owner in [OTHER, ""] {
            if method.access.owner.is_empty() && !owner.is_empty() {
                continue;
            }
            let request = self.request(method, None, owner);
            let Ok(answer) = self.ask(service, method, caller, &request).await else { continue };
            answers += 1;
            let listed = ids(&answer);
            for relation in relations_in_group(own_scope) {
                let Some(id) = self.rows.get(&(aggregate.options.table.as_str(), *relation)) else { continue };
                self.checks += 1;
                self.in_divisions += 1;
                if listed.contains(id) != (admitted && relation.division(own_scope) == MY_DIVISION) {
                    let what = format!("{role} in a division, {relation:?}, owner {owner:?}: it lists {listed:?}");
                    self.report(method, caller, Coming::Usual, &what);
                }
            }
        }
        if admitted && answers == 0 {
            self.report(method, caller, Coming::Usual, &format!("{role} in a division gets no answer"));
        }
    }

    fn report(&mut self, method: &Method, caller: &Caller, coming: Coming, what: &str) {
        self.wrong.push(format!("{} by {:?}, {coming:?}: {what}", method.descriptor.full_name(), caller.realm));
    }
}

/// A call and its service.
type Call<'a> = (&'a Service, &'a Method);
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
    let mut matrix = Matrix {
        app: &app,
        contract: &contract,
        rows,
        checks: 0,
        undecided: 0,
        early: 0,
        in_divisions: 0,
        wrong: Vec::new(),
    };
    for (service, method) in contract.methods() {
        let Some(aggregate) = contract.aggregates.get(&method.facts.entity) else { continue };
        // A create finds nothing, and a stream has its own test.
        let finds = !matches!(method.behavior, Behavior::Create(_)) && !method.descriptor.is_server_streaming();
        if !finds || aggregate.options.parent.is_some() {
            continue;
        }
        let open = method.access.public && method.access.realms().next().is_none();
        let callers = REALMS.into_iter().filter(|realm| open || method.access.realms().any(|one| one == *realm));
        let callers = callers.map(|realm| caller(method, realm)).collect::<Vec<_>>();
        for caller in callers.into_iter().chain(method.access.public.then(Caller::default)) {
            matrix.each((service, method), aggregate, &caller).await;
        }
        if has_divisions(aggregate) && method.access.realms().any(|realm| realm == Realm::GroupAdmin) {
            matrix.in_division((service, method), aggregate).await;
        }
    }
    let Matrix { checks, undecided, early, in_divisions, wrong, .. } = matrix;
    println!(
        "{engine:?}: {checks} relations, {in_divisions} of them in divisions, {early} refused for the caller, {undecided} with wrong fields"
    );
    assert!(wrong.is_empty(), "{} of {checks} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(in_divisions > 200, "only {in_divisions} relations are in divisions");
    assert!(checks > 2_000 && undecided < checks * 2 / 5, "of {checks} relations {undecided} were not decided");
    app.app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_see_their_own_and_their_scopes_on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_see_their_own_and_their_scopes_on_postgres() {
    run(Engine::Postgres).await;
}
