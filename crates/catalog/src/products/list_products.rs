//! Narrows a list of products to those that are sold in a place.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{EditContext, Narrow};

use crate::contract::v1::{ListProductsRequest, Product};
use crate::shared::place;
use crate::shared::place::Availability;

impl Narrow<ListProductsRequest> for Product {
    fn fits(&self, request: &ListProductsRequest, _context: &EditContext) -> bool {
        let region = request.locality();
        region == RegionCode::Unspecified || place::check_product_place(self, region) == Availability::Here
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::CountryCode;

    #[test]
    fn a_place_narrows_only_when_the_request_names_it() {
        let american = Product { countries: vec![CountryCode::Usa.into()], ..Product::default() };
        let fits = |region: RegionCode| {
            let request = ListProductsRequest { locality: region.into(), ..ListProductsRequest::default() };
            american.fits(&request, &EditContext::at(0))
        };
        assert!(fits(RegionCode::Unspecified) && fits(RegionCode::Tx));
        assert!(!fits(RegionCode::On));
    }
}
