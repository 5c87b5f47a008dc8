/** A list of tools is bounded in size, and has only those that its toolset and credentials reach. */
import { describe, expect, test } from "vitest";
import { defaultTools, toolsets } from "../../../src/edges/mcp/toolsets.ts";
import { type api, type Caller, deployment, nobody } from "../../support/client.ts";
import { bearer, both, limitedKey, openTenant, token } from "../../support/tenant.ts";
import { adminToken } from "../../support/world.ts";
import {
  callTool,
  endpoint,
  errorOf,
  message,
  refused,
  toolCall,
  toolOperations,
  useMcpWorld,
} from "./session.ts";

type Tool = { name: string; annotations: { readOnlyHint: boolean }; _meta: Record<string, string> };
type Listed = { result: { tools: Tool[] } };

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const { merchant: world, caller } = useMcpWorld();

async function listed(caller: Caller, path = endpoint, headers = {}): Promise<Tool[]> {
  return (await message<Listed>(caller, list, { path, headers })).body.result.tools;
}

function names(tools: Tool[]): string[] {
  return tools.map(({ name }) => name).sort();
}

function bytes(tools: Tool[]): number {
  return new TextEncoder().encode(JSON.stringify({ tools })).byteLength;
}
const all = toolOperations.map(({ operationId }) => operationId).sort();

describe("the default list", () => {
  test("has at most 30 tools and 40 KB, and names tools that there are", async () => {
    for (const asking of [nobody, caller]) {
      const tools = await listed(asking);
      expect(names(tools)).toEqual([...defaultTools].sort());
      expect(tools.length).toBeLessThanOrEqual(30);
      expect(bytes(tools)).toBeLessThanOrEqual(40_000);
    }
    for (const name of defaultTools) expect(all).toContain(name);
  });

  test("no toolset but all and subscriptions has more than 40 KB, and all of them stay below 231 KB", async () => {
    for (const toolset of toolsets) {
      const size = bytes(await listed(nobody, `${endpoint}?toolsets=${toolset}`));
      expect(size, toolset).toBeLessThan(
        { all: 231_000, subscriptions: 45_000 }[toolset as string] ?? 40_000,
      );
    }
  });
});

describe("toolsets", () => {
  test("are chosen in the address or in the header; the address wins", async () => {
    const wanted = toolOperations.filter(({ security = [] }) =>
      /^(orders|reasons):/.test(String(Object.values(security[0] ?? {})[0]?.[0])),
    );
    const expected = wanted.map(({ operationId }) => operationId).sort();
    expect(expected).toContain("listOrders");
    expect(names(await listed(nobody, `${endpoint}?toolsets=orders,reasons`))).toEqual(expected);
    const headers = { "X-MCP-Toolsets": "orders, reasons" };
    expect(names(await listed(nobody, endpoint, headers))).toEqual(expected);
    expect(names(await listed(nobody, `${endpoint}?toolsets=all`, headers))).toEqual(all);
  });

  test("together have every tool", async () => {
    const each = await Promise.all(
      toolsets.slice(2).map((toolset) => listed(nobody, `${endpoint}?toolsets=${toolset}`)),
    );
    expect(names(each.flat())).toEqual(all);
  });

  test("an unknown one is refused, wherever it stands", async () => {
    expect(refused(await message(nobody, list, { path: `${endpoint}?toolsets=orders,nope` }))).toEqual([
      400,
      "VALIDATION_FAILED",
    ]);
    const headers = { "X-MCP-Toolsets": "nope" };
    expect(refused(await message(nobody, list, { headers }))).toEqual([400, "VALIDATION_FAILED"]);
  });

  test("a tool outside of them cannot be called, and the error says where it is", async () => {
    const { body } = await message<{ error: { code: number; message: string } }>(
      caller,
      toolCall("createSkipReason", { label: "x" }),
    );
    expect(body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("createSkipReason is in the toolset reasons"),
    });
  });
});

