// Light or dark: the system's theme until the user chooses one.
import { useCallback, useEffect, useState } from "react";

const KEY = "pavise.theme";

export type Theme = "light" | "dark";

function chosen(): Theme | undefined {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : undefined;
}

/** The theme, and how to change it. */
export function useTheme(): { theme: Theme; toggle: () => void } {
  const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const [theme, setTheme] = useState<Theme>(() => chosen() ?? system);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const toggle = useCallback(() => {
    setTheme((before) => {
      const next = before === "dark" ? "light" : "dark";
      localStorage.setItem(KEY, next);
      return next;
    });
  }, []);
  return { theme, toggle };
}
