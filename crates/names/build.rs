//! Generates the client of the service that keeps names.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::clients(&[
        "pavise/catalog/v1/reserved_name.proto",
        "pavise/catalog/v1/reserved_name_service.proto",
    ])
}
