//! A custom call: the handwritten function `crate::<service>::<rpc>`.

use pavise_contract::{Method, Service};

use crate::name;

/// The body of a custom call.
pub(crate) fn body(service: &Service, method: &Method) -> String {
    format!("crate::{}::{}(&call, request).await", name::ident(&service.name), name::ident(method.descriptor.name()))
}
