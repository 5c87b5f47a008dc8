import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "../../scripts/paths.ts";
import { demoId, demoPlanIds } from "../../src/base/demo.ts";
import { send } from "../soak/clients.ts";
import { type Demo, type Found, openDemo } from "./demo.ts";

/** Each part of the deployment stands still in turn, and is seen in /health, /metrics or the log; mended, it is seen no more. */
export async function drillParts(program: string): Promise<Found> {
  const demo = await openDemo(program);
  const seen: string[] = [];
  const faults: string[] = [];
  for (const [part, { stop, shows, mend }] of Object.entries(parts)) {
    await stop(demo);
    if (await becomes(demo, shows)) seen.push(part);
    else faults.push(`${part} stands still, and nobody sees it: ${await statement(demo)}`);
    await mend?.(demo);
    if (mend && !(await becomes(demo, isHealthy)))
      faults.push(`${part} is mended, and ${await statement(demo)}`);
  }
  await demo.remove();
  return { figures: `seen: ${seen.join(", ")}`, faults };
}

type Shown = { status: number; health: string; metrics: string; lines: string[] };
type Part = {
  stop: (demo: Demo) => Promise<void>;
  shows: (shown: Shown) => boolean;
  mend?: (demo: Demo) => Promise<void>;
};

/** Production, where cron is expected, with cron each second. */
const flags = ["--import", `${root}bench/drill/standstill.mjs`];
const deployed = { PUBLIC_URL: "https://drill.example", TEST_CLOCKS: "off" };

const parts: Record<string, Part> = {
  endpoint: {
    async stop(demo) {
      await demo.machine.restart({ flags });
      await write(demo, "POST", "/api/webhook-endpoints", { url: deadAddress, event_types: ["*"] });
      await create(demo);
    },
    shows: ({ metrics }) => figureOf(metrics, 'endpoints_failing{kind="webhook"}') > 0,
  },
  mails: {
    async stop(demo) {
      await demo.machine.restart({ env: { MAIL_API_URL: deadAddress } });
      await write(demo, "PUT", "/api/account/mail", {
        ...{
          provider: "resend",
          credentials: { api_key: "re_drill" },
          from_name: "Drill",
          from_address: "shop@drill.example",
        },
      });
      const body = new URLSearchParams({ email: demo.state.emails[0] ?? "" }).toString();
      const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: demo.machine.address };
      await send(demo.machine.address, {
        method: "POST",
        path: "/portal/demo-store.myshopify.com/login",
        headers,
        body,
      });
      await wait(2000);
      demo.machine.signal("SIGUSR2");
    },
    shows: ({ metrics, lines }) =>
      figureOf(metrics, 'endpoints_failing{kind="mail"}') > 0 && has(lines, "mails_failing"),
  },
  tick: {
    async stop(demo) {
      await demo.machine.restart({ args: [], env: { ...deployed, DRILL_CRON: "stopped" } });
      demo.machine.signal("SIGUSR2");
    },
    shows: ({ status, health, metrics }) =>
      status === 503 && health.includes("cron has not been") && figureOf(metrics, "healthy") === 0,
    mend: (demo) => demo.machine.restart({ env: { DRILL_CRON: "" } }),
  },
  consumer: {
    async stop(demo) {
      await holdMessages(demo, true);
      await create(demo);
      demo.machine.signal("SIGUSR2");
    },
    shows: ({ status, health, metrics, lines }) =>
      status === 503 &&
      health.includes("has waited for") &&
      figureOf(metrics, 'queue_oldest_seconds{queue="jobs"}') > 600 &&
      has(lines, "queue_held"),
    async mend(demo) {
      await demo.machine.end("SIGTERM");
      await holdMessages(demo, false);
      await demo.machine.start();
    },
  },
  credentials: {
    stop: (demo) => replaceCredentials(demo),
    shows: ({ status, health }) => status === 503 && health.includes("STORE_CREDENTIALS_KEY opens none"),
    mend: (demo) => replaceCredentials(demo),
  },
  schema: {
    stop: async ({ machine }) =>
      inFile(
        machine.file,
        "UPDATE d1_migrations SET name = 'away-' || name WHERE id = (SELECT MAX(id) FROM d1_migrations)",
      ),
    shows: ({ status, health, metrics }) =>
      status === 503 && health.includes("the schema is without") && figureOf(metrics, "schema_current") === 0,
    mend: async ({ machine }) =>
      inFile(machine.file, "UPDATE d1_migrations SET name = substr(name, 6) WHERE name LIKE 'away-%'"),
  },
};

const isHealthy = ({ status, metrics }: Shown) => status === 200 && figureOf(metrics, "healthy") === 1;
const deadAddress = "http://127.0.0.1:9/";

/** Something for the queues to work on. */
async function create(demo: Demo): Promise<void> {
  const line = {
    ...{
      store_product_id: "product-1",
      store_variant_id: "variant-1-large",
      product_title: "Beef and carrot",
    },
    ...{ price: 19.95, quantity: 1, selling_plan_id: demoPlanIds.monthly },
  };
  await write(demo, "POST", "/api/subscriptions", {
    ...{ profile_id: demoId("profile", 1), store_payment_method_id: "pm_success" },
    ...{ next_delivery_date: "2035-01-15", lines: [line] },
  });
}

async function write({ machine, state }: Demo, method: string, path: string, body: object): Promise<void> {
  const headers = { ...state.caller.both, "Content-Type": "application/json" };
  const { status, text } = await send(machine.address, { method, path, headers, body: JSON.stringify(body) });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

/** No message is handed over, while they are taken as ever. */
async function holdMessages({ machine }: Demo, isHeld: boolean): Promise<void> {
  inFile(
    `${machine.data}/queue.sqlite`,
    isHeld
      ? `CREATE TRIGGER held AFTER INSERT ON messages BEGIN UPDATE messages SET visible_at = 9e15 WHERE id = NEW.id; END`
      : "DROP TRIGGER held; UPDATE messages SET visible_at = 0",
  );
}

let kept: string | undefined;
/** Another key in the place of the one that has sealed everything, and that one again. */
async function replaceCredentials({ machine }: Demo): Promise<void> {
  const other = kept ?? randomBytes(32).toString("base64");
  kept = machine.environment().STORE_CREDENTIALS_KEY;
  await machine.restart({ env: { STORE_CREDENTIALS_KEY: other } });
}

function inFile(file: string, sql: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(sql);
  database.close();
}

/** Whether it shows within so many seconds. */
async function becomes(demo: Demo, shows: (shown: Shown) => boolean): Promise<boolean> {
  for (const until = Date.now() + mostMs; Date.now() < until; await wait(500))
    if (shows(await look(demo))) return true;
  return false;
}
const mostMs = 40_000;

async function look({ machine, operatorKey, lines }: Demo): Promise<Shown> {
  const health = await fetch(`${machine.address}/health`);
  const authorized = { headers: { Authorization: `Bearer ${operatorKey}` } };
  const metrics = await (await fetch(`${machine.address}/metrics`, authorized)).text();
  return { status: health.status, health: await health.text(), metrics, lines };
}

async function statement(demo: Demo): Promise<string> {
  const { status, health } = await look(demo);
  return `/health is ${status} ${health.slice(0, 300)}`;
}

function figureOf(metrics: string, name: string): number {
  const line = metrics.split("\n").find((each) => each.startsWith(`perennial_${name} `));
  return Number(line?.split(" ").at(-1));
}

function has(lines: string[], event: string): boolean {
  return lines.some((line) => line.includes(`"event":"${event}"`));
}
