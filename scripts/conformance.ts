// `npm run conformance`: the official MCP conformance suite against the local Worker, without network.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { commandLine } from "./command-line.ts";
import { freePort } from "./free-port.ts";
import { root } from "./paths.ts";
import { requireTool } from "./require-tool.ts";
import { startWrangler } from "./wrangler.ts";

commandLine({
  usage: `Usage: npm run conformance

Runs the official MCP conformance suite against a local Worker of its own. Fails if a scenario fails that is not listed in
scripts/conformance.ts, or if a listed one begins to pass.`,
  options: {},
});
await requireTool("conformance");
await import("./prepare.mjs");

function fixtureTool(name: string) {
  return `calls the suite's own tool ${name}`;
}

function fixtureResource(uri: string) {
  return `reads the suite's own resource ${uri}`;
}

function fixturePrompt(name: string) {
  return `gets the suite's own prompt ${name}`;
}

function notOffered(what: string) {
  return `${what} is not offered, and not declared as a capability`;
}

/** The scenarios that cannot pass here, and why. One that begins to pass must leave the list. */
const cannotPass: Record<string, string> = {
  "tools-call-simple-text": fixtureTool("test_simple_text"),
  "tools-call-image": fixtureTool("test_image_content"),
  "tools-call-audio": fixtureTool("test_audio_content"),
  "tools-call-embedded-resource": fixtureTool("test_embedded_resource"),
  "tools-call-mixed-content": fixtureTool("test_multiple_content_types"),
  "tools-call-with-logging": fixtureTool("test_tool_with_logging"),
  "tools-call-error": fixtureTool("test_error_handling"),
  "tools-call-with-progress": fixtureTool("test_tool_with_progress"),
  "tools-call-sampling": fixtureTool("test_sampling"),
  "tools-call-elicitation": fixtureTool("test_elicitation"),
  "json-schema-2020-12": fixtureTool("json_schema_2020_12_tool"),
  "elicitation-sep1034-defaults": fixtureTool("test_elicitation_sep1034_defaults"),
  "elicitation-sep1330-enums": fixtureTool("test_elicitation_sep1330_enums"),
  "resources-read-text": fixtureResource("test://static-text"),
  "resources-read-binary": fixtureResource("test://static-binary"),
  "resources-templates-read": fixtureResource("test://template/123/data"),
  "prompts-get-simple": fixturePrompt("test_simple_prompt"),
  "prompts-get-with-args": fixturePrompt("test_prompt_with_arguments"),
  "prompts-get-embedded-resource": fixturePrompt("test_prompt_with_embedded_resource"),
  "prompts-get-with-image": fixturePrompt("test_prompt_with_image"),
  "completion-complete": notOffered("completion"),
  "logging-set-level": notOffered("logging"),
  "resources-subscribe": notOffered("subscribing to resources"),
  "resources-unsubscribe": notOffered("subscribing to resources"),
  "server-sse-polling": "needs sessions and event streams; the endpoint is stateless and answers JSON",
  "server-sse-multiple-streams": "needs sessions; the suite ticks it with nothing checked",
};

type Check = { id: string; status: string; errorMessage?: string };

function suite(args: string[]): ChildProcess {
  return spawn(
    process.execPath,
    [`${root}tools/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js`, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
}

/** The output of the suite; its exit code counts the failures that are expected too. */
async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
  });
  await once(child, "close");
  return text;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const killer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(killer);
}

/** Any answer will do: the database of this server is empty. */
function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function started(server: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; !(await answers(url)); tries++) {
    if (server.exitCode !== null || tries > 150) throw new Error("The local Worker did not start");
    await wait(200);
  }
}

/** The checks of each scenario, as the suite has written them: a folder a scenario, its name and time in the folder's. */
function checksIn(folder: string): Map<string, Check[]> {
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, ""),
      JSON.parse(readFileSync(`${folder}/${name}/checks.json`, "utf8")),
    ]),
  );
}

/** A tick with nothing checked is none. */
function passes(checks: Check[] = []): boolean {
  return (
    checks.some(({ status }) => status === "SUCCESS") && !checks.some(({ status }) => status === "FAILURE")
  );
}

function faultOf(scenario: string, checks: Check[] | undefined): string | undefined {
  const isListed = Object.hasOwn(cannotPass, scenario);
  if (!checks) return isListed ? "is listed, but the suite has no such scenario" : "was not run";
  if (isListed) return passes(checks) ? "passes now: take it off the list" : undefined;
  if (passes(checks)) return undefined;
  return checks.map(({ id, status, errorMessage }) => `${id} ${status} ${errorMessage ?? ""}`).join("; ");
}

const temporary = mkdtempSync(`${tmpdir()}/perennial-conformance-`);
const address = `http://127.0.0.1:${await freePort()}`;
const server = startWrangler([
  "dev",
  ...["--port", new URL(address).port, "--inspector-port", String(await freePort())],
  ...["--persist-to", temporary, "--log-level", "error", "--show-interactive-dev-session=false"],
]);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => end(server).then(() => process.exit(1)));
try {
  const listed = await outputOf(suite(["list", "--server"]));
  const scenarios = [...listed.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name!);
  await started(server, `${address}/health`);
  const results = `${temporary}/results`;
  await outputOf(suite(["server", "--url", `${address}/mcp`, "--suite", "all", "--output-dir", results]));
  const checks = checksIn(results);
  const names = new Set([...scenarios, ...checks.keys(), ...Object.keys(cannotPass)]);
  const faults = [...names].flatMap((name) => {
    const fault = faultOf(name, checks.get(name));
    const reason = fault ?? cannotPass[name];
    console.log(`${fault ? "✗" : reason ? "–" : "✓"} ${name}${reason ? `: ${reason}` : ""}`);
    return fault ?? [];
  });
  if (scenarios.length === 0) throw new Error("The suite listed no scenarios");
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await end(server);
  rmSync(temporary, { recursive: true, force: true });
}
