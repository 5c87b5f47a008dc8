const root = document.getElementById("swagger-ui");
const { demoKey } = root.dataset;

const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", darkScheme.matches);
darkScheme.addEventListener("change", followScheme);
followScheme();

/** An element with its attributes and what is in it. */
const element = (name, attributes = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...inside);
  return made;
};

const operationsOf = (spec) =>
  Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

/**
 * Fills "Try it out" with values that change nothing for good: operations that have a dry run are one until the reader says
 * otherwise, and the test clock, which cannot go back, moves nowhere.
 */
const withoutLastingExamples = (spec) => {
  const parameters = operationsOf(spec).flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(spec.components.parameters)])
    if (parameter.name === "dry_run") parameter.example = "true";
  spec.paths["/api/account/test-clock"].post.requestBody.content["application/json"].example = {};
  return spec;
};

/** Finds operations by words of their names, summaries, descriptions, paths and groups: all words, in any order. */
const finderOf = (spec) => {
  const texts = operationsOf(spec).map(({ path, method, tags, operationId, summary, description = "" }) => ({
    key: `${method} ${path}`,
    tag: tags[0],
    text: [method, path, tags[0], operationId, summary, description].join(" ").toLowerCase(),
  }));
  return (phrase) => {
    const words = phrase.toLowerCase().split(/\s+/);
    return texts.filter(({ text }) => words.every((word) => text.includes(word)));
  };
};

/** Swagger UI's own filter knows the names of groups alone. */
const filterBy = (find) => () => ({
  fn: {
    opsFilter: (groups, phrase) => {
      const keys = new Set(find(phrase).map(({ key }) => key));
      const isFound = (operation) => keys.has(`${operation.get("method")} ${operation.get("path")}`);
      return groups
        .map((group) => group.set("operations", group.get("operations").filter(isFound)))
        .filter((group) => group.get("operations").size > 0);
    },
  },
});

/** The introduction is long, and those who come back know it. */
const foldIntroduction = (_system) => ({
  wrapComponents: {
    InfoContainer:
      (Original, { React: { createElement } }) =>
      (props) =>
        createElement(
          "details",
          { className: "introduction wrapper" },
          createElement(
            "summary",
            null,
            "Introduction: credentials, lists, dates and money, repeating, errors",
          ),
          createElement(Original, props),
        ),
  },
});

/** The search, and the groups: what is found stands open below. */
const showFinder = (spec, ui, find) => {
  const open = (tag, isOpen) => ui.layoutActions.show(["operations-tag", tag], isOpen);
  const input = document.getElementById("find");
  const found = document.getElementById("found");
  const all = operationsOf(spec).length;
  const search = () => {
    const phrase = input.value.trim();
    const results = phrase === "" ? [] : find(phrase);
    const tags = new Set(results.map(({ tag }) => tag));
    for (const { name } of spec.tags) open(name, tags.has(name));
    ui.layoutActions.updateFilter(phrase);
    const isNothing = phrase !== "" && results.length === 0;
    root.classList.toggle("nothing", isNothing);
    found.textContent = isNothing
      ? `Nothing is found for “${phrase}”. Try fewer words, or a part of a path.`
      : `${phrase === "" ? "" : `${results.length} of `}${all} operations`;
  };
  const choose = (tag) => {
    input.value = "";
    search();
    open(tag, true);
    setTimeout(() => document.getElementById(`operations-tag-${tag.replaceAll(" ", "_")}`)?.scrollIntoView());
  };
  input.addEventListener("input", search);
  document
    .getElementById("groups")
    .append(
      ...spec.tags.map(({ name }) =>
        element("button", { type: "button", textContent: name, onclick: () => choose(name) }),
      ),
    );
  search();
};

const typeOf = (schema) => {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return members.map(typeOf).join(" or ");
  const types = [schema.type ?? "any"].flat();
  return types
    .map((type) => (type === "array" ? `list of ${typeOf(schema.items ?? {})}` : type))
    .map((type) => (type === "string" && schema.format ? schema.format : type))
    .join(" or ");
};

