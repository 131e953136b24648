//! Page tokens and pages of every list and search of the contract, for every confined caller, beside rows of others.

mod rows;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use pavise_contract::options::v1::{Realm, ScopeKind};
use pavise_contract::{Behavior, Contract, Method, Service};
use pavise_kernel::caller::Impersonator;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::{Caller, Scope};
use pavise_mesh::BytesCodec;
use pavise_testapp::{Engine, TestApp};
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, Value};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

use rows::{FOREIGN, GROUP, ME, OTHER, Rows};

/// The realms whose callers see a part of the entities.
const CONFINED: [Realm; 4] = [Realm::User, Realm::GroupAdmin, Realm::Partner, Realm::Unspecified];
/// Pages of one entity that are read at most.
const PAGES: usize = 24;
/// The lists that refuse the plain request, with the reason.
const SKIPPED: [(&str, &str); 8] = [
    ("GetApplicationSettingsByApplicationName for GroupAdmin", NO_NAME),
    ("GetApplicationSettingsByApplicationName for Partner", NO_NAME),
    ("GetApplicationSettingsByApplicationName for User", NO_NAME),
    ("ListOfferMaps for Partner", NO_BRAND),
    ("ListOffers for GroupAdmin", NO_BRAND),
    ("ListOffers for Partner", NO_BRAND),
    ("ListOffers for Unspecified", NO_BRAND),
    ("ListOffers for User", NO_BRAND),
];
const NO_NAME: &str = "It needs the name of an application.";
const NO_BRAND: &str = "It needs a brand, and offers and their maps are shared by all.";

/// A list or a search as one caller asks for it.
#[derive(Clone)]
struct Walk<'a> {
    service: &'a Service,
    method: &'a Method,
    caller: Caller,
    request: DynamicMessage,
    tokens: Vec<String>,
}

fn caller(method: &Method, realm: Realm, identity: &str) -> Caller {
    let kinds = [ScopeKind::Group, ScopeKind::Branch, ScopeKind::Firm, ScopeKind::Associate];
    let scopes = kinds.into_iter().filter(|kind| kind.realm() == realm).map(|kind| {
        let rule = method.access.scopes.iter().find(|rule| rule.kind() == kind);
        let role = rule.and_then(|rule| rule.roles.first()).map(String::as_str);
        Scope::new(kind, GROUP, &[role.unwrap_or_else(|| kind.roles().first().copied().unwrap_or_default())])
    });
    let caller = match realm {
        Realm::Unspecified => return Caller::anonymous(),
        Realm::User | Realm::GroupAdmin => Caller { realm, ..TestApp::member(identity) },
        other => TestApp::with_permissions(other, identity, &[method.access.permission.as_str()]),
    };
    Caller { scopes: scopes.collect(), ..caller }
}

fn request(method: &Method, realm: Realm, identity: &str) -> DynamicMessage {
    let mut message = DynamicMessage::new(method.descriptor.input());
    let mut set = |name: &str, value: Value| {
        if !name.is_empty() {
            message.set_field_by_name(name, value);
        }
    };
    set(&method.access.owner, Value::String(identity.to_owned()));
    for scope in method.access.scopes.iter().filter(|scope| scope.kind().realm() == realm) {
        set(&scope.field, Value::String(GROUP.to_owned()));
    }
    if let Behavior::List(list) = &method.behavior
        && let Some(search) = &list.search
    {
        set(&search.text, Value::String("mark".to_owned()));
    }
    set("page_size", Value::I32(1));
    message
}

/// The callers of the confined realms that the access rule admits.
fn admitted(method: &Method) -> Vec<Realm> {
    let access = &method.access;
    let open = access.public && access.realms.is_empty();
    let admits = |realm: &Realm| match realm {
        Realm::Unspecified => access.public,
        realm => open || access.realms().any(|one| one == *realm),
    };
    CONFINED.into_iter().filter(admits).collect()
}

