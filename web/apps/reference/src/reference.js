// Shows the document of one service at a time: all of them at once are more than anybody reads.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

const words = (name) => name.replaceAll("_", " ");
const main = document.getElementById("calls");

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
