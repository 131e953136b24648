//! Compiles the suite's protos: with what our facade wants to know besides, and the messages alone.

use std::error::Error;
use std::path::PathBuf;

use protox::Compiler;

const MESSAGES: &str = "transcoding/conformance/v1/messages.proto";
const SERVICE: &str = "transcoding/conformance/v1/suite_service.proto";
const DETAILS: &str = "google/rpc/error_details.proto";
const OPTIONS: &str = "pavise/contract/v1/options.proto";

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let folders = ["proto", "../proto", "../web/packages/schema/proto"];
    for (name, files) in
        [("messages", vec![MESSAGES]), ("suite", vec![SERVICE, DETAILS]), ("facade", vec![SERVICE, DETAILS, OPTIONS])]
    {
        let mut compiler = Compiler::new(folders.map(|folder| here.join(folder)))?;
        compiler.include_imports(true);
        for file in files {
            compiler.open_file(file).map_err(|error| format!("{error:?}"))?;
        }
        std::fs::write(out.join(format!("{name}.binpb")), compiler.encode_file_descriptor_set())?;
    }
    for folder in ["proto", "../proto/google", "../proto/pavise/contract", "../web/packages/schema/proto"] {
        println!("cargo:rerun-if-changed={}", here.join(folder).display());
    }
    Ok(())
}
