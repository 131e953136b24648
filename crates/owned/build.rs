//! Generates the clients of the services that keep records of processes.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pavise_contract_build::clients(&[
        "pavise/identity/v1/identity_merge.proto",
        "pavise/identity/v1/identity_merge_service.proto",
    ])
}
