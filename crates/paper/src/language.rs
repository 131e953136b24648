//! The languages of papers.

/// A language and its country.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English, United States.
    #[default]
    EnUs,
    /// Spanish, United States.
    EsUs,
    /// English, Canada.
    EnCa,
    /// French, Canada.
    FrCa,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::EnUs, Self::EsUs, Self::EnCa, Self::FrCa];

    /// The tag: `fr-CA`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::EnUs => "en-US",
            Self::EsUs => "es-US",
            Self::EnCa => "en-CA",
            Self::FrCa => "fr-CA",
        }
    }
}
