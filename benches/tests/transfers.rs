//! Files of a server that is a process of its own: its memory while they pass, their ranges, and its death meanwhile.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::stream;
use reqwest::header::RANGE;
use reqwest::multipart::{Form, Part};
use reqwest::{Body, Client, StatusCode};
use serde_json::Value;
use tokio::sync::Notify;

const PROGRAM: &str = env!("CARGO_BIN_EXE_pavise-benches");
const MIB: u64 = 1 << 20;
const CHUNK: u64 = 64 << 10;

/// As much as the long form asks for, or less.
fn length(short: usize, long: usize) -> usize {
    if std::env::var_os("PAVISE_LONG").is_some() { long } else { short }
}

/// The byte of a made-up file at a place, as the program makes it.
fn byte_at(at: u64) -> u8 {
    u8::try_from((at.wrapping_mul(2_654_435_761) >> 13) & 0xff).unwrap()
}

fn bytes(from: u64, until: u64) -> Vec<u8> {
    (from..until).map(byte_at).collect()
}

/// A made-up file, chunk by chunk.
fn file(size: u64) -> Body {
    Body::wrap_stream(stream::iter((0..size.div_ceil(CHUNK)).map(move |number| {
        let from = number * CHUNK;
        Ok::<_, std::io::Error>(bytes(from, size.min(from + CHUNK)))
    })))
}

/// The same file; what was taken of it counts.
fn counted(size: u64, sent: Arc<Progress>) -> Body {
    Body::wrap_stream(stream::iter((0..size.div_ceil(CHUNK)).map(move |number| {
        let from = number * CHUNK;
        let chunk = bytes(from, size.min(from + CHUNK));
        sent.add(chunk.len());
        Ok::<_, std::io::Error>(chunk)
    })))
}

/// Bytes that went on their way.
#[derive(Default)]
struct Progress {
    count: AtomicUsize,
    changed: Notify,
}

impl Progress {
    fn add(&self, count: usize) {
        self.count.fetch_add(count, Ordering::Relaxed);
        self.changed.notify_waiters();
    }

    async fn reach(&self, count: u64) {
        let count = usize::try_from(count).unwrap();
        loop {
            let changed = self.changed.notified();
            if self.count.load(Ordering::Relaxed) >= count {
                return;
            }
            changed.await;
        }
    }
}

struct Server {
    process: Child,
    base: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start(database: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let listen = format!("127.0.0.1:{port}");
        let mut process = Command::new(PROGRAM)
            .args(["serve", "--listen", &listen, "--database", database])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut token = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut token).unwrap();
        Self { process, base: format!("http://{listen}"), token: token.trim().to_owned() }
    }

    /// A number of /proc, in KiB.
    fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// The memory that it has at most while something is done, beyond what it had before, in KiB.
    async fn more_memory<T>(&self, what: &str, work: impl Future<Output = T>) -> T {
        std::fs::write(format!("/proc/{}/clear_refs", self.process.id()), "5").unwrap();
        let before = self.memory("VmRSS");
        let done = work.await;
        let more = self.memory("VmHWM").saturating_sub(before);
        println!("{what}: {more} KiB more memory");
        assert!(more <= 8 << 10, "{what} took {more} KiB more memory");
        done
    }

    fn run(&self, part: &str, more: &[&str]) -> Value {
        program(&[&[part, "--to", &self.base, "--token", &self.token], more].concat())
    }
}

fn program(arguments: &[&str]) -> Value {
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn database(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("bench.db").display())
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().map_or_else(|| value[name].to_string(), str::to_owned)
}

/// A client of HTTP. The store of files made the clients of this process choose their provider of TLS.
fn client() -> Client {
    pavise_mesh::choose_tls_provider();
    Client::new()
}

async fn add(client: &Client, server: &Server, kind: &str, body: Body) -> reqwest::Result<Value> {
    let request = client.post(format!("{}/v1/scans", server.base)).bearer_auth(&server.token);
    request.header("content-type", kind).body(body).send().await?.error_for_status()?.json().await
}

