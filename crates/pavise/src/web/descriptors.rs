//! The contract as the console reads it: an index of all calls, and the descriptors of each domain.
//!
//! Each is a file that never changes, named by its hash. The index has what navigation, search and access rules need of every
//! call and every entity. The descriptors of a domain have the fields, too, and are fetched with the first page that needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use pavise_contract::options::v1::Answers;
use pavise_kernel::hex::to_hex;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, ExtensionDescriptor, FileDescriptor, ReflectMessage as _, Value};
use sha2::{Digest as _, Sha256};

use super::{ASK, FOREVER};
use crate::domains;

/// The package of the REST paths' options, which the index brings with it.
const PATHS: &str = "google.api";
/// The fields of a call's behaviour that the index leaves out: limits and consequences that only the server applies.
const APPLIED: [&str; 5] = ["rate_limit", "proves_nothing", "sends", "tells", "event"];

/// The files of a `google.protobuf.FileDescriptorSet`. Each stays as it is encoded, so that no option is lost.
#[derive(Clone, PartialEq, prost::Message)]
struct FileSet {
    #[prost(bytes = "vec", repeated, tag = "1")]
    file: Vec<Vec<u8>>,
}

/// A part of the contract as a file that never changes.
#[derive(Debug, Clone)]
struct Part {
    path: String,
    plain: Bytes,
    gzip: Bytes,
}

impl Part {
    fn new(name: &str, set: &FileSet) -> std::io::Result<Self> {
        let encoded = set.encode_to_vec();
        let hash = to_hex(&Sha256::digest(&encoded));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&encoded)?;
        let path = format!("/contract/{name}-{}.binpb", hash.get(..16).unwrap_or(&hash));
        Ok(Self { path, plain: encoded.into(), gzip: gzip.finish()?.into() })
    }

    /// The answer to a request for the file, compressed where the reader accepts that.
    fn answer(self, headers: &HeaderMap) -> Response {
        let fixed = [(CACHE_CONTROL, FOREVER), (CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"))];
        let vary = [(VARY, HeaderValue::from_static("accept-encoding"))];
        let accepts = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if accepts.split(',').any(|one| one.trim().split(';').next() == Some("gzip")) {
            return (fixed, vary, [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))], self.gzip).into_response();
        }
        (fixed, vary, self.plain).into_response()
    }
}

/// `/contract.json` names the index, the descriptors that all domains share, and those of each domain. They are served beside
/// it: without comments, compressed, to be kept for ever.
///
/// # Errors
/// When the options are not those of the contract.
pub fn contract(pool: &DescriptorPool) -> anyhow::Result<Router> {
    let mut sets: BTreeMap<&str, FileSet> = BTreeMap::new();
    for file in pool.files() {
        let place = domain_of(file.package_name()).unwrap_or("shared");
        sets.entry(place).or_default().file.push(file.encode_to_vec());
    }
    let index = Part::new("index", &Options::of(pool)?.index(pool)?)?;
    let shared = Part::new("shared", &sets.remove("shared").unwrap_or_default())?;
    let own: Vec<_> =
        sets.iter().map(|(name, set)| Ok((*name, Part::new(name, set)?))).collect::<std::io::Result<_>>()?;
    let paths: BTreeMap<_, _> = own.iter().map(|(name, part)| (*name, part.path.clone())).collect();
    let listed = serde_json::json!({ "index": index.path, "shared": shared.path, "domains": paths });
    let listing = get(move || std::future::ready(([(CACHE_CONTROL, ASK)], axum::Json(listed.clone()))));
    let parts = own.into_iter().map(|(_, part)| part).chain([index, shared]);
    Ok(parts.fold(Router::new().route("/contract.json", listing), |router, part| {
        let path = part.path.clone();
        router.route(&path, get(move |headers: HeaderMap| std::future::ready(part.clone().answer(&headers))))
    }))
}

/// The domain of a package: `pavise.orders.v1` is of `orders`.
fn domain_of(package: &str) -> Option<&'static str> {
    let name = package.strip_prefix("pavise.")?.split('.').next()?;
    domains::NAMES.iter().copied().find(|one| *one == name)
}

