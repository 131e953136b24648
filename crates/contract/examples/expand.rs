//! Expands what `buf build` writes: `expand <short.binpb >long.binpb`.

use std::error::Error;
use std::io::{Read as _, Write as _};

fn main() -> Result<(), Box<dyn Error>> {
    let mut set = Vec::new();
    std::io::stdin().read_to_end(&mut set)?;
    std::io::stdout().write_all(&pavise_contract::expand(&set)?)?;
    Ok(())
}
