//! Generates the contract of this domain.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::domain("groups")
        .peers(&["billing", "catalog", "fulfillment", "identity", "members", "orders"])
        .generate()
}
