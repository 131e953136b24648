//! Generates the clients of the services that know the ties of identities.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::clients(&["pavise/identity/v1/tie_service.proto", "pavise/orders/v1/tie_service.proto"])
}
