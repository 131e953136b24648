//! Generates the domain as its peers see it.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::client("groups")
}
