/** Each snippet of docs/build/webhooks.md verifies deliveries as the specification has it. */
import { createHmac } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test } from "vitest";

/** The snippet in TypeScript that docs/build/webhooks.md gives receivers to copy, run as it stands there. */
const page = readFileSync("docs/build/webhooks.md", "utf8");
const [, snippet = ""] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];

function secretOf(byte: number): string {
  return `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
}
const secret = secretOf(7);
const body = JSON.stringify({ type: "order.placed", data: { note: "Grüße, 日本" } });
const id = "019a0000-0000-7000-800d-000000000001";

function signed(at: Date, by: string) {
  return new Webhook(by).sign(id, at, body);
}

function headersAt(at: Date, ...signatures: string[]): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}

const now = new Date();

function minutesAgo(minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000);
}

type Delivery = { name: string; headers: Record<string, string>; body: string; isGood: boolean };

/** The deliveries that a receiver gets, and those that it must refuse. */
const deliveries: Delivery[] = [
  { name: "as it is sent", headers: headersAt(now, signed(now, secret)), body, isGood: true },
  {
    name: "while the secret is rotated, this one the older",
    headers: headersAt(now, signed(now, secretOf(8)), signed(now, secret)),
    body,
    isGood: true,
  },
  {
    name: "delayed by four minutes",
    headers: headersAt(minutesAgo(4), signed(minutesAgo(4), secret)),
    body,
    isGood: true,
  },
  { name: "under another secret", headers: headersAt(now, signed(now, secretOf(8))), body, isGood: false },
  {
    name: "with another body",
    headers: headersAt(now, signed(now, secret)),
    body: `${body} `,
    isGood: false,
  },
  {
    name: "under another id",
    headers: { ...headersAt(now, signed(now, secret)), "webhook-id": "019a" },
    body,
    isGood: false,
  },
  {
    name: "repeated ten minutes later",
    headers: headersAt(minutesAgo(10), signed(minutesAgo(10), secret)),
    body,
    isGood: false,
  },
  {
    name: "with its signature under another version",
    headers: headersAt(now, signed(now, secret).replace("v1,", "v2,")),
    body,
    isGood: false,
  },
  { name: "without a signature", headers: headersAt(now, ""), body, isGood: false },
];

test("the deliveries are signed as the specification has it, by a second implementation", () => {
  const [{ headers }] = deliveries as [Delivery];
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const content = `${id}.${headers["webhook-timestamp"]}.${body}`;
  const expected = createHmac("sha256", key).update(content).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
});

describe("the snippet in TypeScript", () => {
  type Receiver = { receive: (request: Request) => Promise<Response>; queued: unknown[] };

  /** The snippet as a module in the project, whose packages it imports; what it enqueues is looked at. */
  const load = async (): Promise<Receiver> => {
    const path = join(import.meta.dirname, `.snippet-${process.pid}.ts`);
    const module = `export const queued = [];\nconst enqueue = async (event) => void queued.push(event);\n`;
    writeFileSync(path, module + snippet);
    try {
      return await import(/* @vite-ignore */ path);
    } finally {
      rmSync(path);
    }
  };
  let receiver: Receiver;
  beforeAll(async () => {
    process.env.PERENNIAL_WEBHOOK_SECRET = secret;
    receiver = await load();
  });

  test.each(deliveries)("$name", async ({ headers, body: sent, isGood }) => {
    receiver.queued.length = 0;
    const request = new Request("https://shop.example.com/", { method: "POST", headers, body: sent });
    expect((await receiver.receive(request)).status).toBe(isGood ? 204 : 400);
    expect(receiver.queued).toEqual(isGood ? [JSON.parse(body)] : []);
  });
});
