//! The setup of an authenticator app: an address, also as a picture.

use pavise_kernel::{Error, Result};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

use super::{base32, totp};
use crate::contract::v1::AuthenticatorSetup;

/// The name that apps show beside the account.
const ISSUER: &str = "Pavise";

/// The setup that lets an app show the codes of a secret for that account.
///
/// # Errors
/// When the address is too long for a picture, which no account name makes it.
pub(crate) fn build_setup(account: &str, secret: &[u8]) -> Result<AuthenticatorSetup> {
    let account = utf8_percent_encode(account, NON_ALPHANUMERIC);
    let (secret_text, digits, period) = (base32::encode_base32(secret), totp::DIGITS, totp::PERIOD_SECONDS);
    let uri = format!(
        "otpauth://totp/{ISSUER}:{account}?secret={secret_text}&issuer={ISSUER}&algorithm=SHA1&digits={digits}&period={period}"
    );
    let code = QrCode::with_error_correction_level(&uri, EcLevel::M)
        .map_err(|_| Error::internal("the address of an authenticator does not fit into a picture"))?;
    let qr_svg = code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build();
    Ok(AuthenticatorSetup { uri, qr_svg, secret_text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_names_account_and_secret_and_fits_into_a_picture() {
        let setup = build_setup("ada+home@example.com", b"12345678901234567890").unwrap();
        assert_eq!(
            setup.uri,
            "otpauth://totp/Pavise:ada%2Bhome%40example%2Ecom?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pavise&algorithm=SHA1&digits=6&period=30"
        );
        assert!(setup.qr_svg.starts_with("<?xml") && setup.qr_svg.contains("<svg"), "{}", &setup.qr_svg[..80]);
        assert!(super::build_setup(&"é".repeat(254), &[7; 20]).is_ok());
    }
}
