/** Ten questions of merchants are answered with the default tools in few calls, as docs/agent/prompts.md says. */
import { beforeAll, expect, test } from "vitest";
import page from "../../../docs/agent/prompts.md?raw";
import { type Played, playAll } from "../../../scripts/mcp-questions/play.ts";
import { seed } from "../../../scripts/seed/index.ts";
import { demoApiKey } from "../../../src/base/demo.ts";
import { api } from "../../support/client.ts";
import { testDb } from "../../support/database.ts";
import { connect, endpoint } from "./session.ts";

let played: Played[];
beforeAll(async () => {
  await seed(testDb(), new Date());
  const key = { "X-API-Key": demoApiKey };
  const { body } = await api({ credentials: key }, "POST", "/api/auth/token", {
    body: { actor_type: "admin", name: "Ada" },
  });
  const caller = { credentials: { ...key, Authorization: `Bearer ${body.access_token}` } };
  const client = await connect("2026-07-28", caller, endpoint);
  played = await playAll(client, new Date().toISOString().slice(0, 10));
});

/** The rows of the table in docs/agent/prompts.md. */
const documented = [...page.matchAll(/^\| (.+?) +\| +(\d+) \| +(\d+) \|$/gm)].map(
  ([, question, calls, bytes]) => ({ question, calls: Number(calls), bytes: Number(bytes) }),
);

test("ten questions of merchants are answered with the default tools, each in a few calls and 20 KB at most", () => {
  const [list, ...asked] = played;
  expect(asked).toHaveLength(10);
  expect(list?.bytes).toBeLessThanOrEqual(40_000);
  for (const { question, calls, bytes, answer } of asked) {
    expect(answer, question).not.toMatch(/undefined|null|^0 /);
    expect(calls, question).toBeLessThanOrEqual(6);
    expect(bytes, question).toBeLessThanOrEqual(20_000);
  }
});

test("docs/agent/prompts.md has these figures, within a third", () => {
  expect(documented.map(({ question, calls }) => ({ question, calls }))).toEqual(
    played.map(({ question, calls }) => ({ question, calls })),
  );
  played.forEach(({ question, bytes }, nth) => {
    expect(bytes / documented[nth]!.bytes, question).toBeGreaterThan(2 / 3);
    expect(bytes / documented[nth]!.bytes, question).toBeLessThan(4 / 3);
  });
});