/// The options that the index reads.
struct Options {
    aggregate: ExtensionDescriptor,
    call: ExtensionDescriptor,
    facts: ExtensionDescriptor,
}

impl Options {
    fn of(pool: &DescriptorPool) -> anyhow::Result<Self> {
        let named = |name: &str| {
            let full = format!("pavise.contract.v1.{name}");
            pool.get_extension_by_name(&full).with_context(|| format!("the contract has no option {full}"))
        };
        Ok(Self { aggregate: named("aggregate")?, call: named("call")?, facts: named("facts")? })
    }

    /// All services with their calls, the entities without their fields, and the names of the fields that lists filter by.
    fn index(&self, pool: &DescriptorPool) -> anyhow::Result<FileSet> {
        let kind = pool.get_message_by_name("google.protobuf.FileDescriptorProto").context("no descriptor.proto")?;
        let mut set = FileSet::default();
        for file in pool.files() {
            if file.package_name() == PATHS {
                set.file.push(file.encode_to_vec());
            } else if domain_of(file.package_name()).is_some() {
                let mut short = DynamicMessage::decode(kind.clone(), file.encode_to_vec().as_slice())?;
                self.shorten(&file, &mut short);
                set.file.push(short.encode_to_vec());
            }
        }
        Ok(set)
    }

    fn shorten(&self, file: &FileDescriptor, short: &mut DynamicMessage) {
        keep(short, &["name", "package", "service", "message_type"]);
        for service in each(short, "service") {
            for method in each(service, "method") {
                self.shorten_method(method);
            }
        }
        let requests = self.listed(file);
        if let Some(messages) = short.get_field_by_name_mut("message_type").and_then(Value::as_list_mut) {
            messages.retain_mut(|value| {
                let Some(message) = value.as_message_mut() else { return false };
                let request = requests.contains(&text(message, "name"));
                keep(message, if request { &["name", "field"] } else { &["name", "options"] });
                for field in each(message, "field") {
                    keep(field, &["name"]);
                }
                request || options(message).is_some_and(|options| options.has_extension(&self.aggregate))
            });
        }
    }

    fn shorten_method(&self, method: &mut DynamicMessage) {
        let many = options(method).is_some_and(|options| self.is_many(options));
        method.clear_field_by_name("output_type");
        if !many {
            method.clear_field_by_name("input_type");
        }
        let Some(options) = method.get_field_by_name_mut("options").and_then(Value::as_message_mut) else { return };
        let call = options.get_extension(&self.call).into_owned();
        if let Value::Message(mut call) = call {
            APPLIED.iter().for_each(|name| call.clear_field_by_name(name));
            options.set_extension(&self.call, Value::Message(call));
        }
    }

    /// The names of the messages that ask for a list in the package of a file.
    fn listed(&self, file: &FileDescriptor) -> BTreeSet<String> {
        let services = file.parent_pool().services().collect::<Vec<_>>();
        let own = services.iter().filter(|service| service.package_name() == file.package_name());
        let lists = own.flat_map(|service| service.methods().collect::<Vec<_>>());
        lists.filter(|method| self.is_many(&method.options())).map(|method| method.input().name().to_owned()).collect()
    }

    /// Whether a call answers many records.
    fn is_many(&self, options: &DynamicMessage) -> bool {
        let facts = options.get_extension(&self.facts);
        let answers = facts.as_message().and_then(|facts| facts.get_field_by_name("answers")?.as_enum_number());
        answers == Some(Answers::Many as i32)
    }
}

/// Clears every field but those named.
fn keep(message: &mut DynamicMessage, names: &[&str]) {
    let fields: Vec<_> = message.descriptor().fields().filter(|field| !names.contains(&field.name())).collect();
    fields.iter().for_each(|field| message.clear_field(field));
}

fn options(message: &DynamicMessage) -> Option<&DynamicMessage> {
    match message.get_field_by_name("options")? {
        std::borrow::Cow::Borrowed(options) => options.as_message(),
        std::borrow::Cow::Owned(_) => None,
    }
}