async fn read(client: &Client, server: &Server, id: &str) -> u64 {
    let request = client.get(format!("{}/v1/scans/{id}/file", server.base)).bearer_auth(&server.token);
    let mut answer = request.send().await.unwrap().error_for_status().unwrap();
    let mut at = 0;
    while let Some(chunk) = answer.chunk().await.unwrap() {
        for byte in &chunk {
            assert_eq!(*byte, byte_at(at), "byte {at}");
            at += 1;
        }
    }
    at
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_passes_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&database(folder.path()));
    let client = client();
    let size = 100 * MIB;
    // Buffers of the database and of connections are allocated once, and before the measurement.
    let small = add(&client, &server, "application/octet-stream", file(MIB)).await.unwrap();
    read(&client, &server, &text(&small, "id")).await;
    let first = text(&server.run("send", &["--size", "1048576"]), "id");
    server.run("take", &["--id", &first]);
    let raw = server
        .more_memory("up, the file itself", add(&client, &server, "application/octet-stream", file(size)))
        .await
        .unwrap();
    let form = Form::new().part("file", Part::stream(file(size)).file_name("form.bin"));
    let form = client.post(format!("{}/v1/scans", server.base)).bearer_auth(&server.token).multipart(form).send();
    let form = server.more_memory("up, in a form", form).await.unwrap().error_for_status().unwrap();
    let form: Value = form.json().await.unwrap();
    let grpc = server.more_memory("up, over gRPC", async { server.run("send", &["--size", "104857600"]) }).await;
    assert_eq!(text(&form, "name"), "form.bin");
    for scan in [&raw, &form, &grpc] {
        assert_eq!((text(scan, "size"), text(scan, "sha256")), (size.to_string(), text(&raw, "sha256")));
    }
    let id = text(&raw, "id");
    assert_eq!(server.more_memory("down, over REST", read(&client, &server, &id)).await, size);
    let taken = server.more_memory("down, over gRPC", async { server.run("take", &["--id", &id]) }).await;
    assert_eq!(text(&taken, "size"), size.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_ranges_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&database(folder.path()));
    let client = client();
    let size = 3 * MIB + 12_345;
    let scan = add(&client, &server, "application/octet-stream", file(size)).await.unwrap();
    let (address, tag) = (format!("{}/v1/scans/{}/file", server.base, text(&scan, "id")), text(&scan, "sha256"));
    let ask = || client.get(&address).bearer_auth(&server.token);
    let mut seed = 1_u64;
    let mut below = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    for _ in 0..1000 {
        let first = below(size);
        // Most ranges are short, as those of a player are; some are of any length.
        let longest = if below(10) == 0 { size - first } else { (size - first).min(100_000) };
        let last = first + below(longest);
        let answer = ask().header(RANGE, format!("bytes={first}-{last}")).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-range"), format!("bytes {first}-{last}/{size}"));
        assert_eq!((header("etag"), header("content-length")), (format!("\"{tag}\""), (last - first + 1).to_string()));
        assert!(answer.bytes().await.unwrap() == bytes(first, last + 1), "{first}-{last}");
    }
    let end = ask().header(RANGE, "bytes=-5").send().await.unwrap().bytes().await.unwrap();
    assert_eq!(end, bytes(size - 5, size));
    let beyond = ask().header(RANGE, format!("bytes={size}-")).send().await.unwrap();
    assert_eq!(beyond.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(beyond.headers()["content-range"], format!("bytes */{size}"));
    let changed = ask().header(RANGE, "bytes=0-9").header("if-range", "\"another\"").send().await.unwrap();
    assert_eq!((changed.status(), changed.content_length()), (StatusCode::OK, Some(size)));
    let known = ask().header("if-none-match", format!("\"{tag}\"")).send().await.unwrap();
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    let head = client.head(&address).bearer_auth(&server.token).send().await.unwrap();
    let header = |name: &str| head.headers()[name].to_str().unwrap().to_owned();
    assert_eq!((head.status(), header("content-length")), (StatusCode::OK, size.to_string()));
    assert_eq!([header("accept-ranges"), header("x-content-type-options")], ["bytes", "nosniff"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_leaves_no_record_without_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (database, client) = (database(folder.path()), client());
    let kills = length(25, 100);
    let mut answered = 0;
    for number in 0..kills {
        let server = Server::start(&database);
        let sent = Arc::new(Progress::default());
        let uploads = [10_000, 300_000, 2 * MIB, 9 * MIB].map(|size| {
            let (client, base, token) = (client.clone(), server.base.clone(), server.token.clone());
            let sent = Arc::clone(&sent);
            tokio::spawn(async move {
                let mut answered = 0_u64;
                loop {
                    let request = client.post(format!("{base}/v1/scans")).bearer_auth(&token);
                    let body = counted(size, Arc::clone(&sent));
                    match request.header("content-type", "image/png").body(body).send().await {
                        Ok(answer) if answer.status().is_success() => answered += 1,
                        _ => return answered,
                    }
                }
            })
        });
        // In the middle of some of them, wherever that is.
        sent.reach(5 * MIB + u64::try_from(number * 7 % 31).unwrap() * MIB / 3).await;
        drop(server);
        for upload in uploads {
            answered += upload.await.unwrap();
        }
    }
    let swept = program(&["sweep", "--database", &database]);
    println!("{kills} kills, {answered} files answered: {swept}");
    assert_eq!(text(&swept, "dangling"), "0");
    assert_eq!(text(&swept, "left"), "0");
    assert_eq!(text(&swept, "seen"), text(&swept, "named"));
    let named: u64 = text(&swept, "named").parse().unwrap();
    assert!(named >= answered && answered > 0, "{named} are named, {answered} were answered");
    let unnamed: u64 =
        text(&swept, "orphans").parse::<u64>().unwrap() + text(&swept, "unfinished").parse::<u64>().unwrap();
    assert!(unnamed > 0, "no kill hit a transfer");
}
