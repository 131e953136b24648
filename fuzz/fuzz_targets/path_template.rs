//! Lines: path templates, which begin with a slash; an address after `>`; and words. An address that is made of the last
//! template and the words is found and gives the words back; and every address leads where reading the templates one by
//! one does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pavise_rest::fuzz::Routes;

fuzz_target!(|text: &str| {
    let (mut routes, mut address, mut words) = (Routes::default(), None, Vec::new());
    let mut added = 0;
    for line in text.split('\n').take(40) {
        if line.starts_with('/') {
            added += usize::from(routes.add(line));
        } else if let Some(given) = line.strip_prefix('>') {
            address = Some(given);
        } else if !line.is_empty() {
            words.push(line);
        }
    }
    if let Some(address) = address {
        assert_eq!(routes.find(address), routes.reckoned(address), "{address} of {routes:?}");
    }
    if let Some((address, led)) = routes.address(&words) {
        let found = routes.find(&address);
        assert_eq!(found, routes.reckoned(&address), "{address} of {routes:?}");
        let found = found.unwrap_or_else(|| panic!("{address} is not found: {routes:?}"));
        // Another may be more literal, or the same and earlier.
        assert!(found == led || (found.to != led.to && added > 1), "{address}: {found:?}, not {led:?}");
    }
});
