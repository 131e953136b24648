//! The envelope around every call: authorize → rate limit → validate → replay → run → answer. No handler repeats any of it.

use std::collections::BTreeSet;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use http::header::{AUTHORIZATION, ETAG, SET_COOKIE};
use http::{HeaderName, HeaderValue};
use pavise_contract::table::{Method, Realm};
use prost_protovalidate::Validate;
use sha2::{Digest, Sha256};
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Response, Status};

use crate::call::access;
use crate::call::bytes::upload::Incoming;
use crate::call::caller::Caller;
use crate::call::disclosure_notes;
use crate::call::idempotency::answer_from;
use crate::call::in_flight::wait_outside;
use crate::call::metadata::{Conditions, REQUEST_ID};
use crate::call::open_streams::Kind;
use crate::call::peers::TEST_CLOCK;
use crate::call::refusal_log::{code_name, log};
use crate::call::security_notes::Seen;
use crate::call::ties;
use crate::call::{Call, CallState, CommitMark};
use crate::entity::aggregate::{Redact, Target};
use crate::entity::value_check;
use crate::error::{Common, Error, Result};
use crate::hex::to_hex;
use crate::kernel::Kernel;
use crate::port::store::IdempotencyRecord;
use crate::time::{MOST_AHEAD, MOST_BEHIND, Micros};

/// How long a read waits for the clock that it needs (replica lag).
const CLOCK_PATIENCE: Duration = Duration::from_secs(2);
/// The largest replica lag that a read waits for, in clocks. No journal gains that many entries during the wait.
const CLOCK_LAG: i64 = 1_000_000;

/// The header with the journal's clock that an answer reflects.
const CLOCK: HeaderName = HeaderName::from_static("pavise-clock");

