//! The file that names the seller in each country.

use std::path::Path;

use anyhow::{Context as _, ensure};
use pavise_billing::Seller;
use pavise_kernel::common::v1::CountryCode;
use serde::Deserialize;

/// A seller in the file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenSeller {
    country: Country,
    name: String,
    #[serde(default)]
    address: Vec<String>,
    #[serde(default)]
    tax_numbers: Vec<TaxNumber>,
}

#[derive(Debug, Deserialize)]
enum Country {
    #[serde(rename = "USA")]
    Usa,
    #[serde(rename = "CAN")]
    Can,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaxNumber {
    tax: String,
    number: String,
}

/// Reads the sellers from a JSON file.
pub(crate) fn read_sellers(file: &Path) -> anyhow::Result<Vec<Seller>> {
    let text = std::fs::read_to_string(file);
    text.map_err(anyhow::Error::from)
        .and_then(|text| parse(&text))
        .with_context(|| format!("--sellers {}", file.display()))
}

fn parse(text: &str) -> anyhow::Result<Vec<Seller>> {
    let written: Vec<WrittenSeller> = serde_json::from_str(text)?;
    let mut sellers: Vec<Seller> = Vec::with_capacity(written.len());
    for seller in written {
        ensure!(!seller.name.trim().is_empty(), "a seller has no name");
        let country = match seller.country {
            Country::Usa => CountryCode::Usa,
            Country::Can => CountryCode::Can,
        };
        let is_known = sellers.iter().any(|known| known.country == country);
        ensure!(!is_known, "{} has two sellers", country.spelling());
        let tax_numbers = seller.tax_numbers.into_iter().map(|number| (number.tax, number.number)).collect();
        sellers.push(Seller { country, name: seller.name, address: seller.address, tax_numbers });
    }
    Ok(sellers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_country_has_one_seller_with_its_numbers() {
        let text = r#"[{"country": "CAN", "name": "Pavise inc.", "address": ["1, rue A"],
            "taxNumbers": [{"tax": "GST/HST", "number": "123456789 RT0001"}]}, {"country": "USA", "name": "Pavise LLC"}]"#;
        let sellers = parse(text).unwrap();
        assert_eq!((sellers.len(), sellers[0].country), (2, CountryCode::Can));
        assert_eq!(sellers[0].tax_numbers, [("GST/HST".to_owned(), "123456789 RT0001".to_owned())]);
        for wrong in [
            r#"[{"country": "USA", "name": "a"}, {"country": "USA", "name": "b"}]"#,
            r#"[{"country": "MEX", "name": "a"}]"#,
            r#"[{"country": "USA", "name": " "}]"#,
            r#"[{"country": "USA", "name": "a", "taxNumber": "1"}]"#,
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