fn text(message: &DynamicMessage, name: &str) -> String {
    message.get_field_by_name(name).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The messages in a repeated field.
fn each<'a>(message: &'a mut DynamicMessage, field: &str) -> impl Iterator<Item = &'a mut DynamicMessage> + use<'a> {
    let list = message.get_field_by_name_mut(field).and_then(Value::as_list_mut);
    list.into_iter().flatten().filter_map(Value::as_message_mut)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::{Request, StatusCode};
    use tower::ServiceExt as _;

    use super::*;

    async fn get(router: &Router, path: &str, accepts: &str) -> (StatusCode, HeaderMap, Bytes) {
        let request = Request::get(path).header(ACCEPT_ENCODING, accepts).body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, to_bytes(body, 1 << 20).await.unwrap())
    }

    async fn served() -> (Router, serde_json::Value) {
        let router = contract(&domains::pool(false).unwrap()).unwrap();
        let (_, headers, body) = get(&router, "/contract.json", "").await;
        assert_eq!(headers[CACHE_CONTROL], "no-cache");
        (router, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn each_part_is_found_by_its_hash_and_comes_as_the_reader_accepts_it() {
        let (router, listed) = served().await;
        let path = listed["domains"]["orders"].as_str().unwrap();
        let (status, headers, plain) = get(&router, path, "br").await;
        assert_eq!(status, StatusCode::OK);
        assert!(headers[CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        assert!(path.contains(to_hex(&Sha256::digest(&plain)).get(..16).unwrap()));
        let (_, headers, body) = get(&router, path, "br, gzip;q=0.8").await;
        assert_eq!(
            (&headers[CONTENT_ENCODING], &headers[VARY]),
            (&"gzip".parse().unwrap(), &"accept-encoding".parse().unwrap())
        );
        let mut unpacked = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(body.as_ref()), &mut unpacked).unwrap();
        assert_eq!(unpacked, plain);
    }

    #[tokio::test]
    async fn the_parts_of_the_domains_and_the_shared_one_are_the_whole_contract() {
        let (router, listed) = served().await;
        let mut read = DescriptorPool::new();
        let domains = listed["domains"].as_object().unwrap();
        assert_eq!(
            domains.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            domains::NAMES.iter().copied().collect()
        );
        for path in [&listed["shared"]].into_iter().chain(domains.values()) {
            let (_, _, part) = get(&router, path.as_str().unwrap(), "").await;
            // No domain needs another one's part.
            read.decode_file_descriptor_set(part).unwrap();
        }
        let names = |pool: &DescriptorPool| pool.files().map(|file| file.name().to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(names(&read), names(&domains::pool(false).unwrap()));
    }

    #[tokio::test]
    async fn the_index_has_every_call_with_its_rules_and_no_field_but_the_filters_of_lists() {
        let (router, listed) = served().await;
        let (_, _, index) = get(&router, listed["index"].as_str().unwrap(), "").await;
        let (_, _, small) = get(&router, listed["index"].as_str().unwrap(), "gzip").await;
        let pool = domains::pool(false).unwrap();
        let set = prost_types::FileDescriptorSet::decode(index).unwrap();
        let own = || set.file.iter().filter(|file| file.package() != PATHS);
        let calls: usize = own().flat_map(|file| &file.service).map(|service| service.method.len()).sum();
        assert_eq!(calls, pool.services().map(|service| service.methods().count()).sum::<usize>());
        let message = |name: &str| own().flat_map(|file| &file.message_type).find(|one| one.name() == name);
        assert!(message("Order").unwrap().field.is_empty() && message("PurchaseOrderRequest").is_none());
        let filters: Vec<_> = message("ListInvoicesRequest").unwrap().field.iter().map(|field| field.name()).collect();
        assert!(filters.contains(&"identity_id"), "{filters:?}");
        // A call takes less than a hundred bytes of a first visit.
        assert!(small.len() < calls * 100, "{} bytes for {calls} calls", small.len());
    }
}
