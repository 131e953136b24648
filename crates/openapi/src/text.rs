//! The texts of the document.

/// The rules of every call.
pub(crate) const INTRODUCTION: &str = "\
The REST facade of the platform. Every call is also a gRPC and a gRPC-web call of the same contract (`x-grpc`).

**Values.** An amount is `{\"currency\": \"USD\", \"amount\": \"2995\"}` in minor units. A date is `\"2026-03-31\"`, a time \
`\"2026-03-31T13:20:00Z\"`. 64-bit integers are written as strings; strings and numbers are read. An enumeration is written \
in its documented spelling. A field that is `null` counts as one that is not there. Unknown fields and unknown query keys \
are refused.

**Refusals** have one shape, `Error`; a program should look at the `reason` in its `ErrorInfo`. Each answer lists the \
reasons that its call can give under `x-reasons`.

**Writes** take `Idempotency-Key` (a repeat has the effect of one), `If-Match` (the version that the caller has seen) and \
`Pavise-Validate-Only` (everything but the commit). They answer the journal's clock in `Pavise-Clock`; a read that sends it \
as `Min-Clock` sees the write.

**Every call** takes `Request-Timeout` (seconds that the caller waits), and understands `X-Request-Id`, `Traceparent`, \
`Tracestate`.

**Journals** answer a page as JSON. With `Accept: text/event-stream` or `application/x-ndjson` the same path stays open and \
sends entries as they are committed.

Every GET also answers HEAD, and every path OPTIONS with the methods that it has.";

/// The description of a page of a journal's entries, where it is a stream.
pub(crate) const LINES: &str = "One value a line, for as long as the caller stays; an empty line is a sign of life.";

/// The same for server-sent events.
pub(crate) const EVENTS: &str =
    "Each event's data is one value; its id is the journal's clock where there is one. A comment is a sign of life.";