impl Kernel {
    /// Answers a call. `run` does the call's own part, and this function everything else.
    ///
    /// # Errors
    /// The answer of a refused or failed call.
    pub async fn serve<Q, S, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Q>,
        run: F,
    ) -> Result<Response<S>, Status>
    where
        Q: prost::Message + Validate + Target + Redact + Default + Clone,
        S: prost::Message + Redact + Default,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<S>> + Send,
    {
        self.serve_with(method, request, None, run).await
    }

    /// Answers a call that may take a file.
    pub(crate) async fn serve_with<Q, S, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Q>,
        incoming: Option<Incoming>,
        run: F,
    ) -> Result<Response<S>, Status>
    where
        Q: prost::Message + Validate + Target + Redact + Default + Clone,
        S: prost::Message + Redact + Default,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<S>> + Send,
    {
        let now = self.machine_clock().now();
        let conditions = self.conditions(&request, now).map(|conditions| Conditions { incoming, ..conditions });
        let (metadata, _, message) = request.into_parts();
        let mut work =
            TypedWork { request: Some(message), run: Some(run), answer: None, replayed: false, future: PhantomData };
        let call = self.answer(method, &metadata, (conditions, now), &mut work).await?;
        // An answered call has an answer.
        let mut response = Response::new(work.answer.unwrap_or_default());
        write_marks(response.metadata_mut(), &call);
        Ok(response)
    }

    /// Answers a call of any type, and measures it.
    async fn answer(
        &self,
        method: &'static Method,
        metadata: &MetadataMap,
        (conditions, now): (Result<Conditions>, Micros),
        work: &mut dyn AnyWork,
    ) -> Result<Call, Status> {
        let began = Instant::now();
        let mut seen = Seen::default();
        let result = match conditions {
            Ok(conditions) => {
                seen.conditions = conditions;
                self.run(method, metadata, &mut seen, now, work).await
            }
            Err(error) => Err(error),
        };
        let code = result.as_ref().map_or_else(Error::code, |_| Code::Ok);
        metrics::counter!("pavise_calls_total", "service" => method.service, "rpc" => method.rpc, "code" => code_name(code))
            .increment(1);
        metrics::histogram!("pavise_call_seconds", "service" => method.service, "rpc" => method.rpc)
            .record(began.elapsed().as_secs_f64());
        result.map_err(|error| self.refuse(method, error, &seen))
    }

    /// Runs an admitted call within the caller's time.
    async fn run(
        &self,
        method: &'static Method,
        metadata: &MetadataMap,
        seen: &mut Seen,
        now: Micros,
        work: &mut dyn AnyWork,
    ) -> Result<Call> {
        let call = match seen.conditions.deadline {
            Some(deadline) => {
                tokio::time::timeout_at(deadline.into(), self.run_admitted(method, metadata, seen, now, &mut *work))
                    .await
                    .map_err(|_| Error::new(Common::DeadlineExceeded, "the call took longer than the caller waits"))??
            }
            None => self.run_admitted(method, metadata, seen, now, &mut *work).await?,
        };
        work.show(&call)?;
        self.note_answered(&call);
        Ok(call)
    }

    async fn run_admitted(
        &self,
        method: &'static Method,
        metadata: &MetadataMap,
        seen: &mut Seen,
        now: Micros,
        work: &mut dyn AnyWork,
    ) -> Result<Call> {
        let request = work.request()?;
        let call = self.authorize_call(method, metadata, request, seen, now).await?;
        if !method.rate_limit.is_empty() {
            let limited_call = call.parts().limited_call(request.target().recipient());
            self.counts().check_rate_limits(&limited_call, method.rate_limit, now)?;
        }
        request.check(call.caller().realm)?;
        ties::check(&call, request.target()).await?;
        if let Some(min_clock) = call.parts().conditions.min_clock {
            self.await_clock(&call, min_clock).await?;
        }
        if let Some(record) = self.stored_answer(&call).await? {
            call.parts().read_content().await?;
            work.repeat(&call, &record)?;
            return Ok(call);
        }
        match work.run(call.clone()).await {
            // A repeat that ran beside the first call may be refused, because the first call has already had its effect.
            Err(error) if call.parts().is_repeatable() => match self.stored_answer(&call).await? {
                Some(record) => work.repeat(&call, &record)?,
                None => return Err(error),
            },
            other => other?,
        }
        Ok(call)
    }

    /// The answer of a refusal, logged and noted.
    pub(crate) fn refuse(&self, method: &'static Method, error: Error, seen: &Seen) -> Status {
        log(method, &error, seen.trace_id());
        self.undeclared().note(method, &error);
        self.note_refused(method, &error, seen);
        error.into_status(method.service, seen.trace_id())
    }

    /// The gRPC paths of calls that refused for a reason which the contract does not declare, each with the reason.
    /// Tests expect none.
    #[must_use]
    pub fn undeclared_reasons(&self) -> BTreeSet<(&'static str, String)> {
        self.undeclared().all()
    }

    /// Admits a call: reads its metadata, checks its token and the contract's access rule.
    pub(crate) async fn admit_call(
        &self,
        method: &'static Method,
        request: &Request<impl AnyRequest>,
        seen: &mut Seen,
    ) -> Result<Call> {
        let now = self.machine_clock().now();
        seen.conditions = self.conditions(request, now)?;
        self.authorize_call(method, request.metadata(), request.get_ref(), seen, now).await
    }

    /// The conditions from the request's metadata, with the caller's address.
    fn conditions<Q>(&self, request: &Request<Q>, now: Micros) -> Result<Conditions> {
        let mut conditions = Conditions::read(request.metadata(), self.ids(), now)?;
        if conditions.address.is_empty() {
            conditions.address = request.remote_addr().map(|address| address.ip().to_string()).unwrap_or_default();
        }
        Ok(conditions)
    }

    /// Admits a call whose conditions were read: checks its token and the contract's access rule.
    async fn authorize_call(
        &self,
        method: &'static Method,
        metadata: &MetadataMap,
        request: &dyn AnyRequest,
        seen: &mut Seen,
        now: Micros,
    ) -> Result<Call> {
        let caller = self.authenticate_caller(metadata).await?;
        let ahead = self.business_offset(metadata, &caller);
        let target = request.target();
        seen.caller = Some(Arc::clone(&caller));
        if let Err(error) = access::authorize_call(method, &caller, target.owner(), &target.scopes()) {
            seen.owner = target.owner().map(str::to_owned);
            return Err(error);
        }
        access::check_proof(method, &caller, now)?;
        let conditions = &mut seen.conditions;
        if method.proves && conditions.validate_only {
            let why = "this call proves something, so it cannot be validate-only: make it without the header";
            return Err(Error::new(Common::ValidateOnlyRefused, why).with("header", "pavise-validate-only"));
        }
        if method.reads {
            conditions.idempotency = None;
        }
        if conditions.idempotency.is_some() {
            let mut digest = Sha256::new_with_prefix(method.path);
            digest.update(request.without_secrets());
            conditions.request_digest = to_hex(&digest.finalize());
            if caller.realm == Realm::Unspecified && conditions.idempotency.as_ref().is_some_and(|key| key.len() < 16) {
                let why =
                    "without a token, the idempotency key must have at least 16 characters, so that nobody guesses it";
                return Err(Error::new(Common::InvalidMetadata, why).with("header", "idempotency-key"));
            }
        }
        let call = Call::new(CallState {
            kernel: self.clone(),
            method,
            caller,
            owner: target.owner().map(str::to_owned),
            named: target.scopes().into_iter().map(|(kind, id)| (kind, id.to_owned())).collect(),
            scope: target.scope(),
            reason: target.reason().to_owned(),
            conditions: std::mem::take(conditions),
            now: now.saturating_add(ahead),
            machine_now: now,
            parent: Mutex::default(),
            mark: Mutex::new(CommitMark::default()),
            cookies: Mutex::default(),
            about: Mutex::default(),
        });
        seen.call = Some(call.clone());
        Ok(call)
    }

    /// The caller that sent this metadata.
    ///
    /// # Errors
    /// `TOKEN_INVALID`, `TOKEN_EXPIRED`.
    pub async fn authenticate_caller(&self, metadata: &MetadataMap) -> Result<Arc<Caller>> {
        let Some(value) = metadata.as_ref().get(AUTHORIZATION) else { return Ok(Arc::new(Caller::anonymous())) };
        let token = value.to_str().ok().and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        match token {
            Some(token) if !token.is_empty() => self.verifier().verify(token, self.machine_clock().now()).await,
            _ => Err(Error::new(Common::TokenInvalid, "authorization must be: Bearer <token>")),
        }
    }

    /// Waits until this process sees the call's journal at `clock`. Only reads of callers with a token wait, a few of each
    /// caller at a time, and outside the places of requests in flight.
    async fn await_clock(&self, call: &Call, clock: i64) -> Result<()> {
        if call.caller().is_anonymous() || !call.method().reads {
            let why = "only reads with a token wait for a clock";
            return Err(Error::new(Common::InvalidMetadata, why).with("header", "min-clock"));
        }
        let journal = call.method().journal;
        let mut seen = self.store().head(journal).await?.clock;
        if seen < clock && clock.saturating_sub(seen) <= CLOCK_LAG {
            let _waiting = self.open().count_open(Kind::Clock, call.caller(), call.address())?;
            wait_outside(self.wait_for_clock(journal, clock)).await?;
            seen = self.store().head(journal).await?.clock;
        }
        if seen >= clock {
            return Ok(());
        }
        let message = format!("clock {clock} is not visible here yet; it is at {seen}");
        Err(Error::new(Common::ClockNotReached, message).retry_after(Duration::from_secs(1)))
    }

    /// By how much business time is ahead for a call. A part of the platform that stands at a later day takes this one with
    /// it, so that one piece of work has one day. Nobody else is believed.
    fn business_offset(&self, metadata: &MetadataMap, caller: &Caller) -> Micros {
        let Some(offset) = self.business_clock().test_clock() else { return 0 };
        let said = metadata.get(TEST_CLOCK).filter(|_| caller.has_mesh_secret);
        let said = said.and_then(|said| said.to_str().ok()?.parse::<Micros>().ok());
        let said = said.filter(|said| (-MOST_BEHIND..=MOST_AHEAD).contains(said));
        said.map_or_else(|| offset.get(), |said| said.max(offset.get()))
    }

    /// Waits for a clock of a journal, but not for ever.
    async fn wait_for_clock(&self, journal: &'static str, clock: i64) {
        let mut committed = self.committer().visible_clock(journal);
        let mut follower = self.heads().follow(self.store(), journal, true);
        tokio::select! {
            _ = committed.wait_for(|seen| *seen >= clock) => {}
            () = follower.reaches(clock) => {}
            () = tokio::time::sleep(CLOCK_PATIENCE) => {}
        }
    }
}

