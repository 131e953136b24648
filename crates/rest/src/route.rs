//! One REST path of one call, with all facts that are known before the call.

use std::sync::Arc;

use http::uri::PathAndQuery;
use pavise_contract::{Behavior, Binding, ContractError, Method, Service, Verb};
use pavise_transcode::{Schema, Transcoder};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::byte_rule::{RawRule, UploadRule};
use crate::place::Place;
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
    /// The file that the call takes.
    pub(crate) upload: Option<UploadRule>,
    /// The request that the call gets as it is.
    pub(crate) raw: Option<RawRule>,
    /// The call answers bytes.
    pub(crate) downloads: bool,
    /// For bytes: the call that answers their record.
    pub(crate) record: Option<Arc<Route>>,
    /// The answer is in another system's form.
    pub(crate) answers_raw: bool,
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
        let label = format!("{} {}", binding.verb.as_str(), binding.path);
        let mut route = Self::bare(service, method, transcoder, &label)?;
        route.verb = binding.verb;
        route.template = template;
        route.variables = variables;
        route.body = body;
        route.response_body = response_body;
        let bytes = method.bytes.clone().unwrap_or_default();
        if let Some(rule) = &bytes.upload {
            route.upload =
                Some(UploadRule::of(&request, rule).ok_or_else(|| wrong("upload names no fields".to_owned()))?);
        }
        if let Some(rule) = &bytes.raw {
            route.raw = Some(RawRule::of(&request, rule).ok_or_else(|| wrong("raw names no fields".to_owned()))?);
        }
        let named = bytes.download.map(|download| download.record).filter(|name| !name.is_empty());
        if let Some(name) = named {
            let record = service.methods.iter().find(|method| method.descriptor.name() == name);
            let record = record.ok_or_else(|| wrong(format!("there is no call {name}")))?;
            route.record = Some(Arc::new(Self::bare(service, record, transcoder, &label)?));
        }
        if matches!(method.behavior, Behavior::Journal(_))
            && let Some(watch) = service.methods.iter().find(|method| streams_journal(method))
        {
            route.watch = Some(Arc::new(Self::bare(service, watch, transcoder, &label)?));
        }
        Ok(route)
    }

    /// Whether a field is set from the body, the headers or the address, and from nothing else.
    pub(crate) fn takes_itself(&self, place: &Place) -> bool {
        self.upload.as_ref().is_some_and(|rule| rule.is_own(place))
            || self.raw.as_ref().is_some_and(|rule| rule.is_own(place))
    }

    /// A route without a path.
    fn bare(service: &Service, method: &Method, transcoder: &Transcoder, label: &str) -> Result<Self, ContractError> {
        let descriptor = &method.descriptor;
        let place = descriptor.full_name();
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
            upload: None,
            raw: None,
            downloads: method.bytes.as_ref().is_some_and(|bytes| bytes.download.is_some()),
            record: None,
            answers_raw: descriptor.output().full_name() == "pavise.common.v1.RawAnswer",
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
