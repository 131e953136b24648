//! Lists the domains. They are the dependencies below `# Domains` in Cargo.toml, so that a domain joins the platform by one
//! line.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=Cargo.toml");
    let manifest = fs::read_to_string(PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml"))?;
    let (_, below) = manifest.split_once("# Domains").ok_or("Cargo.toml has no line `# Domains`")?;
    let lines = below.lines().take_while(|line| !line.trim().is_empty());
    let names: Vec<&str> =
        lines.filter_map(|line| line.strip_prefix("pavise-")?.split([' ', '.', '=']).next()).collect();
    let list = |write: fn(&str) -> String| names.iter().map(|name| write(name)).collect::<Vec<_>>().join(", ");
    let text = format!(
        "/// The names of the domains, in the order of precedence: where services of two claim one path on the bare domain, the \
         earlier answers.\npub const NAMES: [&str; {}] = [{}];\n/// The domains, in the same order.\npub const DOMAINS: [&dyn \
         Domain; NAMES.len()] = [{}];\n",
        names.len(),
        list(|name| format!("{name:?}")),
        list(|name| format!("pavise_{}::DOMAIN", name.replace('-', "_"))),
    );
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("domains.rs"), text)?;
    Ok(())
}
