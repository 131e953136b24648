//! A form. A form made of the data arrives as its message, or is refused for the part that does not fit. Bytes that may
//! be a form are answered, never with a failure of ours. The number of pieces makes no difference.
#![no_main]

use axum::body::Body;
use http::{Request, StatusCode};
use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use pavise_fuzz::{Answer, SHOP, SHOP_FACADE, body, pieces, send};
use prost::encoding::{DecodeContext, decode_key, decode_varint, skip_field};
use prost_reflect::{DynamicMessage, Value};

/// As many bytes as the contract lets the file have.
const LARGEST: usize = 200_000;

fn ask(kind: &[u8], body: Body) -> Option<Answer> {
    let request = Request::post("/v1/orders/7/photo").header("content-type", kind).body(body).ok()?;
    let answer = send(&*SHOP_FACADE, request);
    assert!(!answer.status.is_server_error(), "{}: {}", answer.status, String::from_utf8_lossy(&answer.body));
    Some(answer)
}

/// Sends the same at once and in pieces.
fn ask_twice(kind: &[u8], form: &[u8], size: usize) -> Option<Answer> {
    let whole = ask(kind, body(form))?;
    if form.is_empty() {
        // A stream that ends at once was not known to be empty when its content type was checked.
        return Some(whole);
    }
    let several = ask(kind, pieces(form, size))?;
    let (one, other) = (whole.asked.as_deref().map(arrived), several.asked.as_deref().map(arrived));
    assert_eq!((whole.status, one), (several.status, other), "{}", String::from_utf8_lossy(form));
    Some(whole)
}

/// The message of a call, with the chunks of its file in one.
fn arrived(asked: &[u8]) -> DynamicMessage {
    let photo = SHOP.get_message_by_name("pavise.shop.v1.Photo").expect("there are photos");
    let mut message = DynamicMessage::decode(photo, asked).expect("it was asked a message");
    let mut content = Vec::new();
    let mut left = asked;
    while !left.is_empty() {
        let (number, kind) = decode_key(&mut left).expect("it is a message");
        if number == 7 {
            let length = usize::try_from(decode_varint(&mut left).expect("a length")).expect("a length");
            let (chunk, rest) = left.split_at(length);
            content.extend_from_slice(chunk);
            left = rest;
        } else {
            skip_field(kind, number, &mut left, DecodeContext::default()).expect("a field");
        }
    }
    message.set_field_by_name("chunk", Value::Bytes(content.into()));
    message
}

/// A part of a form, and its expected result.
enum Part {
    /// A field of the request, as text.
    Text(&'static str, &'static str, String, Option<Value>),
    /// The file: its content, its name, its type.
    File(Vec<u8>, Option<String>, Option<&'static str>),
}

impl Part {
    fn one(data: &mut Unstructured<'_>) -> Result<Self> {
        Ok(match data.int_in_range(0..=5)? {
            0 => {
                let text = String::arbitrary(data)?;
                Self::Text("note", "note", text.clone(), Some(Value::String(text)))
            }
            1 | 2 => {
                let text = String::arbitrary(data)?;
                Self::Text("tags", "tags", text.clone(), Some(Value::String(text)))
            }
            3 => {
                let amount = i64::arbitrary(data)?;
                Self::Text("amount", "amount", amount.to_string(), Some(Value::I64(amount)))
            }
            _ => {
                let types =
                    [None, Some("image/png"), Some("text/plain; charset=utf-8"), Some("application/octet-stream")];
                let content = Vec::arbitrary(data)?;
                Self::File(
                    content,
                    Option::<String>::arbitrary(data)?.map(|name| quotable(&name)),
                    *data.choose(&types)?,
                )
            }
        })
    }

