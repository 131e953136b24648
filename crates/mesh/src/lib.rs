//! Transport of calls: in process or over the network behind one type, with deadlines, retries, load shedding and
//! TLS.
//!
//! [`local`] and [`remote`] make the [`Transport`](pavise_kernel::peers::Transport) that clients use; [`serve`] is the
//! server's end. The layers stand around all that a server serves, gRPC and REST alike.

mod address;
mod arriving;
mod body;
mod channel;
mod deadline;
mod endpoint;
mod first_bytes;
mod guard;
mod malformed;
mod protect;
mod reason;
mod refusal;
mod retry;
mod serve;
mod shed;
mod tls;
mod trace;
mod unread;

pub use address::{AddressLayer, Addressed, Network};
pub use body::Enclose;
pub use channel::{local, remote, remote_through};
pub use deadline::{Deadline, DeadlineLayer, timeout_of};
pub use endpoint::Endpoint;
pub use guard::{Guarded, guard};
pub use pavise_kernel::codec::BytesCodec;
pub use reason::ReasonLayer;
pub use serve::{Drained, Serving, serve};
pub use shed::{LoadShed, LoadShedLayer};
pub use tls::{ClientTls, ServerTls, TlsError, choose_tls_provider};
pub use trace::{Spans, Trace, TraceLayer};
