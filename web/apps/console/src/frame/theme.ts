// Light or dark: the system's theme until the user chooses one.
import { useCallback, useEffect, useState } from "react";
import { usePreferences } from "../console/preferences.ts";

const KEY = "pavise.theme";

export type Theme = "light" | "dark";

/** The theme that was last chosen in this browser: the page begins with it. */
function chosen(): Theme | undefined {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : undefined;
}

/** The theme, and how to change it. */
export function useTheme(): { theme: Theme; toggle: () => void } {
  const { choices, change } = usePreferences();
  const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const [local, setLocal] = useState(chosen);
  const theme = choices.theme ?? local ?? system;
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useEffect(() => {
    if (choices.theme !== undefined) localStorage.setItem(KEY, choices.theme);
  }, [choices.theme]);
  const toggle = useCallback(() => {
    const next = theme === "dark" ? "light" : "dark";
    localStorage.setItem(KEY, next);
    setLocal(next);
    change((before) => ({ ...before, theme: next }));
  }, [theme, change]);
  return { theme, toggle };
}
