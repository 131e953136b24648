//! Languages: codes of ISO 639-1, and tags of BCP 47.

/// The codes of ISO 639-1. Source: Library of Congress, the standard's registration authority, "Codes for the Representation
/// of Names of Languages" (<https://www.loc.gov/standards/iso639-2/php/code_list.php>).
const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv \
dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja \
jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl \
nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te \
tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// The longest tag.
const LONGEST: usize = 35;

/// A code of ISO 639-1, in lower case; `None` if the standard does not have it.
#[must_use]
pub fn normalize_code(text: &str) -> Option<String> {
    let code = text.to_ascii_lowercase();
    (code.len() == 2 && CODES.split(' ').any(|known| known == code)).then_some(code)
}

/// A well-formed tag of BCP 47 (RFC 5646) in its usual letters: en-US, zh-Hant-TW, es-419. Its language is one of ISO 639-1,
/// or has three letters. An underscore counts as a hyphen. Tags of private use alone, and those that were registered before
/// BCP 47, are not taken.
#[must_use]
pub fn normalize_tag(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.replace('_', "-");
    let mut parts = text.split('-').peekable();
    let language = parts.next()?.to_ascii_lowercase();
    let is_language = match language.len() {
        2 => normalize_code(&language).is_some(),
        3 => is_letters(&language),
        _ => false,
    };
    let mut tag = is_language.then_some(language)?;
    let mut add = |part: &str| {
        tag.push('-');
        tag.push_str(part);
    };
    // Extended languages, at most three.
    for _ in 0..3 {
        let Some(part) = parts.next_if(|part| part.len() == 3 && is_letters(part)) else { break };
        add(&part.to_ascii_lowercase());
    }
    if let Some(script) = parts.next_if(|part| part.len() == 4 && is_letters(part)) {
        let (first, rest) = script.split_at_checked(1)?;
        add(&format!("{}{}", first.to_ascii_uppercase(), rest.to_ascii_lowercase()));
    }
    let is_region = |part: &str| part.len() == 2 && is_letters(part) || part.len() == 3 && is_digits(part);
    if let Some(region) = parts.next_if(|part| is_region(part)) {
        add(&region.to_ascii_uppercase());
    }
    while let Some(variant) = parts.next_if(|part| is_variant(part)) {
        add(&variant.to_ascii_lowercase());
    }
    // Extensions, and private use at the end. Each has a letter or a digit of its own, and parts after it.
    let mut used = Vec::new();
    while let Some(singleton) = parts.next() {
        let singleton = singleton.to_ascii_lowercase();
        if singleton.len() != 1 || !is_word(&singleton) || used.contains(&singleton) {
            return None;
        }
        let (is_private, mut count) = (singleton == "x", 0);
        add(&singleton);
        used.push(singleton);
        let least = if is_private { 1 } else { 2 };
        while let Some(part) = parts.next_if(|part| (least..=8).contains(&part.len()) && is_word(part)) {
            add(&part.to_ascii_lowercase());
            count += 1;
        }
        if count == 0 {
            return None;
        }
    }
    Some(tag)
}

fn is_letters(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_digits(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_word(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_variant(part: &str) -> bool {
    let begins_with_digit = part.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    is_word(part) && ((5..=8).contains(&part.len()) || (part.len() == 4 && begins_with_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_written_in_their_usual_letters() {
        for (text, expected) in [
            ("en", "en"),
            ("EN-us", "en-US"),
            ("en_US", "en-US"),
            ("zh-hant-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("haw", "haw"),
            ("zh-yue-HK", "zh-yue-HK"),
            ("sl-rozaj-biske-1994", "sl-rozaj-biske-1994"),
            ("de-CH-1901", "de-CH-1901"),
            ("en-u-hc-h12-x-a", "en-u-hc-h12-x-a"),
        ] {
            assert_eq!(normalize_tag(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for text in [
            "",
            "-",
            "e",
            "xx",
            "english",
            "en-",
            "en--US",
            "en-US-US",
            "en-u",
            "en-u-hc-u-hc",
            "en-é",
            "12",
            "en-x",
            "en-a-b",
            "123",
            "en US",
        ] {
            assert_eq!(normalize_tag(text), None, "{text}");
        }
    }

    #[test]
    fn codes_are_sorted_and_each_is_there_once() {
        let all: Vec<&str> = CODES.split(' ').collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "sorted");
        assert_eq!(all.len(), 184, "183, and bh, which stands for a group");
        assert_eq!(
            (normalize_code("EN").as_deref(), normalize_code("xx"), normalize_code("eng")),
            (Some("en"), None, None)
        );
    }
}
