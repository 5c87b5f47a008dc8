/** The code keeps the rules of the house: rooms, names, boundaries and comments. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { stores } from "../../src/base/accounts/tables.ts";
import { circlesIn } from "../support/circles.ts";
import { everything, sources, tools } from "./sources.ts";

/**
 * The rooms of the house, in the order in which they may be imported: `base` knows the platform and no rule of the trade, `stores` the
 * connected stores, `kit` how a request is taken and a change is written, `domain` the trade, `edges` what the outside touches, `runtime`
 * how all of it is put together, `host` what one machine has in the place of the platform. A room has capabilities, which make no circle. Tables are one schema, joined from wherever it is read.
 */
const rooms = ["base", "stores", "kit", "domain", "edges", "runtime", "worker", "host"];

/** The room of a file: its folder in src. */
function roomOf(path: string): string {
  return path.split("/")[1]!.replace(/\.ts$/, "");
}

/** The capability of a file: its folder in the room, or its own name. */
function capabilityOf(path: string): string {
  return path.split("/").slice(1, 3).join("/").replace(/\.ts$/, "");
}

const fromTools = tools.flatMap(({ imports }) => imports);
const inside = sources.flatMap(({ imports }) => imports).filter(({ to }) => to.startsWith("src/"));

test("the reader of imports finds them", () => {
  expect(inside.length).toBeGreaterThan(100);
  expect(inside).toContainEqual({ from: "src/worker.ts", to: "src/runtime/app.ts", typeOnly: false });
  expect(inside).toContainEqual({
    from: "src/kit/http/document/operation.ts",
    to: "src/base/env.ts",
    typeOnly: true,
  });
});

test("dates of a subscription are worked out in one folder, of which the index alone is imported from outside", () => {
  const folder = "src/domain/subscriptions/dates/";
  const within = [...inside, ...fromTools].filter(({ to }) => to.startsWith(folder));
  expect(within.length).toBeGreaterThan(50);
  const past = within.filter(({ from, to }) => !from.startsWith(folder) && to !== `${folder}index.ts`);
  expect(past).toEqual([]);
  const ofRequests = inside.filter(
    ({ from, to }) => from.startsWith(folder) && /^src\/(kit|base\/db)\//.test(to),
  );
  expect(ofRequests).toEqual([]);
});

