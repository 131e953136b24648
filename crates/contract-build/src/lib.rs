//! Turns the contract of a domain into Rust at build time.
//!
//! A declared call becomes the code that a careful author would have written around
//! [`Call`](../pavise_kernel/call/index.html). A custom call is the function `crate::<service>::<rpc>`, which the
//! domain must write. An error of the contract is a build error with the full name of the place.

mod aggregate;
mod audience;
mod behaviors;
mod bytes;
mod check;
mod child;
#[path = "../../contract/compile.rs"]
mod compile;
mod confined;
mod constants;
mod disclosure;
mod edit;
mod erasure;
mod floor;
mod mask;
mod message;
mod name;
mod names;
mod number;
mod owned_entity;
mod proof;
mod rate_limit;
mod refusal;
mod scope;
mod sealed;
mod service;
mod setters;
mod siblings;
mod sortable;
mod tie;
mod titles;
mod told;
mod tree;
mod unique;
mod unowned;
mod values;
mod withheld;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use pavise_contract::Contract;
use prost::Message as _;
use prost_reflect::DescriptorPool;

/// Starts the build of a domain's contract.
#[must_use]
pub fn domain(name: &str) -> Builder {
    Builder { domain: name.to_owned(), peers: Vec::new(), proto: None, migrations: None, out: None }
}

/// Writes `client.rs` into `OUT_DIR`: a domain as its peers see it, which are its messages, the clients of its services,
/// its journals' feeds and their actions. For the crate `crates/<domain>/client`, so that the peers compile it once.
///
/// # Errors
/// When the protos do not compile.
pub fn client(domain: &str) -> Result<(), Box<dyn Error>> {
    let proto = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../../../proto");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo:rerun-if-changed={}", proto.join("pavise").join(domain).display());
    let files = compile::protos_in(&proto, &format!("pavise/{domain}"))?;
    let set = compile::descriptor_set(&proto, &files, true)?;
    messages(&set, &out)?;
    let pool = DescriptorPool::decode(set.as_slice())?;
    let contract = Contract::read(&pool).map_err(|error| error.to_string())?;
    let package = format!("pavise.{domain}.v1");
    let source = Source { contract: &contract, pool: &pool, package: &package, domain };
    let mut text = format!(
        "pub mod pavise {{ pub mod {domain} {{ pub mod v1 {{ include!(concat!(env!(\"OUT_DIR\"), \"/{package}.rs\")); }} }} }}\npub use self::pavise::{domain}::v1;\n"
    );
    text.push_str(&constants::of_client(&source)?);
    let file = syn::parse_file(&text).map_err(|error| format!("generated client of {domain}: {error}\n{text}"))?;
    fs::write(out.join("client.rs"), prettyplease::unparse(&file))?;
    Ok(())
}

/// The build of a domain's contract.
#[derive(Debug)]
pub struct Builder {
    domain: String,
    peers: Vec<String>,
    proto: Option<PathBuf>,
    migrations: Option<PathBuf>,
    out: Option<PathBuf>,
}

/// The input of the generator's parts.
pub(crate) struct Source<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) pool: &'a DescriptorPool,
    pub(crate) package: &'a str,
    pub(crate) domain: &'a str,
}

impl Builder {
    /// Sets the domains that this one calls. The crate depends on their clients, `pavise-<peer>-client`.
    #[must_use]
    pub fn peers(mut self, peers: &[&str]) -> Self {
        self.peers = peers.iter().map(|peer| (*peer).to_owned()).collect();
        self
    }

    /// Sets another folder of protos than the repository's, for tests.
    #[must_use]
    pub fn protos(mut self, folder: impl Into<PathBuf>) -> Self {
        self.proto = Some(folder.into());
        self
    }

    /// Sets another folder of migrations than the repository's, for tests.
    #[must_use]
    pub fn migrations(mut self, folder: impl Into<PathBuf>) -> Self {
        self.migrations = Some(folder.into());
        self
    }

