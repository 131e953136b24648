//! Generates the contract of this domain.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::domain("catalog").peers(&["documents", "groups", "orders"]).generate()
}
