// Shows the document of one service at a time: all of them at once are more than anybody reads.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

const words = (name) => name.replaceAll("_", " ");
const main = document.getElementById("calls");

// The page's own link leads where it says: the reader of calls below takes what follows the # for a call.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

/** What the reader of calls leaves to be said: names, levels, and one thing to press in one place. */
function mend() {
  // The reader has a main part of its own; what stands around it gets a name.
  let part = 0;
  for (let inside = main.querySelector("main"); inside !== null && inside !== main; inside = inside.parentElement) {
    for (const beside of inside.parentElement.children) {
      if (beside === inside || (beside.textContent.trim() === "" && beside.querySelector("input") === null)) continue;
      part += 1;
      beside.setAttribute("role", "region");
      beside.setAttribute("aria-label", `About the calls, ${part}`);
    }
  }
  for (const [heading, level] of [
    [".opblock-tag", "2"],
    ["h4", "3"],
    ["h5", "4"],
  ]) {
    for (const one of main.querySelectorAll(heading)) one.setAttribute("aria-level", level);
  }
  for (const link of main.querySelectorAll("button a[href]")) link.removeAttribute("href");
  // What is wider than the page is scrolled by keyboard, too.
  for (const example of main.querySelectorAll("pre.microlight:not([tabindex])")) example.tabIndex = 0;
  for (const table of main.querySelectorAll('table[role="region"]:not([aria-label])')) {
    table.setAttribute(
      "aria-label",
      `Responses of ${table.closest(".opblock")?.querySelector(".opblock-summary-control")?.textContent ?? "the call"}`,
    );
  }
  for (const area of main.querySelectorAll("textarea:not([aria-label])")) {
    area.setAttribute("aria-label", area.closest("[data-param-name]")?.dataset.paramName ?? "Request body");
  }
  for (const select of main.querySelectorAll("select:not([aria-label])"))
    select.setAttribute("aria-label", select.closest(".servers") ? "Server" : "Choice");
}
new MutationObserver(mend).observe(main, { childList: true, subtree: true });

try {
  const response = await fetch("/openapi/services.json");
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  const { services } = await response.json();
  const asked = new URLSearchParams(location.search).get("service");
  const service = services.includes(asked) ? asked : services[0];

  document.title = `Pavise API: ${words(service)}`;
  document.getElementById("document").href = `/openapi/${service}.json`;
  document.getElementById("services").append(
    ...services.map((name) => {
      const link = document.createElement("a");
      link.href = `?service=${name}`;
      link.textContent = words(name);
      if (name === service) link.setAttribute("aria-current", "page");
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  main.replaceChildren();
  globalThis.SwaggerUIBundle({
    url: `/openapi/${service}.json`,
    domNode: main,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    // The checker is somebody else's server.
    validatorUrl: null,
  });
} catch (problem) {
  const said = document.createElement("p");
  said.setAttribute("role", "alert");
  said.textContent = `The documents cannot be read: ${problem.message}. Load the page again in a moment.`;
  main.replaceChildren(said);
}
