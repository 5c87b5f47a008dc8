// `npm run mcp:questions`: ten questions of merchants, played against the running local server through the official MCP client.
import { readFileSync, writeFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { demoApiKey } from "../src/base/demo.ts";
import { commandLine } from "./command-line.ts";
import { playAll, tableOf, withTable } from "./mcp-questions/play.ts";
import { root } from "./paths.ts";

const { values } = commandLine({
  usage: `Usage: npm run mcp:questions -- [--server http://127.0.0.1:8787] [--write]

Plays ten questions of merchants against the demo store of a running \`npm start\`, through the official MCP client, and prints
the answer, the calls and the bytes of each.

  --server  the local server
  --write   also writes the table into docs/agent/prompts.md`,
  options: {
    server: { type: "string", default: `http://127.0.0.1:${process.env.PORT || "8787"}` },
    write: { type: "boolean", default: false },
  },
});

const client = await connected().catch((error: Error) => {
  console.error(`Nothing usable answers at ${values.server} (${error.message}): npm start runs it`);
  process.exit(1);
});
const played = await playAll(client, new Date().toISOString().slice(0, 10));
for (const { question, answer } of played) console.log(`${question}\n  ${answer}`);
console.log(`\n${tableOf(played)}`);
const page = `${root}docs/agent/prompts.md`;
if (values.write) writeFileSync(page, withTable(readFileSync(page, "utf8"), played));
await client.close();

async function connected(): Promise<Client> {
  const key = { "X-API-Key": demoApiKey };
  const answer = await fetch(`${values.server}/api/auth/token`, {
    method: "POST",
    headers: { ...key, "Content-Type": "application/json" },
    body: JSON.stringify({ actor_type: "admin", name: "Ada" }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const versionNegotiation = { mode: { pin: "2026-07-28" } } as const;
  const client = new Client({ name: "perennial-questions", version: "1.0.0" }, { versionNegotiation });
  const headers = { ...key, Authorization: `Bearer ${access_token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${values.server}/mcp`), { requestInit: { headers } }),
  );
  return client;
}