    /// Sets another output folder than `OUT_DIR`, for tests.
    #[must_use]
    pub fn out(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out = Some(folder.into());
        self
    }

    /// Writes `contract.rs` and its included files into `OUT_DIR`.
    ///
    /// # Errors
    /// When the protos do not compile or the contract is wrong; the text names the place.
    pub fn generate(self) -> Result<(), Box<dyn Error>> {
        // Read at run time, because a program compiled in another clone may run in this one. Crates lie two below the
        // root.
        let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../..");
        let proto = self.proto.clone().unwrap_or_else(|| root.join("proto"));
        let migrations = self.migrations.clone().unwrap_or_else(|| root.join("migrations"));
        let out = match &self.out {
            Some(out) => out.clone(),
            None => PathBuf::from(std::env::var("OUT_DIR")?),
        };
        println!("cargo:rerun-if-changed={}", proto.join("pavise").join(&self.domain).display());
        let files = compile::protos_in(&proto, &format!("pavise/{}", self.domain))?;
        let commented = compile::descriptor_set(&proto, &files, true)?;
        fs::write(out.join("commented.binpb"), &commented)?;
        fs::write(out.join("descriptors.binpb"), compile::descriptor_set(&proto, &files, false)?)?;
        let package = format!("pavise.{}.v1", self.domain);
        messages(&commented, &out.join("own"))?;

        let pool = DescriptorPool::decode(commented.as_slice())?;
        let contract = Contract::read(&pool).map_err(|error| error.to_string())?;
        let source = Source { contract: &contract, pool: &pool, package: &package, domain: &self.domain };
        refusal::check(&source)?;
        check::contract(&source)?;
        let validated = validation(&commented, &package, &out)?;
        fs::write(out.join("contract.rs"), self.text(&source, &validated, &migrations)?)?;
        Ok(())
    }

    /// The whole text of `contract.rs`.
    fn text(&self, source: &Source<'_>, validated: &[String], migrations: &Path) -> Result<String, Box<dyn Error>> {
        let mut text = String::new();
        for peer in &self.peers {
            writeln!(text, "pub use ::pavise_{peer}_client::v1 as {peer};")?;
        }
        writeln!(text, "pub use self::pavise::{}::v1;", self.domain)?;
        text.push_str("pub mod pavise {\n");
        writeln!(
            text,
            "pub mod {} {{ pub mod v1 {{ include!(concat!(env!(\"OUT_DIR\"), \"/own/{}.rs\")); }} }}",
            self.domain, source.package
        )?;
        text.push_str("}\n");
        text.push_str("use ::pavise_kernel::{Call, Kernel};\nuse ::pavise_kernel::table::{Access, Impersonation, Lookup, Method, RateLimit, RateLimitScope, Realm, SortKind, Role, ScopeKind, ScopeRule, Table, Visible};\n");
        text.push_str(&message::code(source, validated)?);
        text.push_str(&aggregate::code(source)?);
        text.push_str(&bytes::requests(source)?);
        text.push_str(&child::constants(source)?);
        text.push_str(&titles::code(source)?);
        text.push_str(&owned_entity::code(source)?);
        text.push_str(&behaviors::person_calls(source));
        text.push_str(&behaviors::worker_calls(source));
        text.push_str(&names::workers(source)?);
        text.push_str(&unowned::workers(source)?);
        text.push_str(&told::workers(source)?);
        text.push_str(&service::code(source)?);
        text.push_str(&constants::code(source, &self.peers)?);
        text.push_str(&embedded(&self.domain, migrations, tie::any(source))?);
        let file =
            syn::parse_file(&text).map_err(|error| format!("generated code of {}: {error}\n{text}", self.domain))?;
        let mut pretty = prettyplease::unparse(&file);
        pretty.push_str("include!(concat!(env!(\"OUT_DIR\"), \"/validate.rs\"));\n");
        Ok(pretty)
    }
}