/// A request of any type, as the envelope reads it.
pub(crate) trait AnyRequest: Send + Sync {
    /// The people and the things that it names.
    fn target(&self) -> &dyn Target;

    /// Refuses fields that callers of the realm do not set, and values that the contract's rules refuse.
    fn check(&self, realm: Realm) -> Result<()>;

    /// Its wire bytes. Their digest is stored, so they omit secrets: otherwise a password could be guessed from it.
    fn without_secrets(&self) -> Vec<u8>;
}

impl<Q: prost::Message + Validate + Target + Redact + Clone> AnyRequest for Q {
    fn target(&self) -> &dyn Target {
        self
    }

    fn check(&self, realm: Realm) -> Result<()> {
        check_setters(self, realm)?;
        self.validate()?;
        value_check::check_request(self)
    }

    fn without_secrets(&self) -> Vec<u8> {
        let mut shown = self.clone();
        shown.redact();
        shown.encode_to_vec()
    }
}

/// The request, the own part and the answer of a call of any type. The envelope is compiled once for all of them.
trait AnyWork: Send {
    /// The request, until it runs.
    fn request(&self) -> Result<&dyn AnyRequest>;

    /// Runs the call's own part, once.
    fn run(&mut self, call: Call) -> BoxFuture<'_, Result<()>>;

