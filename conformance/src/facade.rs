//! Our facade before the suite's service, as `pavise serve` puts it before the platform's.

use std::collections::BTreeMap;

use anyhow::Context as _;
use axum::Router;
use pavise_contract::Contract;
use pavise_contract::options::v1::{Access, Call, Custom, Service, call};
use pavise_kernel::peers::Peers;
use pavise_mesh::{Endpoint, Spans};
use pavise_rest::Options;
use pavise_transcode::Transcoder;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, Value};

use crate::protos;

/// More than the open calls of any case.
const MAX_IN_FLIGHT: usize = 64;

/// The facade, calling the service at `url`.
pub(crate) fn router(url: &str) -> anyhow::Result<Router> {
    let pool = declared(protos::FACADE)?;
    let domain = Contract::read(&pool)?.services.first().context("the suite has a service")?.domain.clone();
    // No call is repeated: a case counts the calls that arrive.
    let transport = pavise_mesh::remote(&Endpoint::new(url), |_| false)?;
    let peers = Peers::default();
    peers.set_transports(BTreeMap::from([(domain, transport)]));
    let rest = pavise_rest::facade(&pool, Transcoder::new(&pool), peers, Options::default())?;
    Ok(Router::new().fallback_service(pavise_mesh::guard(rest, MAX_IN_FLIGHT, Spans::default())))
}

/// The suite does not declare callers or writes, which the facade's contract must: every call is public, and none
/// writes.
fn declared(descriptors: &[u8]) -> anyhow::Result<DescriptorPool> {
    let pool = DescriptorPool::decode(descriptors)?;
    let set =
        pool.get_message_by_name("google.protobuf.FileDescriptorSet").context("the set has its own descriptor")?;
    let mut set = DynamicMessage::decode(set, descriptors)?;
    for file in messages(&mut set, "file") {
        for service in messages(file, "service") {
            let name = service.get_field_by_name("name").and_then(|name| name.as_str().map(str::to_lowercase));
            declare(&pool, service, "service", &Service { name: name.unwrap_or_default(), ..Service::default() })?;
            for method in messages(service, "method") {
                declare(&pool, method, "access", &Access { public: true, ..Access::default() })?;
                let custom = Custom { reads: true, ..Custom::default() };
                declare(
                    &pool,
                    method,
                    "call",
                    &Call { behavior: Some(call::Behavior::Custom(custom)), ..Call::default() },
                )?;
            }
        }
    }
    Ok(DescriptorPool::decode(set.encode_to_vec().as_slice())?)
}

/// The messages of a repeated field.
fn messages<'m>(message: &'m mut DynamicMessage, field: &str) -> impl Iterator<Item = &'m mut DynamicMessage> {
    let list = message.get_field_by_name_mut(field).and_then(Value::as_list_mut);
    list.into_iter().flatten().filter_map(Value::as_message_mut)
}

/// Sets one of our options.
fn declare(
    pool: &DescriptorPool,
    declared: &mut DynamicMessage,
    name: &str,
    option: &impl prost::Message,
) -> anyhow::Result<()> {
    let extension =
        pool.get_extension_by_name(&format!("pavise.contract.v1.{name}")).context("the options are compiled")?;
    let kind = extension.kind();
    let descriptor = kind.as_message().context("the option is a message")?;
    let value = DynamicMessage::decode(descriptor.clone(), option.encode_to_vec().as_slice())?;
    let options =
        declared.get_field_by_name_mut("options").and_then(Value::as_message_mut).context("there are options")?;
    options.set_extension(&extension, Value::Message(value));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_call_of_the_suite_has_its_place_in_the_facade() {
        let pool = declared(protos::FACADE).unwrap();
        let contract = Contract::read(&pool).unwrap();
        assert_eq!(contract.services.len(), 1);
        assert_eq!(contract.services[0].domain, pavise_contract::domain_of("transcoding.conformance.v1"));
        assert!(contract.methods().all(|(_, method)| !method.bindings.is_empty()));
        assert!(router("http://127.0.0.1:1").is_ok());
    }
}
