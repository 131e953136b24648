//! How a name sounds to an English speaker, so that Smith finds Smyth and Catherine finds Kathryn.

/// The sign that ends each code, so that no code is the beginning of another one.
const END: char = '=';

/// The code of a word's sound: its consonants by their sound, and whether it begins with a vowel. `None` for a word that is
/// not of Latin letters alone.
pub(crate) fn code_of(word: &str) -> Option<String> {
    let letters: Vec<char> = word.chars().filter(|letter| !"'’-".contains(*letter)).collect();
    if letters.is_empty() || !letters.iter().all(char::is_ascii_lowercase) {
        return None;
    }
    let mut code = String::new();
    let mut at = 0;
    while let Some(rest) = letters.get(at..).filter(|rest| !rest.is_empty()) {
        let (sound, length) = first_sound(rest, at == 0);
        if let Some(sound) = sound
            && !code.ends_with(sound)
        {
            code.push_str(sound);
        }
        at += length;
    }
    code.push(END);
    Some(code)
}

/// Sounds of several letters: the letters, and their sound at the beginning of a word and within it.
const GROUPS: &[(&str, &str, &str)] = &[
    ("tsch", "x", "x"),
    ("sch", "x", "x"),
    ("tch", "x", "x"),
    ("ough", "a", "f"),
    ("augh", "a", "f"),
    ("dge", "j", "j"),
    ("dgi", "j", "j"),
    ("tio", "x", "x"),
    ("sio", "x", "x"),
    ("kn", "n", "kn"),
    ("gn", "n", "n"),
    ("pn", "n", "pn"),
    ("wr", "r", "r"),
    ("ps", "s", "ps"),
    ("wh", "w", "w"),
    ("ph", "f", "f"),
    ("gh", "k", ""),
    ("ch", "x", "x"),
    ("ck", "k", "k"),
    ("sh", "x", "x"),
    ("th", "t", "t"),
    ("sc", "sk", "sk"),
    ("qu", "k", "k"),
    ("mb", "m", "m"),
];

/// The sound of the first letters, and how many letters it takes. Vowels count at the beginning only.
fn first_sound(rest: &[char], begins: bool) -> (Option<&'static str>, usize) {
    for (letters, first, within) in GROUPS {
        if letters.chars().eq(rest.iter().copied().take(letters.len())) {
            let sound = if begins { *first } else { *within };
            return (Some(sound).filter(|sound| !sound.is_empty()), letters.len());
        }
    }
    let soft = rest.get(1).is_some_and(|next| "eiy".contains(*next));
    let sound = match rest.first() {
        Some('b') => "b",
        Some('c') if soft => "s",
        Some('c' | 'k' | 'q') => "k",
        Some('d') => "d",
        Some('f' | 'v') => "f",
        Some('g') if soft => "j",
        Some('g') => "k",
        Some('j') => "j",
        Some('l') => "l",
        Some('m') => "m",
        Some('n') => "n",
        Some('p') => "p",
        Some('r') => "r",
        Some('s' | 'z') => "s",
        Some('t') => "t",
        Some('x') if begins => "s",
        Some('x') => "ks",
        Some('h' | 'w') if begins => "h",
        Some(_) if begins => "a",
        _ => return (None, 1),
    };
    (Some(sound), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_sound_alike_have_one_code() {
        let pairs = [
            ("smith", "smyth"),
            ("catherine", "kathryn"),
            ("katherine", "cathryn"),
            ("phillip", "filip"),
            ("stephen", "steven"),
            ("knight", "night"),
            ("wright", "right"),
            ("jeffrey", "geffrey"),
            ("lee", "leigh"),
            ("meyer", "maier"),
            ("o'neil", "oneill"),
            ("allison", "alyson"),
        ];
        for (one, other) in pairs {
            assert_eq!(code_of(one), code_of(other), "{one} {other}");
        }
    }

    #[test]
    fn names_that_sound_otherwise_have_other_codes() {
        for (one, other) in [("smith", "smart"), ("ann", "dan"), ("meyer", "mercer")] {
            assert_ne!(code_of(one), code_of(other), "{one} {other}");
        }
        assert_eq!(code_of("512"), None);
        assert_eq!(code_of(""), None);
        assert_eq!(code_of("李"), None);
    }

    #[test]
    fn no_code_is_the_beginning_of_another() {
        assert_eq!(code_of("tom").as_deref(), Some("tm="));
        assert_eq!(code_of("tomlin").as_deref(), Some("tmln="));
    }
}