    fn write(&self, boundary: &str, out: &mut Vec<u8>) {
        out.extend(format!("--{boundary}\r\nContent-Disposition: form-data; name=\"").bytes());
        match self {
            Self::Text(_, name, text, _) => out.extend(format!("{name}\"\r\n\r\n{text}").bytes()),
            Self::File(content, name, kind) => {
                out.extend(b"file\"");
                if let Some(name) = name {
                    out.extend(format!("; filename=\"{}\"", name.replace('"', "\\\"")).bytes());
                }
                if let Some(kind) = kind {
                    out.extend(format!("\r\ncontent-type: {kind}").bytes());
                }
                out.extend(b"\r\n\r\n");
                out.extend(content);
            }
        }
        out.extend(b"\r\n");
    }

    fn holds(&self, needle: &str) -> bool {
        match self {
            Self::Text(_, _, text, _) => text.contains(needle),
            Self::File(content, ..) => content.windows(needle.len()).any(|window| window == needle.as_bytes()),
        }
    }
}

/// The part of a name that a header can hold.
fn quotable(name: &str) -> String {
    name.chars().filter(|letter| *letter != '\\' && !letter.is_ascii_control()).collect()
}

/// The message of a form; `None` where it must be refused.
fn said(parts: &[Part]) -> Option<DynamicMessage> {
    let photo = SHOP.get_message_by_name("pavise.shop.v1.Photo").expect("there are photos");
    let mut message = DynamicMessage::new(photo);
    message.set_field_by_name("order_id", Value::String("7".to_owned()));
    let mut seen = Vec::new();
    // The file is the last part, and there is one.
    if !matches!(parts.last(), Some(Part::File(..))) {
        return None;
    }
    for part in parts {
        let name = match part {
            Part::Text(_, _, text, _) if text.contains('\0') => return None,
            Part::Text("tags", _, _, Some(value)) => {
                let field = message.get_field_by_name_mut("tags")?;
                field.as_list_mut()?.push(value.clone());
                continue;
            }
            Part::Text(name, _, _, value) => {
                message.set_field_by_name(name, value.clone()?);
                *name
            }
            Part::File(content, name, kind) => {
                let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
                if content.len() > LARGEST || !(kind.starts_with("image/") || kind == "text/plain") {
                    return None;
                }
                message.set_field_by_name("chunk", Value::Bytes(content.clone().into()));
                if let Some(name) = name {
                    message.set_field_by_name("name", Value::String(name.clone()));
                }
                message.set_field_by_name("type", Value::String(kind.to_owned()));
                "file"
            }
        };
        if seen.contains(&name) {
            return None;
        }
        seen.push(name);
    }
    Some(message)
}

fn built(data: &[u8], size: usize) -> Result<()> {
    let mut data = Unstructured::new(data);
    let letters = b"abcXYZ0189'()+_,-./:=?";
    let mut boundary = String::new();
    for _ in 0..data.int_in_range(1..=70)? {
        boundary.push(char::from(*data.choose(letters)?));
    }
    let mut parts = Vec::new();
    while !data.is_empty() && parts.len() < 6 {
        parts.push(Part::one(&mut data)?);
    }
    if parts.iter().any(|part| part.holds(&boundary)) {
        return Ok(());
    }
    let mut form = Vec::new();
    parts.iter().for_each(|part| part.write(&boundary, &mut form));
    form.extend(format!("--{boundary}--\r\n").bytes());
    let kind = format!("multipart/form-data; boundary=\"{boundary}\"");
    let answer = ask_twice(kind.as_bytes(), &form, size).expect("the request is one");
    let shown = String::from_utf8_lossy(&form);
    match said(&parts) {
        Some(expected) => {
            assert_eq!(answer.status, StatusCode::OK, "{shown}: {}", String::from_utf8_lossy(&answer.body));
            let asked = answer.asked.expect("the domain was asked");
            assert_eq!(arrived(&asked), expected, "{shown}");
        }
        None => assert!(answer.status.is_client_error() && answer.asked.is_none(), "{}: {shown}", answer.status),
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let Some((head, rest)) = data.split_first_chunk::<2>() else { return };
    let size = usize::from(head[1]) + 1;
    if head[0] % 2 == 1 {
        let _ = built(rest, size);
        return;
    }
    let mut lines = rest.splitn(2, |byte| *byte == b'\n');
    let (kind, form) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    ask_twice(kind, form, size);
});
