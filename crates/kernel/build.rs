//! Generates the constants of the shared error reasons from the contract.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::Contract;
use prost_reflect::DescriptorPool;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let contract = Contract::read(&DescriptorPool::decode(pavise_contract::DESCRIPTORS)?)?;
    let (mut names, mut codes, mut events) = (String::new(), String::new(), String::new());
    for reason in contract.reasons.iter().filter(|reason| reason.domain == "common") {
        let variant = camel(&reason.name);
        writeln!(names, "            Self::{variant} => \"{}\",", reason.name)?;
        writeln!(codes, "            Self::{variant} => ::tonic::Code::{},", camel(&reason.code))?;
        writeln!(events, "            Self::{variant} => SecurityEvent::{:?},", reason.event)?;
    }
    let code = format!(
        "impl Reason for ::pavise_contract::common::v1::ErrorReason {{\n    fn name(&self) -> &'static str {{\n        match self {{\n            Self::Unspecified => \"UNSPECIFIED\",\n{names}        }}\n    }}\n\n    fn code(&self) -> ::tonic::Code {{\n        match self {{\n            Self::Unspecified => ::tonic::Code::Unknown,\n{codes}        }}\n    }}\n\n    fn event(&self) -> SecurityEvent {{\n        match self {{\n            Self::Unspecified => SecurityEvent::None,\n{events}        }}\n    }}\n}}\n"
    );
    std::fs::write(std::path::PathBuf::from(std::env::var("OUT_DIR")?).join("reasons.rs"), code)?;
    Ok(())
}

fn camel(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_string() + &letters.as_str().to_lowercase()).unwrap_or_default()
        })
        .collect()
}
