// Light or dark: the system's theme until the visitor chooses one.

const THEME = "pavise.theme";

/** Starts in the theme that was chosen last. */
export function startTheme(): void {
  const chosen = localStorage.getItem(THEME);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}

/** Switches the theme, and stores the choice for the next visit. */
export function turnTheme(theme: "light" | "dark"): void {
  document.documentElement.dataset["theme"] = theme;
  localStorage.setItem(THEME, theme);
}

/** Whether the theme is dark. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
