//! One REST path of one call, with all facts that are known before the call.

use std::sync::Arc;

use http::uri::PathAndQuery;
use pavise_contract::{Behavior, Binding, ContractError, Method, Service, Verb};
use pavise_transcode::{Schema, Transcoder};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::rule::Rule;
use crate::template::{Template, Variable};

/// The route that answered: its verb and template, for logs and metrics, which must not hold the path itself.
#[derive(Debug, Clone)]
pub struct Matched(pub Arc<str>);

/// One REST path of one call.
pub(crate) struct Route {
    pub(crate) label: Matched,
    pub(crate) verb: Verb,
    pub(crate) template: Template,
    pub(crate) domain: String,
    pub(crate) service: String,
    /// The call's path in gRPC.
    pub(crate) path: PathAndQuery,
    pub(crate) input: Schema,
    pub(crate) output: Schema,
    /// The request message.
    pub(crate) request: MessageDescriptor,
    /// The variables of the template, with their fields.
    pub(crate) variables: Vec<(Variable, Place)>,
    pub(crate) body: BodyRule,
    /// The JSON name of the response field that is answered in place of the whole response.
    pub(crate) response_body: Option<String>,
    pub(crate) multipart: Vec<PartRule>,
    /// The use that the call makes of a browser's cookies.
    pub(crate) cookies: Rule,
    /// The call answers many messages.
    pub(crate) streams: bool,
    /// The number of the field that counts the messages of a stream.
    pub(crate) clock: Option<u32>,
    /// The call streams changes as they happen, and may be quiet for hours.
    pub(crate) follows: bool,
    /// For a journal: the call that streams it.
    pub(crate) watch: Option<Arc<Route>>,
}

/// The form of a request's body.
pub(crate) enum BodyRule {
    /// There is none.
    Nothing,
    /// All fields that are not in the path.
    All,
    /// One field.
    Field {
        /// Its place.
        place: Place,
        /// Its message, if it is one.
        schema: Option<Schema>,
    },
}

/// The target field of a part of a multipart body.
pub(crate) struct PartRule {
    pub(crate) name: String,
    pub(crate) field: Place,
    pub(crate) max_bytes: usize,
    pub(crate) file_name: Option<Place>,
    pub(crate) content_type: Option<Place>,
}

/// A field of a request message, at any depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The proto names of the path to the field.
    pub(crate) names: Vec<String>,
    /// The numbers of the path to the field.
    pub(crate) numbers: Vec<u32>,
    /// The JSON names of the path to the field, with dots.
    pub(crate) json: String,
    /// The field has several values.
    pub(crate) list: bool,
    /// The choice that the field belongs to.
    pub(crate) oneof: Option<String>,
}

impl Place {
    /// The field of `message` at `path`, by proto or by JSON names.
    pub(crate) fn find(message: &MessageDescriptor, path: &str) -> Option<Self> {
        let mut place = Self { names: Vec::new(), numbers: Vec::new(), json: String::new(), list: false, oneof: None };
        let mut message = Some(message.clone());
        for name in path.split('.') {
            let inside = message.take()?;
            let field = inside.get_field_by_json_name(name).or_else(|| inside.get_field_by_name(name))?;
            if !place.json.is_empty() {
                place.json.push('.');
            }
            place.json.push_str(field.json_name());
            place.names.push(field.name().to_owned());
            place.numbers.push(field.number());
            place.list = field.is_list();
            place.oneof = field
                .containing_oneof()
                .filter(|_| !field.field_descriptor_proto().proto3_optional())
                .map(|one| one.full_name().to_owned());
            if !field.is_list() && !field.is_map() {
                message = field.kind().as_message().cloned();
            }
        }
        Some(place)
    }

    /// Whether one of the two fields contains the other.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.numbers.iter().zip(&other.numbers).all(|(one, other)| one == other)
    }
}

