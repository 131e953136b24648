// Loads a page again whose code or stylesheet did not arrive: only a reload fetches a lost part again.

/** The time of the last reload without being asked, in this tab. */
const RELOADED = "pavise.reloaded";
/** Within this time a page is not reloaded a second time without being asked, in milliseconds. */
const ONCE = 600_000;
/** How often a server that does not answer is asked again, and how long to wait in between, in milliseconds. */
const TRIES = 10;
const BETWEEN = 500;

/** Whether the server answers for this page. A reload without an answer would replace the page by the browser's own. */
async function isServed(): Promise<boolean> {
  try {
    const { ok } = await fetch(globalThis.location.pathname, { method: "HEAD", cache: "no-store" });
    return ok;
  } catch {
    return false;
  }
}

/** Reloads the page at its address once the server answers. Returns false if it does not answer for some seconds. */
export async function reloadPage(): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    if (await isServed()) {
      globalThis.location.reload();
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
  }
  return false;
}

/** The same without being asked, once: a part that is lost again right after it would be lost for ever. */
export async function reloadOnce(): Promise<boolean> {
  try {
    const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - before < ONCE) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Without storage nobody knows whether it was reloaded before.
    return false;
  }
  return reloadPage();
}

/** Waits for what an app needs before its first page. If that or a stylesheet is lost, the page is loaded again, once. */
export async function begin(needed: Promise<unknown>): Promise<void> {
  try {
    await needed;
    if (!hasStyles()) await reloadOnce();
  } catch (error) {
    if (!(await reloadOnce())) throw error;
  }
}

/** Whether every stylesheet of the page arrived. */
function hasStyles(): boolean {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  return [...links].every(({ sheet }) => sheet !== null);
}