test("no other folder counts a subscription's deliveries, or gives it a date that it has worked out", () => {
  const own = "src/domain/subscriptions/dates/";
  const counts = /\b(next_index|next_billed_index|scheduled_index): (?!_|subscriptions\.|integer\()/;
  const worksOut =
    /\bnext_(billing|delivery|production)_date(: | = )[^;,]*\b(addDays|addMonths|toDate|nthDelivery|deliveryOf)\(/;
  const found = [counts, worksOut].map(filesWith);
  expect(found.map((paths) => paths.some((path) => path.startsWith(own)))).toEqual([true, true]);
  const elsewhere = found.flat().filter((path) => !path.startsWith(own));
  // A customer's page asks whether a day far off could be chosen.
  expect(elsewhere).toEqual(["src/edges/portal/pages/leaving/offers.ts"]);
});

test("no folder holds more than 30 files", () => {
  const folders = Map.groupBy(globSync("src/**/*.ts"), (path) => dirname(path));
  const full = [...folders].filter(([, files]) => files.length > 30).map(([folder]) => folder);
  expect(full).toEqual([]);
});

/** Short files that stand alone though one file imports them, each with the reason. */
const shortAlone = [
  "src/domain/mail/render/words/index.ts", // The list of languages, which a new one is added to
];

test("a file of 25 lines or fewer that one file of its capability imports is joined to it", () => {
  const importers = Map.groupBy(
    everything.flatMap(({ imports }) => imports),
    ({ to }) => to,
  );
  const short = sources.filter(({ text }) => text.trimEnd().split("\n").length <= 25);
  expect(short.length).toBeGreaterThan(100);
  const alone = short.filter(({ path }) => {
    const from = [...new Set((importers.get(path) ?? []).map(({ from }) => from))];
    const [only] = from;
    return (
      only && from.length === 1 && capabilityOf(only) === capabilityOf(path) && !isLoadedLate(only, path)
    );
  });
  expect(alone.map(({ path }) => path)).toEqual(shortAlone);
});

/** Whether a file imports another only when it needs it, or as the types of one that it loads so. */
function isLoadedLate(from: string, to: string): boolean {
  const { text } = sources.find(({ path }) => path === from) ?? { text: "" };
  return new RegExp(`import\\("[^"]*/${basename(to)}"\\)`).test(text);
}

describe("imports run one way", () => {
  test("every file is in a room", () => {
    expect([...new Set(sources.map(({ path }) => roomOf(path)))].toSorted()).toEqual(rooms.toSorted());
  });

  test.each(rooms)("%s imports only rooms that stand before it, and tables", (room) => {
    const upward = inside
      .filter(({ from, to }) => roomOf(from) === room && !to.endsWith("/tables.ts"))
      .filter(({ to }) => rooms.indexOf(roomOf(to)) > rooms.indexOf(room))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(upward).toEqual([]);
  });

  test("capabilities make no circle, whether they import values or types", () => {
    const between = inside
      .filter(({ to }) => !to.endsWith("/tables.ts"))
      .map(({ from, to }) => ({ from: capabilityOf(from), to: capabilityOf(to) }))
      .filter(({ from, to }) => from !== to);
    expect(circlesIn(between)).toEqual([]);
  });

  test("files make no circle, whether they import values or types; those of the tools none of values", () => {
    expect(circlesIn(inside)).toEqual([]);
    expect(circlesIn([...inside, ...fromTools].filter(({ typeOnly }) => !typeOnly))).toEqual([]);
  });
});

/** The part of the simulator that a file is of: its folder, or its own name. */
function partOf(path: string): string {
  return path.split("/")[1]!.replace(/\.ts$/, "");
}

/** Bugs are seeded by whoever runs them, and name what they like. */
const ofSimulator = fromTools.filter(({ from, to }) =>
  [from, to].every((path) => path.startsWith("simulator/") && !/bugs?\.ts$/.test(path)),
);

test("the simulator's kernel knows no part of it, its stores the kernel alone, and neither files nor folders make a circle", () => {
  expect(ofSimulator.length).toBeGreaterThan(300);
  expect(circlesIn(ofSimulator)).toEqual([]);
  const between = ofSimulator
    .map(({ from, to }) => ({ from: partOf(from), to: partOf(to) }))
    .filter(({ from, to }) => from !== to);
  expect(circlesIn(between)).toEqual([]);
  const known = (part: string) => new Set(between.filter(({ from }) => from === part).map(({ to }) => to));
  expect(known("kernel")).toEqual(new Set());
  expect(known("stores")).toEqual(new Set(["kernel"]));
});

test("rules know neither HTTP nor the database", () => {
  const rules = inside.filter(({ from }) =>
    /\/(rules|lifecycle|cadence|amounts|policy|schedule|lines)\.ts$/.test(from),
  );
  expect(rules.length).toBeGreaterThan(20);
  const outward = rules.filter(
    ({ to, typeOnly }) => /^src\/(kit\/http|base\/db|kit\/journal)\//.test(to) && !typeOnly,
  );
  expect(outward.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

/** The files that every platform is named in (docs/change/recipes.md#a-new-store-adapter). */
const registry = ["src/base/accounts/tables.ts", "src/edges/settings/schemas.ts", "src/stores/platforms.ts"];
/** Public text and schemas of how an account is connected to a store. */
const connecting = ["src/edges/settings/store-routes.ts"];
/** Files of other systems that subscriptions are imported from. */
const importing = ["src/domain/imports/formats/formats.ts", "src/domain/imports/schemas.ts"];

/**
 * The files that name a platform outside of its adapter's folder, comments aside. This list is to become shorter: another mention is one more
 * place that the next adapter would have to touch, so it becomes a part of `Platform` instead (src/stores/port/platform.ts).
 */
const mentions: Record<(typeof stores)[number], string[]> = {
  sandbox: [
    ...[...registry, ...connecting],
    "src/base/accounts/clock.ts",
    "src/domain/own-orders/schemas.ts",
    "src/domain/selling-plans/schemas.ts",
    "src/edges/docs/introduction.ts",
    "src/edges/portal/payment-routes.ts",
    "src/edges/settings/routes.ts",
    "src/edges/settings/store-schemas.ts",
    "src/stores/shopify/app/connect.ts",
  ],
  shopify: [
    ...[...registry, ...connecting, ...importing],
    "src/base/accounts/rename.ts",
    "src/base/lib/log-lines.ts",
    "src/domain/imports/formats/shopify.ts",
    "src/domain/store-sync/set-up.ts",
    "src/stores/global-ids.ts",
  ],
  stripe: [
    ...[...registry, ...connecting, ...importing],
    "src/base/env.ts",
    "src/base/lib/log-lines.ts",
    "src/domain/imports/fields.ts",
    "src/domain/imports/formats/recharge/members.ts",
    "src/domain/imports/formats/stripe/discounts.ts",
    "src/domain/imports/formats/stripe/members.ts",
    "src/domain/imports/formats/stripe/subscription.ts",
    "src/edges/console/pages/settings/connection-forms.ts",
    "src/edges/portal/payment-method-routes.ts",
    "src/edges/portal/payment-method-schemas.ts",
    "src/edges/settings/routes.ts",
    "src/edges/settings/store-schemas.ts",
    "src/stores/port/remote-methods.ts",
    "src/stores/shopify/remote-methods.ts",
    "src/stores/stripe-decimals.ts",
  ],
};

test.each(stores)("%s is named outside of its adapter by the listed files alone", (name) => {
  const naming = filesWith(new RegExp(`(?<!my)${name}`, "i"));
  const isOwn = (path: string) => path.startsWith(`src/stores/${name}/`);
  expect(naming.some(isOwn)).toBe(true);
  expect(naming.filter((path) => !isOwn(path))).toEqual(mentions[name].toSorted());
});

/** The tools that connect a store, or check its adapter. */
const adapterTools =
  /^(scripts\/account\/shopify\.ts|scripts\/shopify-(check|schema)|scripts\/stripe-contract|simulator\/(stores|shopify|stripe|plans|accounts)\/)/;

test("an adapter is imported by the registry alone, and its tables by whoever reads them", () => {
  const isOf = (path: string) => stores.find((name) => path.startsWith(`src/stores/${name}/`));
  const importers = [...inside, ...fromTools]
    .filter(({ to }) => isOf(to) && !to.endsWith("/tables.ts"))
    .filter(({ from, to }) => isOf(from) !== isOf(to) && !adapterTools.test(from))
    .map(({ from }) => from);
  expect([...new Set(importers)]).toEqual(["src/stores/platforms.ts"]);
});

test("the Worker imports nothing of the tools and tests", () => {
  const outward = sources
    .flatMap(({ imports }) => imports)
    .filter(({ to }) => /^(simulator|scripts|test|bench)\//.test(to));
  expect(outward).toEqual([]);
});

/** The fakes of stores, and who has them besides the tests: the simulator runs on them, and one of them can be served. */
const fakeUsers = [
  { fakes: /^test\/support\/fake-(shopify|stripe)/, from: /^simulator\// },
  { fakes: /^test\/support\/fake-stripe\.ts$/, from: /^scripts\/stripe-(contract|fake)\// },
];

test("tools have of the tests the fake stores alone, and the simulator nothing of the scripts", () => {
  expect(fromTools.length).toBeGreaterThan(100);
  const isTheirs = (from: string, to: string) =>
    fakeUsers.some((user) => user.fakes.test(to) && user.from.test(from));
  const wrong = fromTools.filter(
    ({ from, to }) =>
      (to.startsWith("test/") && !isTheirs(from, to)) ||
      (from.startsWith("simulator/") && to.startsWith("scripts/")),
  );
  expect(wrong).toEqual([]);
});

/** Which files of the Worker hold a pattern; comments do not count. */
function filesWith(pattern: RegExp): string[] {
  return sources
    .filter(({ path, text }) => !path.startsWith("src/host/") && pattern.test(withoutComments(text)))
    .map(({ path }) => path);
}

/** Modules with a machine behind them: of Node all but those that only compute, which workerd has too. */
const ofMachines = /from "(undici|node:(?!(url|crypto)")[\w/]+)"/;

test("the host alone knows a machine, and nothing of the Worker knows the host", () => {
  expect(filesWith(ofMachines)).toEqual([]);
  expect(
    inside.filter(({ from, to }) => to.startsWith("src/host/") && !from.startsWith("src/host/")),
  ).toEqual([]);
});

test("there are no interactive transactions: libSQL gets a whole batch in one request", () => {
  const beginners = filesWith(/\.transaction\(|\bBEGIN\b(?! \$\{refusal\} END)|\bSAVEPOINT\b/);
  expect(beginners).toEqual(["src/base/db/libsql.ts"]);
});

test("batch is called by commit and read alone", () => {
  for (const path of filesWith(/\.batch[(<]/)) expect(path).toMatch(/^src\/base\/db\//);
});

test("a database that wraps another is made by wrapDb, which forwards every member", () => {
  const makers = filesWith(/^ +engine(: .*)?,\n +usage(: .*)?,$/m);
  const drivers = ["client", "libsql", "object"].map((name) => `src/base/db/${name}.ts`);
  expect(makers).toEqual(["src/base/accounts/objects.ts", ...drivers]);
  expect(filesWith(/\.\.\.\w*[dD]b,/)).toEqual(["src/base/db/wrapped/wrap-db.ts"]);
});

test("the clock is read where a request, message, tick or id begins, and where an answer is timed, nowhere else", () => {
  const readers = filesWith(/Date\.now\(\)|new Date\(\)|Temporal\.Now|performance\.now/);
  expect(readers).toContain("src/kit/http/observe.ts");
  for (const path of readers)
    expect([
      "src/runtime/engine/account-object.ts",
      "src/base/lib/ids.ts",
      "src/kit/http/observe.ts",
      "src/runtime/jobs/consume.ts",
      "src/base/network.ts",
      "src/stores/shopify/pacing.ts",
      "src/worker.ts",
    ]).toContain(path);
});

test("ids are made by lib/ids, chance is taken for them, keys and nonces alone", () => {
  expect(filesWith(/randomUUID|from "uuid"/)).toEqual(["src/base/lib/ids.ts"]);
  expect(filesWith(/Math\.random|getRandomValues/)).toEqual([
    "src/base/accounts/api-key.ts",
    "src/base/lib/ids.ts",
    "src/base/lib/secrets/sealed.ts",
  ]);
});

test("drivers are known to db/ alone", () => {
  expect(filesWith(/@libsql\/|libsqlDb|D1Database|drizzle-orm\/(d1|libsql)/)).toEqual([
    "src/base/db/client.ts",
    "src/base/db/libsql.ts",
    "src/base/db/wrapped/replicas.ts",
    "src/base/env.ts",
  ]);
});

test("the address that credentials are sent to is made in one place", () => {
  const makers = sources.filter(({ text }) => text.includes("https://${"));
  expect(makers.map(({ path }) => path)).toEqual(["src/stores/shopify/app/domain.ts"]);
});

/** The functions that no account's `ctx` exists for: an operator's, and a tick's beside those that prune. */
const withoutCtx = [
  "src/domain/billing/due/due.ts: findAccountsDue",
  "src/domain/billing/due/due.ts: findInZones",
  "src/domain/events/actions.ts: raiseSequences",
  "src/domain/mail/retention.ts: maskAddresses",
  "src/domain/privacy/account-tables.ts: accountTables",
  "src/domain/store-sync/send-again.ts: sendAllAgain",
  "src/domain/webhook-endpoints/reseal.ts: resealEndpointSecrets",
  "src/domain/webhook-endpoints/reseal.ts: endpointsAfter",
];

test("a function of the trade or of an edge takes ctx, which has the account beside the database", () => {
  const takesDb = /^(?:export )?(?:async )?function\*? (\w+)(?:<[^(]*>)?\([^)]*\bdb: Db\b/gm;
  const found = sources
    // The deployment's own things belong to no account.
    .filter(({ path }) => /^src\/(domain|edges)\/(?!operator\/|health\/)/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(takesDb)].map(([, name]) => `${path}: ${name}`));
  expect(found.filter((one) => !/: prune[A-Z]\w+$/.test(one))).toEqual(withoutCtx);
});

test("the log is written through context.log alone", () => {
  expect(filesWith(/console\.\w+\(/)).toEqual(["src/kit/context.ts"]);
});

test("a line of the log says why under `cause`", () => {
  expect(filesWith(/\blog\("\w+", [^;]*\bcause\b/).length).toBeGreaterThan(20);
  expect(filesWith(/\blog\("\w+", [^;]*\b(?:why|refusal|because)(?::|,| \})/)).toEqual([]);
});

test("parts of a decision are joined by combine alone", () => {
  const spread = filesWith(/\.\.\.\(?\w+\??\.(entry|ownEntries|relatedEntries|writes|jobs)\b/);
  expect(spread).toEqual([]);
});

test("exports have names; the Worker's entry is the one default", () => {
  expect(filesWith(/^export default/m)).toEqual(["src/worker.ts"]);
});

test("no two files export a type of the same name", () => {
  const exported = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:declare )?(?:type|interface) (\w+)/gm)].map(([, name]) => ({ name, path })),
  );
  expect(exported.length).toBeGreaterThan(500);
  const shared = [...Map.groupBy(exported, ({ name }) => name)].filter(([, files]) => files.length > 1);
  expect(shared.map(([name, files]) => `${name}: ${files.map(({ path }) => path).join(", ")}`)).toEqual([]);
});

/** Each table is exported: the test of the schema reads all of them, by no name. */
const exported = /^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)\b(?! = sqliteTable)/gm;

test("every export but that of a table is used by another file", () => {
  const importers = Map.groupBy(
    everything.flatMap(({ path, text, imports }) => imports.map(({ to }) => ({ path, to, text }))),
    ({ to }) => to,
  );
  /** The files that import a file, also through one that exports all of it. */
  const usersOf = (file: string): string[] =>
    (importers.get(file) ?? []).flatMap(({ path, text }) =>
      text.includes("export * from") ? usersOf(path) : [text],
    );
  const unused = sources.flatMap(({ path, text }) =>
    [...text.matchAll(exported)]
      .map(([, name]) => name!)
      .filter((name) => !usersOf(path).some((user) => new RegExp(`\\b${name}\\b`).test(user)))
      .map((name) => `${path}: ${name}`),
  );
  expect(unused).toEqual([]);
});
test("files are named in kebab-case for what they hold", () => {
  for (const { path } of sources) {
    expect(path).toMatch(/^src\/([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/);
    expect(path).not.toMatch(/\/(schema|services?|utils?|helpers?|types|managers?)\.ts$/);
  }
});

test("what stands at the top of a file and is called is a function declaration, so that a file reads from its verb on", () => {
  const arrow = /^(?:export )?const \w+ = (?:async )?(?:<[^=]*>)?\((?!\s*\[)[^=]*\)(?:: [^=]+)? =>/gm;
  expect(
    [...sources, ...tools].flatMap(({ path, text }) =>
      (text.match(arrow) ?? []).map((each) => `${path}: ${each}`),
    ),
  ).toEqual([]);
});

test("no comment begins with What or The same, which need the lines around them, and none in src with a subordinate clause", () => {
  const paths = globSync("{src,simulator,scripts,test,bench}/**/*.{ts,mjs}");
  expect(paths.length).toBeGreaterThan(sources.length);
  const found = paths.flatMap((path) =>
    commentsIn(readFileSync(path, "utf8"))
      .filter((comment) => (path.startsWith("src/") ? clauses : unnamed).test(comment))
      .map((comment) => `${path}: ${comment}`),
  );
  expect(found).toEqual([]);
});

const unnamed = /^(What|The same)\b/;
const clauses = /^(What|The same|Where|How|Of|As|Whom)\b/;

/** The first lines of the comments of a file. */
function commentsIn(text: string): string[] {
  const begins = /(?:\/\*\*?\s+(?:\*\s+)?|(?<!^ *\/\/.*\n *)\/\/ )([A-Z].*)/gm;
  return [...text.matchAll(begins)].map(([, comment]) => comment!);
}

test("a builder of statements is named for what they do with a noun, and nothing that runs is named so", () => {
  const named = (pattern: RegExp) =>
    sources.flatMap(({ path, text }) =>
      [...text.matchAll(pattern)].map(([, name]) => ({ path, name: name! })),
    );
  const builder = /^(select|insert|update|delete|guard)([A-Z]|$)/;
  const prepared = named(/^(?:export )?const (\w+) = prepare\b/gm);
  expect(prepared.length).toBeGreaterThan(100);
  expect(prepared.filter(({ name }) => !builder.test(name))).toEqual([]);
  const builds = named(
    /^(?:export )?function (\w+)(?:<[^(]*>)?\((?:(?!\n\}\n|\) \{)[\s\S])*?\): Statement(?:<[^\n]*>)?(?:\[\])? \{$/gm,
  );
  expect(builds.length).toBeGreaterThan(150);
  expect(
    builds.filter(({ name }) => !builder.test(name) && !/^raw$|[sS]tatements?(In)?$|Writes$/.test(name)),
  ).toEqual([]);
  const running = named(/^(?:export )?(?:async function|function(?= \w+[^{]*\): Promise)) (\w+)/gm);
  expect(running.length).toBeGreaterThan(1000);
  expect(running.filter(({ name }) => builder.test(name))).toEqual([]);
});

test("functions, no classes but errors, the object that the platform makes, and its base on the host", () => {
  const classes = sources.flatMap(({ text }) =>
    [...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name!),
  );
  expect(classes.length).toBeGreaterThan(0);
  for (const name of classes) expect(name).toMatch(/Error$|^(Account|Durable)Object$/);
});

/** The files that name a kind of mail besides its own, the list and the words, each with the reason. */
const mailKindUsers: Record<string, string[]> = {
  upcoming_charge: ["src/domain/mail/compose.ts", "src/domain/mail/template-schemas.ts"], // The test of the settings, an example
  receipt: ["src/domain/mail/settings-schemas.ts"], // An example
  payment_ended: ["src/domain/mail/kinds/changed.ts"], // It tells of the same change
  price_change: ["src/domain/mail/kinds/changed.ts"], // It tells of the same change
};

test("a kind of mail is one file, a line of the list and the words of each language", () => {
  const mail = sources.filter(({ path, imports }) =>
    [path, ...imports.map(({ to }) => to)].some((file) => file.startsWith("src/domain/mail/")),
  );
  const files = globSync("src/domain/mail/kinds/*.ts");
  const words = globSync("src/domain/mail/render/words/??.ts");
  expect([files.length > 10, words.length > 3]).toEqual([true, true]);
  for (const file of files) {
    const kind = basename(file, ".ts").replaceAll("-", "_");
    const named = new RegExp(`(?<![a-z] )\\b(${kind}|${camelCase(kind)})\\b`);
    const namedIn = mail.filter(({ path, text }) => path === file || named.test(withoutComments(text)));
    const expected = [file, "src/domain/mail/kinds.ts", ...words, ...(mailKindUsers[kind] ?? [])];
    expect(namedIn.map(({ path }) => path).toSorted(), kind).toEqual(expected.toSorted());
  }
});

test("a language is named where its texts are, where they are chosen, and in the few places that say which there are", () => {
  const named = sources.filter(
    ({ path, text }) => /\/fr\.ts$/.test(path) || /\bfr\b/.test(withoutComments(text)),
  );
  expect(named.map(({ path }) => path)).toEqual([
    "src/base/accounts/portal-settings.ts",
    "src/base/language/format.ts",
    "src/base/language/why/fr.ts",
    "src/base/language/words/fr.ts",
    "src/base/language/words/index.ts",
    "src/base/lib/places/countries.ts",
    "src/domain/cancellation/offer-schemas.ts",
    "src/domain/mail/render/words/fr.ts",
    "src/domain/mail/render/words/index.ts",
    "src/domain/reasons/labels.ts",
    "src/domain/reasons/schemas.ts",
    "src/edges/portal/pages/texts/cards.ts",
    "src/edges/portal/pages/texts/declaring.ts",
    "src/edges/portal/pages/texts/entering.ts",
    "src/edges/portal/pages/texts/fr.ts",
    "src/edges/portal/pages/texts/goods.ts",
    "src/edges/portal/pages/texts/index.ts",
    "src/edges/portal/pages/texts/leaving.ts",
    "src/edges/portal/pages/texts/look.ts",
    "src/edges/portal/pages/texts/reach.ts",
    "src/edges/portal/pages/texts/rules.ts",
    "src/kit/http/document/params.ts",
  ]);
});

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
