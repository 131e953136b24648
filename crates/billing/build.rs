//! Generates this domain's contract.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::domain("billing").peers(&["catalog", "groups", "members", "messaging", "orders"]).generate()
}
