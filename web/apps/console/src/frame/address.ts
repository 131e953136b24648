// The address of the page holds what is shown, so that every view can be linked to.
import { useLocation, useRouter } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

/** The parameters of an address as plain texts. */
export type Search = Readonly<Record<string, string | undefined>>;

/** The parameters of an address; unset ones are left out. */
export function searchText(search: Search): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== "") query.set(name, value);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The address of the page, and functions that change it. */
export function useAddress() {
  const router = useRouter();
  const { pathname, searchStr } = useLocation();
  const search = useMemo<Search>(() => Object.fromEntries(new URLSearchParams(searchStr)), [searchStr]);
  const setSearch = useCallback(
    (next: Search) =>
      router.history.replace(`${router.basepath === "/" ? "" : router.basepath}${pathname}${searchText(next)}`),
    [router, pathname],
  );
  const go = useCallback(
    (path: string) => router.history.push(`${router.basepath === "/" ? "" : router.basepath}${path}`),
    [router],
  );
  const replace = useCallback(
    (path: string) => router.history.replace(`${router.basepath === "/" ? "" : router.basepath}${path}`),
    [router],
  );
  return { pathname, search, setSearch, go, replace };
}
