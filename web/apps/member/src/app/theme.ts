// Light or dark: as the system has it until somebody chooses.

const THEME = "pavise.theme";

/** Starts in the theme that was chosen before. */
export function startTheme(): void {
  const chosen = localStorage.getItem(THEME);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}

/** Turns to the theme, and keeps the choice for the next visit. */
export function turnTheme(theme: "light" | "dark"): void {
  document.documentElement.dataset["theme"] = theme;
  localStorage.setItem(THEME, theme);
}

/** Whether it is dark. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
