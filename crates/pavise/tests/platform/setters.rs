//! Every field of a request that only some realms set, in every call × each other realm and no token: refused with the
//! field's path. Made from the contract: a new call or field is tested at once.
#![expect(clippy::unwrap_used, reason = "tests")]

use pavise_contract::options::v1::Realm;
use pavise_contract::{Contract, Method, Service, setters_of};
use pavise_kernel::Caller;
use pavise_kernel::peers::PeerChannel;
use pavise_testapp::{TestApp, bare};
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};
use tonic_types::StatusExt as _;

const ME: &str = "01900000-0000-7000-8000-0000000000aa";
const GROUP: &str = "01900000-0000-7000-8000-0000000000cc";

/// The way from a request to a field.
type Way = Vec<FieldDescriptor>;

/// The ways to the fields of a message that only some realms set.
fn find(message: &MessageDescriptor, way: &Way, found: &mut Vec<Way>) {
    for field in message.fields() {
        let mut on = way.clone();
        on.push(field.clone());
        if !setters_of(&field).is_empty() {
            found.push(on.clone());
        }
        let seen = |inner: &MessageDescriptor| way.iter().any(|above| above.kind().as_message() == Some(inner));
        if let Some(inner) = field.kind().as_message().filter(|inner| !field.is_map() && !seen(inner)) {
            find(inner, &on, found);
        }
    }
}

/// A value that is not the default of a field.
fn some(field: &FieldDescriptor) -> Value {
    let one = match field.kind() {
        Kind::Message(message) => Value::Message(DynamicMessage::new(message)),
        Kind::Enum(values) => {
            Value::EnumNumber(values.values().map(|value| value.number()).find(|one| *one != 0).unwrap())
        }
        Kind::Bool => Value::Bool(true),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(1),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(1),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(1),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(1),
        Kind::Float => Value::F32(1.0),
        Kind::Double => Value::F64(1.0),
        Kind::Bytes => Value::Bytes("x".into()),
        Kind::String => Value::String("x".to_owned()),
    };
    if field.is_list() { Value::List(vec![one]) } else { one }
}

/// Sets the field at the end of a way, and the messages that lead there.
fn set(message: &mut DynamicMessage, way: &[FieldDescriptor]) {
    let [field, rest @ ..] = way else { return };
    if rest.is_empty() {
        message.set_field(field, some(field));
        return;
    }
    let mut inner = DynamicMessage::new(field.kind().as_message().unwrap().clone());
    set(&mut inner, rest);
    let inner = Value::Message(inner);
    message.set_field(field, if field.is_list() { Value::List(vec![inner]) } else { inner });
}

/// The path of a field as a violation names it, with the first item of each list.
fn path(way: &[FieldDescriptor]) -> String {
    let last = way.len().saturating_sub(1);
    let part = |(at, field): (usize, &FieldDescriptor)| {
        if field.is_list() && at < last { format!("{}[0]", field.name()) } else { field.name().to_owned() }
    };
    way.iter().enumerate().map(part).collect::<Vec<_>>().join(".")
}

/// Callers of a call who may not set a field, by name.
fn others(method: &Method, setters: &[Realm]) -> Vec<(String, Option<Caller>)> {
    let others = method.access.realms().filter(|realm| *realm != Realm::Machine && !setters.contains(realm));
    let caller = |realm: Realm| match realm {
        Realm::User => TestApp::member(ME),
        Realm::GroupAdmin => TestApp::group_admin(ME, &[GROUP]),
        other => TestApp::with_permissions(other, ME, &["*"]),
    };
    let mut found: Vec<_> = others.map(|realm| (format!("{realm:?}"), Some(caller(realm)))).collect();
    if method.access.public {
        found.push(("no token".to_owned(), None));
    }
    found
}

/// The paths of the violations in the answer to a request that sets the field.
async fn refused(
    app: &TestApp,
    (service, method): (&Service, &Method),
    way: &Way,
    who: Option<&Caller>,
) -> Vec<String> {
    let mut message = DynamicMessage::new(method.descriptor.input());
    let scopes = method.access.scopes.iter().map(|scope| (&scope.field, GROUP));
    for (field, value) in scopes.chain([(&method.access.owner, ME)]).filter(|(field, _)| !field.is_empty()) {
        message.set_field_by_name(field, Value::String(value.to_owned()));
    }
    set(&mut message, way);
    let token = who.map(|caller| app.token(caller)).unwrap_or_default();
    let channel = PeerChannel::new(app.app.kernel.peers(), &service.domain, &token, "", None);
    let call = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
    let Err(status) = bare::call(channel, &call, message.encode_to_vec(), &[]).await else { return Vec::new() };
    let violations = status.get_error_details().bad_request().map(|bad| bad.field_violations.clone());
    violations.unwrap_or_default().into_iter().map(|violation| violation.field).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sets_a_field_that_is_for_others_to_set() {
    let app = TestApp::start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let (mut checks, mut wrong) = (0, Vec::new());
    for (service, method) in contract.methods() {
        let mut ways = Vec::new();
        find(&method.descriptor.input(), &Vec::new(), &mut ways);
        for way in ways {
            let setters = way.last().map(setters_of).unwrap_or_default();
            for (name, caller) in others(method, &setters) {
                checks += 1;
                let fields = refused(&app, (service, method), &way, caller.as_ref()).await;
                if !fields.contains(&path(&way)) {
                    wrong.push(format!("{} sets {} as {name}: {fields:?}", method.descriptor.full_name(), path(&way)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checks > 20, "{checks} checks");
    app.finish().await;
}
