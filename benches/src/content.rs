//! The document of all measurements.

use std::path::Path;

use anyhow::Context as _;
use prost::Message;

use crate::contract::DESCRIPTORS;
use crate::contract::v1::{Content, Holder, Line, Place};

/// About one kilobyte of JSON.
pub(crate) fn sample() -> Content {
    let line = |number: i32, name: &str| Line {
        product_id: format!("10000000-0000-4000-8000-00000000000{number}"),
        name: name.to_owned(),
        tier: "individual".to_owned(),
        quantity: 1,
        cents: 1_995 + 500 * number,
        renews: true,
    };
    Content {
        title: "Membership of a family with two supplements".to_owned(),
        note: "Asked for the letter of a lawyer to a landlord in the first week; \"prefers\" to be called after six. "
            .repeat(3),
        holder: Some(Holder {
            name: "Zoë Ramírez-O'Neill".to_owned(),
            email: "zoe.ramirez@example.com".to_owned(),
            phone: "+1 512 555 0142".to_owned(),
        }),
        place: Some(Place {
            street: "1200 South Congress Avenue".to_owned(),
            city: "Austin".to_owned(),
            region: "TX".to_owned(),
            postal_code: "78704".to_owned(),
        }),
        lines: vec![line(1, "Legal plan"), line(2, "Identity protection"), line(3, "Home business")],
        tags: ["family", "texas", "renewing"].map(str::to_owned).to_vec(),
    }
}

/// The same as JSON, for every REST server.
pub(crate) fn json() -> serde_json::Value {
    let Content { title, note, holder, place, lines, tags } = sample();
    let (holder, place) = (holder.unwrap_or_default(), place.unwrap_or_default());
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| {
            serde_json::json!({
                "productId": line.product_id, "name": line.name, "tier": line.tier,
                "quantity": line.quantity, "cents": line.cents, "renews": line.renews,
            })
        })
        .collect();
    serde_json::json!({
        "title": title,
        "note": note,
        "holder": {"name": holder.name, "email": holder.email, "phone": holder.phone},
        "place": {"street": place.street, "city": place.city, "region": place.region, "postalCode": place.postal_code},
        "lines": lines,
        "tags": tags,
    })
}

/// Writes the descriptors for Envoy, and the messages that load generators send.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn payloads(out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    std::fs::write(out.join("descriptors.binpb"), DESCRIPTORS)?;
    std::fs::write(out.join("document.json"), serde_json::to_vec(&json())?)?;
    let message = sample().encode_to_vec();
    let mut framed = vec![0];
    framed.extend(u32::try_from(message.len())?.to_be_bytes());
    framed.extend(message);
    std::fs::write(out.join("document.grpc"), framed)?;
    Ok(())
}
