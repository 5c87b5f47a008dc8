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

/**
 * Finds operations by words of names, summaries, descriptions, paths and groups: all words, in any order. Those that are named so come
 * before those that only mention it.
 */
const finderOf = (operations) => {
  const entries = operations.map((operation) => {
    const { path, method, tags, operationId, summary, description = "" } = operation;
    const name = [method, path, operationId, summary].join(" ").toLowerCase();
    return { operation, name, text: `${name} ${tags[0]} ${description}`.toLowerCase() };
  });
  return (phrase) => {
    const words = phrase.toLowerCase().split(/\s+/);
    const has = (text) => words.every((word) => text.includes(word));
    const found = entries.filter(({ text }) => has(text));
    const isNamedSo = ({ name }) => has(name);
    const mentioned = found.filter((entry) => !isNamedSo(entry));
    return [...found.filter(isNamedSo), ...mentioned].map(({ operation }) => operation);
  };
};

/**
 * A part of the document with what it refers to in place; what stands beside a reference wins, and names whence it came. No part of the
 * document refers to itself.
 */
const resolved = (spec, part) => {
  if (Array.isArray(part)) return part.map((one) => resolved(spec, one));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...own } = part;
  const members = Object.entries(own).map(([name, value]) => [name, resolved(spec, value)]);
  if (typeof $ref !== "string") return Object.fromEntries(members);
  const target = resolved(spec, partAt(spec, $ref.split("/").slice(1)));
  return {
    $$ref: `${location.origin}${location.pathname}${$ref}`,
    ...target,
    ...Object.fromEntries(members),
  };
};

const partAt = (spec, path) => path.reduce((part, name) => part?.[name], spec);

/** Swagger UI works for seconds on the whole document whenever an operation is opened; to put in what that refers to takes none. */
const resolveAtOnce = (spec) => ({
  statePlugins: {
    spec: {
      wrapActions: {
        requestResolvedSubtree:
          (_original, { specActions }) =>
          (path) =>
            queueMicrotask(() => specActions.updateResolvedSubtree(path, resolved(spec, partAt(spec, path)))),
      },
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

/** The groups and the search list operations here. Swagger UI is loaded for those that the reader opens. */
const showFinder = (spec, open) => {
  const operations = operationsOf(spec);
  const find = finderOf(operations);
  const input = document.getElementById("find");
  const found = document.getElementById("found");
  const list = (listed) =>
    document.getElementById("results").replaceChildren(
      ...listed.map(({ method, path, summary, tags: [tag], operationId }) => {
        const link = element(
          "a",
          { href: `#/${encodeURIComponent(tag)}/${operationId}` },
          element("b", { className: method }, method.toUpperCase()),
          element("code", {}, path),
          element("span", {}, summary),
        );
        link.addEventListener("click", async (event) => {
          event.preventDefault();
          link.classList.add("opening");
          await open(tag, operationId);
          link.classList.remove("opening");
        });
        return element("li", {}, link);
      }),
    );
  const search = () => {
    const phrase = input.value.trim();
    const results = phrase === "" ? [] : find(phrase);
    list(results);
    found.textContent =
      phrase !== "" && results.length === 0
        ? `Nothing is found for “${phrase}”. Try fewer words, or a part of a path.`
        : `${phrase === "" ? "" : `${results.length} of `}${operations.length} operations`;
  };
  const choose = (tag) => {
    const inGroup = operations.filter(({ tags }) => tags[0] === tag);
    input.value = "";
    list(inGroup);
    found.textContent = `${tag}: ${inGroup.length} of ${operations.length} operations`;
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
  for (const table of root.querySelectorAll(".responses-table:not([aria-label])"))
    table.setAttribute("aria-label", `Responses: ${table.id}`);
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

/** Swagger UI is three quarters of all that the page can load. */
const loadSwaggerUI = async (spec) => {
  // Swagger UI has a main part of its own.
  const listed = document.getElementById("listed");
  listed.setAttribute("role", "region");
  listed.querySelector("h2").hidden = false;
  document.getElementById("everything").hidden = true;
  const files = document.getElementById("swagger-ui-files").content.cloneNode(true).children;
  const loaded = [...files].map(
    (file) =>
      new Promise((resolve, reject) => {
        file.addEventListener("load", resolve);
        file.addEventListener("error", reject);
        document.head.prepend(file);
      }),
  );
  await Promise.all(loaded);
  return new Promise((resolve) => {
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
      plugins: [foldIntroduction, resolveAtOnce(spec)],
      onComplete: () => {
        useDemoKey(ui);
        resolve(ui);
      },
    });
  });
};

const response = await fetch("/api.json");
const spec = await response.json();
let swaggerUI;
const openSwaggerUI = () => {
  swaggerUI ??= loadSwaggerUI(spec);
  return swaggerUI;
};

const openOperation = async (tag, operationId) => {
  const { layoutActions } = await openSwaggerUI();
  layoutActions.show(["operations-tag", tag], true);
  layoutActions.show(["operations", tag, operationId], true);
  setTimeout(() => {
    const operation = document.getElementById(`operations-${tag.replaceAll(" ", "_")}-${operationId}`);
    operation?.scrollIntoView();
    operation?.querySelector("button")?.focus({ preventScroll: true });
  });
};

showFinder(spec, openOperation);
showFields(spec);
document.getElementById("everything").addEventListener("click", openSwaggerUI);
// An address that names an operation opens it.
if (location.hash.startsWith("#/")) openSwaggerUI();
