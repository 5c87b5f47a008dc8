const root = document.getElementById("swagger-ui");
const { demoKey } = root.dataset;

const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", darkScheme.matches);
darkScheme.addEventListener("change", followScheme);
followScheme();

/**
 * Fills "Try it out" with values that change nothing for good: operations that have a dry run are one until the reader says
 * otherwise, and the test clock, which cannot go back, moves nowhere.
 */
const withoutLastingExamples = (spec) => {
  const operations = Object.values(spec.paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(spec.components.parameters)])
    if (parameter.name === "dry_run") parameter.example = "true";
  spec.paths["/api/account/test-clock"].post.requestBody.content["application/json"].example = {};
  return spec;
};

/** A key that the reader has entered before stays. */
const useDemoKey = (ui) => {
  const hasKey = ui.authSelectors.authorized().has("apiKey");
  if (demoKey && !hasKey) ui.preauthorizeApiKey("apiKey", demoKey);
};

/** Webhooks have no tags that could be closed, so their heading opens and closes them, as a tag does. */
const closeWebhooks = (section) => {
  const heading = section.querySelector("h2");
  const button = document.createElement("button");
  button.textContent = heading.textContent;
  const toggle = (isOpen) => {
    section.classList.toggle("closed", !isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => toggle(section.classList.contains("closed")));
  heading.replaceChildren(button);
  toggle(false);
};

/** They are drawn after the page is complete. */
new MutationObserver((_, observer) => {
  const section = root.querySelector(".webhooks");
  if (!section) return;
  observer.disconnect();
  closeWebhooks(section);
}).observe(root, { childList: true, subtree: true });

const show = (spec) => {
  const ui = window.SwaggerUIBundle({
    spec: withoutLastingExamples(spec),
    domNode: root,
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    filter: true,
    showCommonExtensions: true,
    persistAuthorization: demoKey !== undefined,
    validatorUrl: "none",
    onComplete: () => useDemoKey(ui),
  });
};

const response = await fetch("/api.json");
show(await response.json());
