//! `docs/configuration.md`: the settings of `pavise serve`.

use std::fmt::Write as _;

use clap::Args as _;

use super::page::{MADE, code, table};
use crate::settings::Given;

/// The text of the page.
pub(super) fn text() -> String {
    let mut page = format!("# Configuration\n\n{MADE}\n");
    page.push_str(
        "What `pavise serve` is told: by flag, by environment variable, or in a TOML file (`--config`) under the flag's name,\nhyphens and all: `max-body = 1048576`. What may be given several times is a list, `only = [\"orders\", \"catalog\"]`. A flag\nbeats the environment, and that beats the file.\n",
    );
    let command = Given::augment_args(clap::Command::new("serve"));
    let mut sections: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for argument in command.get_arguments() {
        let Some(flag) = argument.get_long() else { continue };
        let heading = argument.get_help_heading().unwrap_or("Others").to_owned();
        let value = argument.get_value_names().into_iter().flatten().map(|name| format!(" {name}")).collect::<String>();
        let variable = argument.get_env().map(|name| code(&name.to_string_lossy())).unwrap_or_default();
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let row = vec![format!("`--{flag}{value}`"), variable, help.replace('<', "&lt;")];
        match sections.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, rows)) => rows.push(row),
            None => sections.push((heading, vec![row])),
        }
    }
    for (heading, rows) in sections {
        let _ = write!(page, "\n## {heading}\n\n{}", table(&["flag", "environment", "meaning"], rows));
    }
    page
}