    /// Answers as before.
    fn repeat(&mut self, call: &Call, record: &IdempotencyRecord) -> Result<()>;

    /// Leaves in the answer what its caller gets, and notes whose personal data they read.
    fn show(&mut self, call: &Call) -> Result<()>;
}

struct TypedWork<Q, S, F, Fut> {
    request: Option<Q>,
    run: Option<F>,
    answer: Option<S>,
    /// Whether the answer comes from the idempotency record.
    replayed: bool,
    future: PhantomData<fn() -> Fut>,
}

impl<Q, S, F, Fut> AnyWork for TypedWork<Q, S, F, Fut>
where
    Q: prost::Message + Validate + Target + Redact + Clone,
    S: prost::Message + Redact + Default,
    F: FnOnce(Call, Q) -> Fut + Send,
    Fut: Future<Output = Result<S>> + Send,
{
    fn request(&self) -> Result<&dyn AnyRequest> {
        let request = self.request.as_ref().ok_or_else(|| Error::internal("a request is read after its call ran"))?;
        Ok(request)
    }

    fn run(&mut self, call: Call) -> BoxFuture<'_, Result<()>> {
        let (Some(run), Some(mut request)) = (self.run.take(), self.request.take()) else {
            return Box::pin(std::future::ready(Err(Error::internal("a call runs once"))));
        };
        request.normalize();
        let (answer, work) = (&mut self.answer, run(call, request));
        Box::pin(async move {
            *answer = Some(work.await?);
            Ok(())
        })
    }

    fn repeat(&mut self, call: &Call, record: &IdempotencyRecord) -> Result<()> {
        self.answer = Some(answer_from(call, record)?);
        self.replayed = true;
        Ok(())
    }

    fn show(&mut self, call: &Call) -> Result<()> {
        let Some(answer) = &mut self.answer else { return Err(Error::internal("a call has no answer")) };
        answer.redact();
        answer.hide(call.caller().realm);
        if !call.method().reveals {
            answer.mask(call.caller().mask_realm());
        }
        // A write is in the journal, but an answer without a write is a read.
        let is_read = call.method().reads || call.validate_only() || self.replayed;
        if is_read { disclosure_notes::note(call, answer) } else { Ok(()) }
    }
}

/// Refuses a request that sets fields which are for callers of other realms.
fn check_setters(request: &impl Redact, realm: Realm) -> Result<()> {
    let mut found = Vec::new();
    request.find_foreign(realm, "", &mut found);
    let Some(first) = found.first() else { return Ok(()) };
    let why = "is not for callers of this realm to set";
    let error = Error::new(Common::InvalidField, format!("{first} {why}"));
    Err(found.iter().fold(error, |error, field| error.violation(field, why)))
}

/// Writes the headers of an answer: version, clock, request id.
fn write_marks(metadata: &mut MetadataMap, call: &Call) {
    let mark = call.marked();
    let headers = metadata.as_mut();
    let mut put = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    };
    if mark.version > 0 {
        put(ETAG, format!("W/\"{}\"", mark.version));
    }
    if mark.clock > 0 {
        put(CLOCK, mark.clock.to_string());
    }
    put(REQUEST_ID, call.request_id().to_owned());
    for cookie in call.parts().cookies.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        if let Ok(value) = HeaderValue::try_from(cookie.0.as_str()) {
            headers.append(SET_COOKIE, value);
        }
    }
}