/// Generates the messages of a descriptor set and the clients of its services. The kernel serves them without more code.
fn messages(set: &[u8], out: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out)?;
    let mut config = prost_build::Config::new();
    config.enable_type_names();
    config.extern_path(".pavise.common.v1", "::pavise_kernel::common::v1");
    config.extern_path(".pavise.contract.v1", "::pavise_contract::options::v1");
    config.extern_path(".google.api", "::pavise_contract::google::api");
    config.extern_path(".buf.validate", "::prost_protovalidate::types");
    let set = prost_types::FileDescriptorSet::decode(set)?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .out_dir(out)
        .compile_fds_with_config(set, config)?;
    Ok(())
}

/// Generates the validation of the package's messages, and answers the messages that have one.
fn validation(set: &[u8], package: &str, out: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let folder = out.join("validation");
    fs::create_dir_all(&folder)?;
    // The shared messages are listed as the package's own. Otherwise their rules would not hold in fields of their
    // types.
    prost_protovalidate_build::Builder::new()
        .file_descriptor_set_bytes(set.to_vec())
        .fail_on_runtime_only(true)
        .out_dir(&folder)
        .compile()?;
    let file = syn::parse_file(&fs::read_to_string(folder.join("validate_impl.rs"))?)?;
    let ours = format!("{}::", package.replace('.', "::"));
    let mut kept = syn::File { items: Vec::new(), ..file.clone() };
    let mut names = Vec::new();
    for item in file.items {
        if let syn::Item::Impl(block) = &item {
            let name = name::type_path(&block.self_ty);
            // The impls of other packages belong to the crates of their messages.
            let Some(name) = name.strip_prefix(&ours) else { continue };
            names.push(name.to_owned());
        }
        kept.items.push(item);
    }
    fs::write(out.join("validate.rs"), prettyplease::unparse(&kept))?;
    Ok(names)
}

/// The descriptors and the migrations.
fn embedded(domain: &str, migrations: &Path, ties: bool) -> Result<String, Box<dyn Error>> {
    let mut text = String::from(
        "/// The encoded descriptors of this domain with their imports, without comments.\npub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/descriptors.binpb\"));\n/// The same with comments, for documents.\npub const COMMENTED: &[u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/commented.binpb\"));\n",
    );
    writeln!(
        text,
        "/// The migrations that make this domain's tables.\npub const MIGRATIONS: ::pavise_kernel::migrations::Migrations = ::pavise_kernel::migrations::Migrations {{ domain: {domain:?},"
    )?;
    for engine in ["sqlite", "postgres"] {
        let folder = migrations.join(engine).join(domain);
        println!("cargo:rerun-if-changed={}", folder.display());
        writeln!(text, "{engine}: &[")?;
        let mut files = Vec::new();
        if folder.is_dir() {
            for entry in fs::read_dir(&folder)? {
                files.push(entry?.path());
            }
        }
        files.sort();
        for file in files {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let (number, name) =
                stem.split_once('_').ok_or_else(|| format!("{}: name it NNNN_what.sql", file.display()))?;
            let number: i64 = number.parse().map_err(|_| format!("{}: name it NNNN_what.sql", file.display()))?;
            let path = fs::canonicalize(&file)?;
            writeln!(
                text,
                "::pavise_kernel::migrations::Migration {{ number: {number}, name: {name:?}, sql: include_str!({path:?}) }},"
            )?;
        }
        text.push_str("],\n");
    }
    text.push_str("};\n");
    writeln!(
        text,
        "/// The declarations of this domain.\npub static DECLARED: ::pavise_kernel::domain::DomainContract = ::pavise_kernel::domain::DomainContract {{ name: {domain:?}, methods: METHODS, services, tables: TABLES, descriptors: DESCRIPTORS, commented: COMMENTED, migrations: &MIGRATIONS, owned_entities: OWNED_ENTITIES, person_calls: PERSON_CALLS, worker_calls: WORKER_CALLS, named: NAMED, unowned: UNOWNED, told: TOLD, ties: {ties}, forget: \"{domain}.forget\", move_to_owner: \"{domain}.hand_over\" }};"
    )?;
    Ok(text)
}