impl Route {
    /// The route of one binding of a call.
    pub(crate) fn new(
        service: &Service,
        method: &Method,
        binding: &Binding,
        transcoder: &Transcoder,
    ) -> Result<Self, ContractError> {
        let place = method.descriptor.full_name().to_owned();
        let wrong = |problem: String| ContractError::new(&place, problem);
        let template =
            Template::parse(&binding.path).map_err(|problem| wrong(format!("{}: {problem}", binding.path)))?;
        let request = method.descriptor.input();
        let mut variables = Vec::new();
        for variable in &template.variables {
            let name = variable.field.join(".");
            let found = Place::find(&request, &name).filter(|place| !place.list);
            variables.push((variable.clone(), found.ok_or_else(|| wrong(format!("the path names no field {name}")))?));
        }
        let body = body_rule(&request, &binding.body, transcoder)
            .ok_or_else(|| wrong(format!("there is no body field {}", binding.body)))?;
        let response_body = match binding.response_body.as_str() {
            "" => None,
            name => {
                let field = method.descriptor.output().get_field_by_name(name);
                Some(field.ok_or_else(|| wrong(format!("there is no response field {name}")))?.json_name().to_owned())
            }
        };
        let mut multipart = Vec::new();
        for part in &method.multipart {
            multipart.push(
                part_rule(&request, part)
                    .ok_or_else(|| wrong(format!("part {} names no field that fits", part.name)))?,
            );
        }
        let label = format!("{} {}", binding.verb.as_str(), binding.path);
        let mut route = Self::bare(service, method, transcoder, &label)?;
        route.verb = binding.verb;
        route.template = template;
        route.variables = variables;
        route.body = body;
        route.response_body = response_body;
        route.multipart = multipart;
        if matches!(method.behavior, Behavior::Journal(_))
            && let Some(watch) = service.methods.iter().find(|method| streams_journal(method))
        {
            route.watch = Some(Arc::new(Self::bare(service, watch, transcoder, &label)?));
        }
        Ok(route)
    }

    /// A route without a path.
    fn bare(service: &Service, method: &Method, transcoder: &Transcoder, label: &str) -> Result<Self, ContractError> {
        let descriptor = &method.descriptor;
        let place = descriptor.full_name();
        if descriptor.is_client_streaming() {
            return Err(ContractError::new(place, "a call with a stream of requests has no place in REST"));
        }
        let schema = |message: &MessageDescriptor| {
            let schema = transcoder.schema(message.full_name());
            schema.ok_or_else(|| {
                ContractError::new(place, format!("the transcoder does not know {}", message.full_name()))
            })
        };
        let path = format!("/{}/{}", descriptor.parent_service().full_name(), descriptor.name());
        let clock = descriptor.output().get_field_by_name("clock").filter(|field| field.kind() == Kind::Int64);
        Ok(Self {
            label: Matched(Arc::from(label)),
            verb: Verb::Get,
            template: Template { segments: Vec::new(), action: String::new(), variables: Vec::new() },
            domain: service.domain.clone(),
            service: service.name.clone(),
            path: PathAndQuery::try_from(path).map_err(|error| ContractError::new(place, error.to_string()))?,
            input: schema(&descriptor.input())?,
            output: schema(&descriptor.output())?,
            request: descriptor.input(),
            variables: Vec::new(),
            body: BodyRule::Nothing,
            response_body: None,
            multipart: Vec::new(),
            cookies: Rule::of(method),
            streams: descriptor.is_server_streaming(),
            clock: clock.map(|field| field.number()),
            follows: matches!(method.behavior, Behavior::Watch(_)),
            watch: None,
        })
    }
}

/// Whether the call streams the service's whole journal.
fn streams_journal(method: &Method) -> bool {
    matches!(&method.behavior, Behavior::Watch(watch) if watch.aggregate.is_empty())
}

fn body_rule(request: &MessageDescriptor, body: &str, transcoder: &Transcoder) -> Option<BodyRule> {
    match body {
        "" => Some(BodyRule::Nothing),
        "*" => Some(BodyRule::All),
        name => {
            let field = request.get_field_by_name(name)?;
            let place = Place::find(request, name)?;
            let schema = single_message(&field).and_then(|message| transcoder.schema(message.full_name()));
            Some(BodyRule::Field { place, schema })
        }
    }
}

fn single_message(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    if field.is_list() || field.is_map() { None } else { field.kind().as_message().cloned() }
}

fn part_rule(request: &MessageDescriptor, part: &pavise_contract::options::v1::Part) -> Option<PartRule> {
    let of_kind = |name: &str, kind: Kind| {
        let field = request.get_field_by_name(name).filter(|field| field.kind() == kind)?;
        Place::find(request, field.name())
    };
    let optional = |name: &str| if name.is_empty() { Some(None) } else { of_kind(name, Kind::String).map(Some) };
    Some(PartRule {
        name: part.name.clone(),
        field: of_kind(&part.field, Kind::Bytes)?,
        max_bytes: usize::try_from(part.max_bytes).ok()?,
        file_name: optional(&part.file_name_field)?,
        content_type: optional(&part.content_type_field)?,
    })
}