impl Walk<'_> {
    async fn ask(&self, app: &TestApp, caller: &Caller, request: &DynamicMessage) -> Result<Bytes, Status> {
        let token = if caller.is_anonymous() { String::new() } else { app.token(caller) };
        let channel = PeerChannel::new(app.app.kernel.peers(), &self.service.domain, &token, "", None);
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await.unwrap();
        let path = format!("/{}/{}", self.service.descriptor.full_name(), self.method.descriptor.name());
        let message = Request::new(Bytes::from(request.encode_to_vec()));
        Ok(client.unary(message, path.parse().unwrap(), BytesCodec).await?.into_inner())
    }

    fn with_token(&self, token: &str) -> DynamicMessage {
        let mut request = self.request.clone();
        request.set_field_by_name("page_token", Value::String(token.to_owned()));
        request
    }

    /// Reads page after page, and checks that none has anything of the others.
    async fn read(&mut self, app: &TestApp, rows: &Rows, wrong: &mut Vec<String>) -> Result<(), Status> {
        let mut token = String::new();
        for _ in 0..PAGES {
            let answer = self.ask(app, &self.caller, &self.with_token(&token)).await?;
            if let Some(found) = rows.foreign_in(&answer) {
                wrong.push(format!("{}: a page for {:?} has {found}", self.name(), self.caller.realm));
            }
            let answer = DynamicMessage::decode(self.method.output(), answer).unwrap();
            token = answer.get_field_by_name("next_page_token").unwrap().as_str().unwrap().to_owned();
            if token.is_empty() {
                return Ok(());
            }
            self.check_token(&token, rows, wrong);
            self.tokens.push(token.clone());
        }
        wrong.push(format!("{}: it has no end", self.name()));
        Ok(())
    }

    /// A token has no text of any row, and its length tells nothing of one.
    fn check_token(&self, token: &str, rows: &Rows, wrong: &mut Vec<String>) {
        let bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
        let readable = [&*bytes, token.as_bytes()].into_iter().any(|text| rows.any_in(text));
        if readable || bytes.len() % 64 != 28 {
            wrong.push(format!("{}: the token {token} can be read", self.name()));
        }
    }

    async fn refuses(&self, app: &TestApp, caller: &Caller, request: DynamicMessage, what: &str) -> Option<String> {
        let answer = self.ask(app, caller, &request).await;
        let reason = answer.as_ref().err().and_then(|status| status.get_error_details().error_info().cloned());
        let refused = reason.is_some_and(|info| info.reason == "INVALID_PAGE_TOKEN");
        (!refused).then(|| format!("{}: {what}: {answer:?}", self.name()))
    }

    /// Forged tokens, and tokens of other callers and of other filters, are refused.
    async fn misuse(&self, app: &TestApp) -> Vec<String> {
        let Some(token) = self.tokens.first() else { return Vec::new() };
        let mut wrong = Vec::new();
        let mut changed = URL_SAFE_NO_PAD.decode(token).unwrap();
        changed[20] ^= 1;
        let guess = URL_SAFE_NO_PAD.encode(format!("{:064}{OTHER}", 0));
        for forged in [URL_SAFE_NO_PAD.encode(&changed), token[..token.len() - 4].to_owned(), guess, "AAAA".to_owned()]
        {
            wrong.extend(self.refuses(app, &self.caller, self.with_token(&forged), "forged").await);
        }
        let realm = self.caller.realm;
        if !self.caller.is_anonymous() {
            let other = caller(self.method, realm, OTHER);
            let mut theirs = request(self.method, realm, OTHER);
            theirs.set_field_by_name("page_token", Value::String(token.clone()));
            wrong.extend(self.refuses(app, &other, theirs, "another caller's").await);
        }
        if self.method.access.impersonation() != pavise_contract::options::v1::Impersonation::Deny
            && realm == Realm::User
        {
            let actor = Impersonator { identity: OTHER.to_owned(), ..Impersonator::default() };
            let acting = Caller { actor: Some(actor), ..self.caller.clone() };
            wrong.extend(self.refuses(app, &acting, self.with_token(token), "another actor's").await);
        }
        let status = self.method.descriptor.input().get_field_by_name("status");
        if status.is_some_and(|field| matches!(field.kind(), Kind::Enum(_)) && !field.is_list()) {
            let mut narrowed = self.with_token(token);
            let was = narrowed.get_field_by_name("status").and_then(|value| value.as_enum_number());
            narrowed.set_field_by_name("status", Value::EnumNumber(if was == Some(2) { 1 } else { 2 }));
            wrong.extend(self.refuses(app, &self.caller, narrowed, "another filter's").await);
        }
        wrong
    }

    fn name(&self) -> &str {
        self.method.descriptor.full_name()
    }
}

/// The lists of the contract that have pages.
fn lists(contract: &Contract) -> Vec<(&Service, &Method)> {
    let has = |message: prost_reflect::MessageDescriptor, field: &str| message.get_field_by_name(field).is_some();
    let paged = |(_, method): &(&Service, &Method)| {
        method.reads() && has(method.descriptor.input(), "page_token") && has(method.output(), "next_page_token")
    };
    contract.methods().filter(paged).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_tells_its_caller_nothing_of_others() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let contract = app.app.contract().unwrap();
        let rows = Rows::fill(&app, &contract, &lists(&contract)).await;
        let (mut wrong, mut walks, mut skipped) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (service, method) in lists(&contract) {
            for realm in admitted(method) {
                let (caller, request) = (caller(method, realm, ME), request(method, realm, ME));
                let mut walk = Walk { service, method, caller, request, tokens: Vec::new() };
                match walk.read(&app, &rows, &mut wrong).await {
                    Ok(()) => walks.push(walk),
                    Err(status) => {
                        skipped.insert(format!("{} for {realm:?}", method.descriptor.name()), status);
                    }
                }
            }
        }
        for walk in &walks {
            wrong.extend(walk.misuse(&app).await);
        }
        for one in walks.iter().filter(|walk| !walk.tokens.is_empty()) {
            for other in walks.iter().filter(|other| other.name() != one.name()) {
                let request = other.with_token(&one.tokens[0]);
                wrong.extend(other.refuses(&app, &other.caller, request, &format!("a token of {}", one.name())).await);
            }
        }
        let read: BTreeSet<(&str, bool)> = walks.iter().map(|walk| (walk.name(), !walk.tokens.is_empty())).collect();
        println!("{engine:?}: {} walks, {} skipped: {skipped:#?}", walks.len(), skipped.len());
        assert!(skipped.keys().map(String::as_str).eq(SKIPPED.map(|(list, _)| list)), "other than {SKIPPED:#?}");
        assert!(skipped.values().all(|status| status.code() == Code::InvalidArgument));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        for name in [
            "orders.v1.OrderService.ListOrders",
            "orders.v1.OrderService.SearchOrders",
            "billing.v1.PaymentMethodService.ListPaymentMethods",
            "billing.v1.InvoiceService.ListInvoices",
            "fulfillment.v1.EntitlementService.ListEntitlements",
            "identity.v1.SessionService.ListSessions",
        ] {
            assert!(read.iter().any(|(read, paged)| *paged && read.ends_with(name)), "{name} has pages: {read:#?}");
        }
        assert!(rows.count(FOREIGN) > 20, "there were rows of others");
    }
}
