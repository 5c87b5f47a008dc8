// Part of `npm run bench`, also `node bench/upload-memory.ts`: what the largest legal uploads of profiles (10 MiB, 10,000 rows) hold in memory at once, above
// what the process holds without them; each in a process of its own. The database takes statements in as D1's client does.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Account } from "../src/base/accounts/tables.ts";
import type { Db } from "../src/base/db/port.ts";
import { profilesOfCsv, profilesOfForm } from "../src/domain/profiles/media.ts";
import { ProfileCreate, ProfileUpload } from "../src/domain/profiles/schemas.ts";
import { uploadProfiles } from "../src/domain/profiles/upload.ts";
import { type Ctx, openCtx } from "../src/kit/context.ts";
import { decodeUtf8, parseJson } from "../src/kit/http/json.ts";

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text));
}

/** Half of what a Worker has, because the isolate holds the script and other requests as well. */
const mostHeld = 64_000_000;
const size = 10 * 1024 * 1024;
const rows = 10_000;

/** Rows of an e-mail address and as much filling as leaves the whole just below its limit. */
function table(columns: string[], filling: string, { perRow, perCell }: { perRow: number; perCell: number }) {
  const room = size / rows - perRow - columns.length * perCell;
  const cell = filling.repeat(Math.floor(room / columns.length / bytesOf(filling).byteLength));
  return Array.from({ length: rows }, (_, n) => [`m${n}@customers.test`, ...columns.map(() => cell)]);
}

function csv(columns: string[], filling: string) {
  const lines = [["email", ...columns], ...table(columns, filling, { perRow: 27, perCell: 1 })];
  return bytesOf(lines.map((cells) => cells.join(",")).join("\n"));
}

function json(columns: string[], filling: string) {
  const names = ["email", ...columns];
  const all = table(columns, filling, { perRow: 40, perCell: 20 });
  return bytesOf(
    JSON.stringify(all.map((cells) => Object.fromEntries(cells.map((cell, n) => [names[n], cell])))),
  );
}
const boundary = "perennial";

function form(name: string, file: Uint8Array<ArrayBuffer>) {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return Uint8Array.from(Buffer.concat([bytesOf(head), file, bytesOf(`\r\n--${boundary}--\r\n`)]));
}

function fromForm(bytes: Uint8Array<ArrayBuffer>) {
  return profilesOfForm(bytes, `multipart/form-data; boundary=${boundary}`);
}

function fromJson(bytes: Uint8Array<ArrayBuffer>) {
  return parseJson(decodeUtf8(bytes));
}

const names = ["first_name", "last_name", "phone_number", "external_id"];
/** All but the e-mail address, and those with a form of their own. */
const texts = Object.keys(ProfileCreate.shape).filter(
  (name) => !/^email|_status$|_at$|country_code|locale/.test(name),
);
const addresses = ["address1", "address2", "city", "country"];
const cases: Record<string, [() => Uint8Array<ArrayBuffer>, (bytes: Uint8Array<ArrayBuffer>) => unknown]> = {
  "CSV, addresses": [() => csv(addresses, "x"), profilesOfCsv],
  "CSV, names": [() => csv(names, "x"), profilesOfCsv],
  "CSV, names beyond Latin": [() => csv(names, "xyzж"), profilesOfCsv],
  "CSV, control characters": [() => csv(addresses, "\u0001"), profilesOfCsv],
  "CSV, all fields": [() => csv(texts, "x"), profilesOfCsv],
  "CSV in a form": [() => form("a.csv", csv(addresses, "x").subarray(0, -200)), fromForm],
  "JSON in a form": [() => form("a.json", json(names, "xyzж")), fromForm],
  "JSON, all fields": [() => json(texts, "x"), fromJson],
  "JSON, addresses": [() => json(addresses, "x"), fromJson],
  "JSON, names beyond Latin": [() => json(names, "xyzж"), fromJson],
};

const collect = globalThis.gc ?? (() => {});

/** The first collection finds the buffers that nothing refers to, the second frees them. */
function held(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
let most = 0;

function look(): void {
  most = Math.max(most, held());
}

/** Looks at what is held whenever others may have their turn. */
const timeout = globalThis.setTimeout;

function lookNowAndThen(): void {
  let turns = 0;
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    if (turns++ % 8 === 0) look();
    return timeout(run, ms);
  }) as typeof setTimeout;
}

const db: Db = {
  engine: "d1",
  usage: { db_round_trips: 0, db_statements: 0, rows_read: 0, rows_written: 0 },
  async batch(statements) {
    const body = bytesOf(JSON.stringify(statements));
    look();
    await new Promise((resolve) => timeout(resolve, 1));
    return statements.map(() => ({ rows: [], bytes: body.byteLength }));
  },
};

const account = { id: "a", seq: 1, currency_code: "USD", timezone: "UTC", clock_at: null, store: "sandbox" };
const ctx: Ctx = await openCtx({
  env: {} as Ctx["env"],
  db,
  account: account as Account,
  actor: { type: "api", name: null },
  log: () => {},
  realNow: new Date(),
});

async function upload(bytes: Uint8Array<ArrayBuffer>, parse: (typeof cases)[string][1]): Promise<number> {
  return uploadProfiles(ctx, ProfileUpload.parse(await parse(bytes)).profiles);
}

async function measure(title: string): Promise<void> {
  const [make, parse] = cases[title]!;
  await upload(bytesOf("email\nfirst@customers.test"), profilesOfCsv);
  const before = held();
  const bytes = make();
  lookNowAndThen();
  const count = await upload(bytes, parse);
  const megabytes = (count: number): string => (count / 1024 / 1024).toFixed(1);
  console.log(
    `${title}: ${count} rows, ${megabytes(bytes.byteLength)} MiB, ${megabytes(most - before)} MiB held`,
  );
  if (most - before > mostHeld) process.exitCode = 1;
}

const [title] = process.argv.slice(2);
if (title) await measure(title);
else
  for (const each of Object.keys(cases)) {
    const args = ["--expose-gc", fileURLToPath(import.meta.url), each];
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
