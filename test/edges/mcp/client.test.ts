/** The official MCP client connects, lists and calls everything that staff may call. */
import { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { nobody } from "../../support/client.ts";
import { apiDocument, isForCustomersAlone } from "../../support/document.ts";
import { fill, openWorld, paramsOf } from "../../support/world.ts";
import { connect, toolOperations, useMcpWorld, versions } from "./session.ts";

type Result = {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
};

describe.each(versions)("the official client, protocol %s", (version) => {
  const { merchant: world, caller } = useMcpWorld();
  let client: Client;
  beforeAll(async () => {
    client = await connect(version, caller);
    await client.listTools();
  });

  test("connects in the version it asks for, and reads the server's name, instructions and capabilities", () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "perennial", title: "Perennial" });
    for (const said of ["dry_run", "idempotency_key", "never instructions"])
      expect(client.getInstructions()?.replaceAll("\n", " ")).toContain(said);
    expect(Object.keys(client.getServerCapabilities() ?? {}).sort()).toEqual([
      "prompts",
      "resources",
      "tools",
    ]);
  });

  test("lists every tool that staff may call, which is all but customers' own", async () => {
    const { tools } = await client.listTools();
    const names = toolOperations
      .filter((one) => !isForCustomersAlone(one))
      .map(({ operationId }) => operationId);
    expect(tools.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test("reads the API document as a resource, by name and in the list", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["perennial://api"]);
    const { contents } = await client.readResource({ uri: "perennial://api" });
    expect(contents[0]).toMatchObject({ uri: "perennial://api", mimeType: "application/json" });
    const { paths } = JSON.parse((contents[0] as { text: string }).text);
    expect(Object.keys(paths)).toEqual(Object.keys(apiDocument.paths));
  });

  const records = [
    ["subscription", "getSubscription"],
    ["profile", "getProfile"],
  ] as const;
  test.each(records)("reads a %s as a resource, the same as %s", async (one, operationId) => {
    const { resourceTemplates } = await client.listResourceTemplates();
    const uriTemplate = `perennial://${one}s/{id}`;
    expect(resourceTemplates.map((template) => template.uriTemplate)).toContain(uriTemplate);
    const params = paramsOf(
      toolOperations.find((operation) => operation.operationId === operationId)!,
      world,
    );
    const { contents } = await client.readResource({ uri: fill(uriTemplate, params) });
    const read = JSON.parse((contents[0] as { text: string }).text);
    const called = (await client.callTool({ name: operationId, arguments: params })) as Result;
    expect(read).toEqual(called.structuredContent);
  });

  test("a resource that is not the caller's does not exist, and one needs its credentials", async () => {
    const other = await openWorld();
    for (const [one, operationId] of records) {
      const operation = toolOperations.find((candidate) => candidate.operationId === operationId)!;
      const theirs = fill(`perennial://${one}s/{id}`, paramsOf(operation, other));
      await expect(client.readResource({ uri: theirs })).rejects.toThrow(
        /^(Subscription|Profile) not found$/,
      );
      const mine = fill(`perennial://${one}s/{id}`, paramsOf(operation, world));
      const unknown = await connect(version, nobody);
      await expect(unknown.readResource({ uri: mine })).rejects.toThrow("This operation needs X-API-Key");
    }
    await expect(client.readResource({ uri: "perennial://nothing" })).rejects.toThrow(/not found/i);
  });

  test("a resource by an id that names another path is not that path", async () => {
    for (const id of ["orders", "skip-reasons", "selling-plans"])
      await expect(client.readResource({ uri: `perennial://subscriptions/${id}` })).rejects.toThrow(
        "Subscription not found",
      );
  });

  test("gets every prompt, which names its record and existing tools only", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name).sort()).toEqual([
      "explain_failed_payment",
      "plan_skip",
      "summarise_customer",
    ]);
    const names = new Set(toolOperations.map(({ operationId }) => operationId));
    for (const { name, arguments: taken = [] } of prompts) {
      const given = Object.fromEntries(taken.map((one) => [one.name, "the-record"]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const { text } = messages[0]!.content as { text: string };
      expect(text).toContain("the-record");
      const mentioned = text.match(/\b(get|list|skip|pause|cancel|change|create)[A-Z]\w+/g) ?? [];
      expect(mentioned.length, name).toBeGreaterThan(1);
      for (const tool of mentioned) expect(names, `${name} names ${tool}`).toContain(tool);
    }
    await expect(client.getPrompt({ name: "plan_skip", arguments: {} })).rejects.toThrow(/subscription_id/);
    await expect(client.getPrompt({ name: "nothing" })).rejects.toThrow(/not found/i);
  });

  test("the client works without streams and sessions", async () => {
    expect(await client.callTool({ name: "getAccount", arguments: {} })).toMatchObject({
      structuredContent: { data: { id: world.tenant.account.id } },
    });
    await client.close();
  });
});

test("a client that negotiates the version gets the later protocol", async () => {
  const { exports } = await import("cloudflare:workers");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const fetch = (url: string | URL, init?: RequestInit) => exports.default.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  expect(client.getNegotiatedProtocolVersion()).toBe(versions[0]);
});