/** Every field of the records that are read most, each record by one click. */
const showFields = (spec) => {
  const records = { Subscription: "a subscription", Order: "an order", Profile: "a profile" };
  for (const [name, words] of Object.entries(records)) {
    const { properties } = spec.components.schemas[name];
    const rows = Object.entries(properties).map(([field, schema]) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, element("code", {}, field)),
        element("td", {}, typeOf(schema)),
        element("td", {}, schema.description ?? ""),
      ),
    );
    const head = ["Field", "Type", "Meaning"].map((title) => element("th", { scope: "col" }, title));
    const table = element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    );
    const summary = element("summary", {}, `The ${rows.length} fields of ${words}`);
    document.getElementById("fields").append(element("details", { id: `fields-${name}` }, summary, table));
  }
};

/** A key that the reader has entered before stays. */
const useDemoKey = (ui) => {
  const hasKey = ui.authSelectors.authorized().has("apiKey");
  if (demoKey && !hasKey) ui.preauthorizeApiKey("apiKey", demoKey);
};

/** Webhooks have no tags that could be closed, so their heading opens and closes them, as a tag does. */
const closeWebhooks = (section) => {
  const heading = section.querySelector("h2");
  const button = element("button", { textContent: heading.textContent });
  const toggle = (isOpen) => {
    section.classList.toggle("closed", !isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => toggle(section.classList.contains("closed")));
  heading.replaceChildren(button);
  toggle(false);
};

/** Swagger UI leaves what it draws without names for those who do not see it. */
const nameControls = () => {
  for (const select of root.querySelectorAll("select:not([aria-label])")) {
    const row = select.closest("tr")?.dataset.paramName;
    const isMedia = select.closest(".content-type, .content-type-wrapper, .response-control-media-type");
    select.setAttribute("aria-label", row ?? (isMedia ? "Media type" : "Choice"));
  }
  for (const area of root.querySelectorAll("textarea:not([aria-label])"))
    area.setAttribute("aria-label", "Body");
  for (const input of root.querySelectorAll("input:not([aria-label])"))
    input.setAttribute("aria-label", input.placeholder || input.closest("tr")?.dataset.paramName || "Value");
  for (const part of root.querySelectorAll(
    ".microlight:not([tabindex]), .highlight-code pre:not([tabindex])",
  ))
    part.setAttribute("tabindex", "0");
  // A link in a button is none for those who cannot point; the button leads to the same place.
  for (const link of root.querySelectorAll(".opblock-summary-control a[href]")) link.removeAttribute("href");
  const regions = {
    ".information-container": "Introduction",
    ".scheme-container": "Servers and credentials",
  };
  for (const [selector, label] of Object.entries(regions)) {
    root.querySelector(selector)?.setAttribute("role", "region");
    root.querySelector(selector)?.setAttribute("aria-label", label);
  }
  for (const heading of root.querySelectorAll(".models h4:not([aria-level])")) {
    heading.setAttribute("role", "heading");
    heading.setAttribute("aria-level", "3");
  }
};

/** Its parts are drawn one after the other, and whenever the reader opens one. */
new MutationObserver(() => {
  const section = root.querySelector(".webhooks:not(:has(h2 button))");
  if (section) closeWebhooks(section);
  nameControls();
}).observe(root, { childList: true, subtree: true });

const show = (spec) => {
  const find = finderOf(spec);
  const ui = window.SwaggerUIBundle({
    spec: withoutLastingExamples(spec),
    domNode: root,
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    showCommonExtensions: true,
    persistAuthorization: demoKey !== undefined,
    validatorUrl: "none",
    plugins: [filterBy(find), foldIntroduction],
    onComplete: () => useDemoKey(ui),
  });
  showFinder(spec, ui, find);
  showFields(spec);
};

const response = await fetch("/api.json");
show(await response.json());
