//! The body of each call, one file for each behaviour.

mod batch;
mod change;
mod create;
mod custom;
mod delete;
mod get;
mod health;
mod list;
mod person;
mod titles;
mod watch;
mod worker;

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::{Behavior, Method, Service};

use crate::{Source, bytes, child, name};

pub(crate) use person::calls as person_calls;
pub(crate) use worker::calls as worker_calls;

/// Writes a call's function.
pub(crate) fn method(
    text: &mut String,
    source: &Source<'_>,
    service: &Service,
    method: &Method,
    constant: &str,
) -> Result<(), Box<dyn Error>> {
    if bytes::method(text, source, service, method, constant)? {
        return Ok(());
    }
    check_stream(method)?;
    let (input, output) = (name::message(&method.descriptor.input()), name::message(&method.output()));
    let answer = match method.descriptor.is_server_streaming() {
        true => format!("::pavise_kernel::stream::Messages<{output}>"),
        false => output,
    };
    let work = match &method.behavior {
        Behavior::Journal(_) => Work::Whole(format!("self.kernel.serve_journal({constant}, request).await")),
        Behavior::MaxClock(_) => Work::Whole(format!("self.kernel.serve_max_clock({constant}, request).await")),
        Behavior::Watch(watch) if watch.aggregate.is_empty() => Work::Whole(watch::whole(method, watch, constant)?),
        Behavior::Watch(watch) => Work::Inner(watch::narrowed(source, method, watch)?),
        Behavior::Custom(_) => Work::Inner(custom::body(service, method)),
        Behavior::Create(create) => Work::Inner(create::body(source, method, create)?),
        Behavior::Delete(delete) => Work::Inner(delete::body(method, delete)?),
        Behavior::Change(change) => Work::Inner(change::body(source, method, change)?),
        Behavior::Get(get) => Work::Inner(get::body(source, method, get)?),
        Behavior::List(list) => Work::Inner(list::body(source, method, list)?),
        Behavior::Batch(batch) => Work::Inner(batch::body(source, method, batch)?),
        Behavior::Health(_) => Work::Inner(health::body(method)?),
        Behavior::Titles(_) => Work::Inner(titles::body(source, method)?),
        Behavior::ExportPerson(_) => Work::Inner(person::body(method, "ExportPerson", "export_person")?),
        Behavior::RedactPerson(_) => Work::Inner(person::body(method, "RedactPerson", "redact_person")?),
        Behavior::ReadWorkers(_) => Work::Inner(worker::body(source, method, "ReadWorkers", "read_workers")?),
        Behavior::OrderWorker(_) => Work::Inner(worker::body(source, method, "OrderWorker", "order_worker")?),
    };
    let (serve, admit) = match method.descriptor.is_server_streaming() {
        true => ("serve_stream", String::new()),
        false => ("serve", child::admission(source, method)?),
    };
    let body = match work {
        Work::Whole(body) => body,
        Work::Inner(work) => {
            format!("self.kernel.{serve}({constant}, request, |call, request| async move {{ {admit} {work} }}).await")
        }
    };
    writeln!(
        text,
        "async fn {}(&self, request: ::tonic::Request<{input}>) -> Result<::tonic::Response<{answer}>, ::tonic::Status> {{ {body} }}",
        name::ident(method.descriptor.name())
    )?;
    Ok(())
}

/// The code of a behaviour.
enum Work {
    /// The whole body.
    Whole(String),
    /// The part of the body that the kernel runs around.
    Inner(String),
}

/// Whether the proto and the option agree that the call answers a stream.
fn check_stream(method: &Method) -> Result<(), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let says = match &method.behavior {
        Behavior::Watch(_) => true,
        Behavior::Custom(custom) => custom.stream,
        _ => false,
    };
    if says == method.descriptor.is_server_streaming() {
        return Ok(());
    }
    Err(if says {
        format!("{place}: its behaviour answers a stream: declare `returns (stream …)`")
    } else {
        format!("{place}: it returns a stream: declare a watch, or a custom call with `stream: true`")
    }
    .into())
}
