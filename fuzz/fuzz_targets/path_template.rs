//! A path template and a path: reading either never panics, and what a template is made into a path for is found by it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (&str, &str)| {
    let (template, path) = data;
    if pavise_rest::fuzz::template(template) {
        let _ = pavise_rest::fuzz::find(template, path);
    }
});