describe("/mcp/readonly", () => {
  const path = "http://localhost/mcp/readonly";

  test("lists the tools that read, of any toolset", async () => {
    const tools = await listed(nobody, `${path}?toolsets=all`);
    const readers = toolOperations.filter(({ method }) => method === "GET");
    expect(names(tools)).toEqual(readers.map(({ operationId }) => operationId).sort());
    expect(names(await listed(nobody, path))).toEqual(
      [...defaultTools].filter((name) => readers.some(({ operationId }) => operationId === name)).sort(),
    );
  });

  test("refuses a tool that changes something, and its prompts, and changes nothing", async () => {
    const given = { label: "x" };
    for (const query of ["", "?toolsets=all"]) {
      const answer = await message<{ error: { message: string } }>(
        caller,
        toolCall("createSkipReason", given),
        {
          path: `${path}${query}`,
        },
      );
      expect(answer.body.error.message).toContain("this endpoint only reads");
    }
    const { body } = await message<{ result: { prompts: { name: string }[] } }>(
      nobody,
      { ...list, method: "prompts/list" },
      { path },
    );
    expect(body.result.prompts.map(({ name }) => name)).toEqual([
      "explain_failed_payment",
      "summarise_customer",
    ]);
  });
});

describe("only the tools that the credentials reach are listed", () => {
  const path = `${endpoint}?toolsets=all`;
  const expectReach = async (of: Caller): Promise<string[]> => {
    const tools = await listed(of, path);
    for (const { name } of tools) {
      const { result } = await callTool(of, name, { surprise: 1 });
      expect(["UNAUTHENTICATED", "FORBIDDEN"]).not.toContain(errorOf({ result }).errorCode);
    }
    return names(tools);
  };

  test("a key alone: none that need a token too", async () => {
    const reached = await expectReach(world.tenant);
    expect(reached).toContain("listEntities");
    expect(reached).toContain("pauseSubscription");
    for (const name of ["listProfiles", "listOrders", "listActivityLogs"])
      expect(reached).not.toContain(name);
  });

  test("a token alone: none that need the key", async () => {
    const reached = await expectReach(bearer(await adminToken(world.tenant)));
    expect(reached).toContain("pauseSubscription");
    for (const name of ["listEntities", "listProfiles"]) expect(reached).not.toContain(name);
  });

  test("key and token of staff: all but those of customers alone", async () => {
    const ofCustomersAlone = toolOperations
      .filter(({ security = [] }) => security.every((way) => Object.keys(way).join() === "bearer"))
      .map(({ operationId }) => operationId);
    expect(names(await listed(caller, path))).toEqual(all.filter((name) => !ofCustomersAlone.includes(name)));
  });

  test("a key with scopes: those that its scopes allow, and with a token those that both allow", async () => {
    const key = await limitedKey(world.tenant, ["subscriptions:read", "orders:read"]);
    const tools = await listed(key, path);
    expect(new Set(tools.map(({ _meta }) => _meta["perennial/scope"]))).toEqual(
      new Set(["subscriptions:read", "orders:read"]),
    );
    expect(names(tools)).not.toContain("listOrders");
    const staff = bearer(await adminToken(world.tenant)).credentials;
    const together = await listed({ credentials: { ...key.credentials, ...staff } }, path);
    expect(new Set(together.map(({ _meta }) => _meta["perennial/scope"]))).toEqual(
      new Set(["subscriptions:read", "orders:read"]),
    );
  });

  test("a customer: those that customers may call", async () => {
    const of = bearer(await world.customerToken());
    const customers = toolOperations.filter(({ customers }) => customers);
    expect(names(await listed(of, path))).toEqual(customers.map(({ operationId }) => operationId).sort());
  });

  test("credentials that are not valid, or of two accounts, are an error of the protocol", async () => {
    expect(refused(await message(bearer("e30.e30.e30"), list))).toEqual([401, "UNAUTHENTICATED"]);
    const other = both(await openTenant(), await token(world.tenant));
    expect(refused(await message(other, list))).toEqual([403, "ACCOUNT_MISMATCH"]);
  });
});

test("the test clock is a tool of the local server, where everything is for trying out", async () => {
  const send = deployment({ ENVIRONMENT: "local" }) as typeof api;
  const path = `${endpoint}?toolsets=account`;
  const clock = [
    "advanceTestClock",
    "deleteMailTemplate",
    "disconnectStore",
    "getAccount",
    "getMailSettings",
    "getMailTemplate",
    "getStoreConnection",
    "getTestClock",
    "listUnsupportedContracts",
    "previewMail",
    "sendTestMail",
    "updateAccount",
    "updateMailSettings",
    "updateMailTemplate",
  ];
  expect(names((await message<Listed>(nobody, list, { path, send })).body.result.tools)).toEqual(clock);
  const others = clock.filter((name) => !name.endsWith("TestClock"));
  expect(names(await listed(nobody, path))).toEqual(others);
});
