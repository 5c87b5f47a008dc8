/** Every tool says what its operation says, and does and refuses what that does. */
import { Validator } from "@cfworker/json-schema";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { newKeyText } from "../../../src/base/accounts/api-key.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { allOperations } from "../../../src/runtime/operations.ts";
import { type Check, runChecks, turnsOf } from "../../contract/checks/check.ts";
import { type Answer, type Caller, nobody } from "../../support/client.ts";
import {
  failureOf,
  faultsOf,
  isAnonymous,
  jsonBodyOf,
  type Operation,
  type Schema,
} from "../../support/document.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bearer } from "../../support/tenant.ts";
import { bodyOf, call, fill, openWorld, paramsOf, queryOf, type World } from "../../support/world.ts";
import {
  answerSchemaOf,
  argumentsOf,
  callTool,
  connect,
  eachTool,
  errorOf,
  everything,
  formsOf,
  message,
  refusalIn,
  rowSchemaOf,
  toolOperations,
  versions,
} from "./session.ts";

const declared = await allOperations();

type Tool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];
type Walk = { tool: Tool; world: () => World; renew: () => Promise<World> };
type ToolCheck = Check<Walk>;

const mark = "canary-of-the-other-tenant";
const { tools } = await (await connect("2026-07-28", nobody)).listTools();
/** The world of every tool that only reads, which leaves it as it was. */
let forReading: World;
let other: World;
let rowsOfOther: string;
/** The official client in each version of the protocol, for whoever `official` is. */
let clients: Client[];
const official: Caller = { credentials: {} };
beforeAll(async () => {
  forReading = await openWorld();
  other = await openWorld(mark);
  rowsOfOther = await rowsOf(other.tenant.account.id);
  clients = await Promise.all(versions.map((version) => connect(version, official)));
  for (const client of clients) await client.listTools();
});

/** The checks of a tool's line in the list of tools. */
const descriptionChecks: Record<string, ToolCheck> = {
  "it is named as the operation is, and says when to use it": {
    run({ operationId, summary }, { tool }) {
      expect(operationId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(tool.title).toBe(summary);
      expect(tool.description?.startsWith(`${summary}.`)).toBe(true);
      expect(tool.description?.length).toBeLessThanOrEqual(450);
      expect("outputSchema" in tool, "a model has no use for it").toBe(false);
    },
  },
  "it takes path, query and body in one object, and nothing else": {
    run(operation, { tool }) {
      const input = tool.inputSchema as Schema;
      const parameters = [...namesIn(operation, "path"), ...namesIn(operation, "query")];
      const headers = namesIn(operation, "header");
      const keyed = [
        ...(headers.includes("Idempotency-Key") ? ["idempotency_key"] : []),
        ...(headers.includes("If-Preview") ? ["preview"] : []),
      ];
      const listed = rowSchemaOf(operation) ? ["full"] : [];
      const named = [...fieldsOf(operation), ...parameters, ...keyed, ...listed];
      expect(new Set(named).size, "no name stands for two things").toBe(named.length);
      expect(Object.keys(propertiesOf(input)).sort()).toEqual(named.sort());
      expect([input.type, input.additionalProperties]).toEqual(["object", false]);
      expect(named, "a body's fields are arguments themselves").not.toContain("body");
    },
  },
  "it requires what the operation requires": {
    run(operation, { tool }) {
      const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
      const forms = bodyForms(operation);
      const ofBody = fieldsOf(operation).filter((field) =>
        forms.every(({ required }) => required?.includes(field)),
      );
      expect([...((tool.inputSchema as Schema).required ?? [])].sort()).toEqual(
        [...required.map((one) => one.name), ...ofBody].sort(),
      );
    },
  },
  "its schema stands by itself, in JSON Schema 2020-12": {
    run: (_, { tool }) => expectWellFormed(tool.inputSchema as Schema),
  },
  "its schema takes what succeeds, and not what is unknown": {
    run(operation, { tool, world }) {
      const given = argumentsOf(operation, world());
      const validator = new Validator(tool.inputSchema as Schema, "2020-12", false);
      expect(validator.validate(given).errors).toEqual([]);
      expect(validator.validate({ ...given, surprise: 1 }).valid).toBe(false);
    },
  },
  "its annotations are true": {
    run(operation, { tool }) {
      const { method, destructive, resource } = declaredOf(operation);
      const reads = method === "get";
      expect(tool.annotations).toMatchObject({
        readOnlyHint: reads,
        destructiveHint: destructive ?? method === "delete",
      });
      if (method !== "post") expect(tool.annotations?.idempotentHint).toBe(true);
      if (resource === "subscriptions" || resource === "billing")
        expect(tool.annotations?.openWorldHint, "the store learns of it").toBe(!reads);
      expect(method !== "delete" || tool.annotations?.destructiveHint).toBe(true);
    },
  },
  "it takes idempotency_key if it is a POST that honours the header, dry_run if the operation has one": {
    run(operation, { tool }) {
      const taken = Object.keys(propertiesOf(tool.inputSchema as Schema));
      const { method, idempotent } = declaredOf(operation);
      expect(taken.includes("idempotency_key")).toBe(method === "post" && idempotent !== false);
      expect(taken.includes("dry_run")).toBe(namesIn(operation, "query").includes("dry_run"));
      const isChange = operation.path.startsWith("/api/subscriptions/{id}") && method !== "get";
      if (isChange) expect(taken, "a change of a subscription can be tried").toContain("dry_run");
    },
  },
};

/** The checks of a call to a tool. The first need records that nothing has used up. */
const callChecks: Record<string, ToolCheck> = {
  "ids of another account in path, body and query reach nothing of it, and its own records are found": {
    async run(operation, walk) {
      const a = walk.world();
      const name = operation.operationId;
      if (namesRecordsInPath(operation, a)) await callOnTheirs(operation, a);
      const acted = namesRecords(operation, a) && !(await callWithTheirs(operation, a));
      const as = await everything(a, operation);
      const { answer, result } = await callTool(as, name, argumentsOf(operation, a));
      expectUnseen(answer);
      expect(await rowsOf(other.tenant.account.id), "the other tenant's rows").toBe(rowsOfOther);
      if (!acted) expect(result.isError, answer.text).not.toBe(true);
    },
  },
  "dry_run returns a result and writes nothing; the call by its preview writes": {
    appliesTo: (operation) =>
      namesIn(operation, "query").includes("dry_run") && operation.operationId !== "changeManySubscriptions",
    async run(operation, { renew }) {
      const of = await renew();
      const as = await everything(of, operation);
      const given = argumentsOf(operation, of);
      const before = await rowsOf(of.tenant.account.id);
      const dry = await callTool(as, operation.operationId, { ...given, dry_run: true });
      expect(dry.result.isError, dry.answer.text).not.toBe(true);
      expect(await rowsOf(of.tenant.account.id)).toBe(before);
      const [, preview] = /with preview ([0-9a-f]{64})\./.exec(JSON.stringify(dry.result.content)) ?? [];
      expect(preview !== undefined).toBe(namesIn(operation, "header").includes("If-Preview"));
      const asShown = preview === undefined ? {} : { preview };
      const { result } = await callTool(as, operation.operationId, { ...given, ...asShown, dry_run: false });
      expect(result.isError).not.toBe(true);
    },
  },
  "the official client gets what the document says, sent once, in each version of the protocol": {
    async run(operation, { world, renew }) {
      for (const client of clients) {
        const callIn = async (of: World): Promise<Result> => {
          official.credentials = (await everything(of, operation)).credentials;
          const full = rowSchemaOf(operation) ? { full: true } : {};
          const given = { ...argumentsOf(operation, of), ...full };
          return (await client.callTool({ name: operation.operationId, arguments: given })) as Result;
        };
        const first = await callIn(world());
        const result = first.isError === true ? await callIn(await renew()) : first;
        expect(result.isError, result.content[0]?.text).not.toBe(true);
        expect(result.content.map(({ text }) => text.length < 350)).toEqual([true]);
        expect(faultsIn(operation, result)).toEqual([]);
      }
    },
  },
  "without a valid credential it is a tool error with the UNAUTHENTICATED envelope, not HTTP's 401, whatever the arguments":
    {
      async run(operation, { world }) {
        const given = [argumentsOf(operation, world()), ...turnsOf(operation, faultyArguments, 2)];
        for (const [nth, [sent, caller]] of unknownCallers.entries()) {
          const called = await callTool(caller, operation.operationId, given[nth]);
          expect(called.answer.status, sent).toBe(200);
          expect(called.answer.headers.get("WWW-Authenticate"), sent).toBeNull();
          expect(errorOf(called), sent).toEqual({
            ...failureOf(operation),
            error: expect.stringMatching(
              /^(The credential that was sent is unknown, .*|This operation needs (X-API-Key|Authorization).*)$/,
            ),
            errorCode: "UNAUTHENTICATED",
            request_id: expect.stringMatching(/^[\w.-]{1,128}$/),
          });
          expect(called.result.structuredContent, sent).toBeUndefined();
        }
      },
    },
  "a customer's token may call it where it may over HTTP, and nowhere else": {
    async run(operation, { world }) {
      const { tenant, customerToken } = world();
      const token = `Bearer ${await customerToken()}`;
      const credentials = { ...(operation.customers ? {} : tenant.credentials), Authorization: token };
      const { result } = await callTool(
        { credentials },
        operation.operationId,
        argumentsOf(operation, world()),
      );
      const code = result.isError ? errorOf({ result }).errorCode : "none";
      if (operation.customers) expect(["UNAUTHENTICATED", "FORBIDDEN"]).not.toContain(code);
      else expect(code).toBe("FORBIDDEN");
    },
  },
  "arguments that are unknown, missing or misleading are tool errors that say so, and nothing is done": {
    async run(operation, { world }) {
      const of = world();
      const as = await everything(of, operation);
      const before = await rowsOf(of.tenant.account.id);
      const given = argumentsOf(operation, of);
      const names = operation.path.includes("{") ? Object.keys(paramsOf(operation, of)) : [];
      await refuseUnknown(operation, given, as);
      await refuseMissing(operation, given, names, as);
      await refuseMisleading(operation, given, names, as);
      expect(await rowsOf(of.tenant.account.id), "what is refused changes nothing").toBe(before);
    },
  },
};

test("the tools that the walk calls are all of the list, and none is anonymous", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(toolOperations.map((one) => one.operationId).sort());
  expect(toolOperations.filter(isAnonymous)).toEqual([]);
});

test.each(eachTool())(
  "the tool %s does what its operation does and refuses what it must",
  async (name, operation) => {
    let current = operation.method === "GET" ? forReading : await openWorld();
    const walk: Walk = {
      tool: tools.find((tool) => tool.name === name)!,
      world: () => current,
      async renew() {
        current = await openWorld();
        return current;
      },
    };
    await runChecks(operation, walk, { ...descriptionChecks, ...callChecks });
  },
);

describe("resources of another account", () => {
  test.each([
    ["subscription", "/api/subscriptions/{id}"],
    ["profile", "/api/profiles/{id}"],
  ])("a %s of another account does not exist", async (one, path) => {
    const uri = `perennial://${one}s/${other.paths[path]?.id}`;
    const read = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } };
    const as = await everything(await openWorld());
    const answer = await message<{ error: { data: { errorCode: string } } }>(as, read);
    expect(answer.body.error.data.errorCode).toBe("NOT_FOUND");
    expectUnseen(answer);
    expect(await rowsOf(other.tenant.account.id)).toBe(rowsOfOther);
  });
});

type Result = {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
};

const unknownCallers: [string, Caller][] = [
  ["none", nobody],
  ["an unknown key", { credentials: { "X-API-Key": newKeyText(newId()) } }],
  ["a garbage token", bearer("e30.e30.e30")],
];

const faultyArguments: unknown[] = [
  ...[{ surprise_argument: 1 }, {}, { id: "..", full: "yes", idempotency_key: "a\nb" }, [1], "text", null],
];

const misleadingIds = [
  ...["orders", "skip-reasons", "bulk-upload", "..", ".", "", "../profiles", "%2e%2e", "x/y", "?a=b", "#a"],
];

function declaredOf({ operationId }: Operation) {
  return declared.find(({ id }) => id === operationId)!;
}

function namesIn({ parameters = [] }: Operation, place: string): string[] {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

function bodyForms(operation: Operation): Schema[] {
  return formsOf(jsonBodyOf(operation) ?? {}).filter(({ properties }) => properties);
}

function fieldsOf(operation: Operation): string[] {
  return [...new Set(bodyForms(operation).flatMap(({ properties }) => Object.keys(properties)))];
}

function propertiesOf(schema: Schema): Schema {
  return schema.properties ?? {};
}

/** Every schema that a schema contains, with itself. */
function schemasIn(schema: unknown): Schema[] {
  if (Array.isArray(schema)) return schema.flatMap(schemasIn);
  if (typeof schema !== "object" || schema === null) return [];
  return [schema, ...Object.values(schema).flatMap(schemasIn)];
}

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Well-formed by itself: its references are local and lead somewhere, its keywords are those of 2020-12. */
function expectWellFormed(schema: Schema): void {
  for (const inner of schemasIn(schema)) {
    expect(inner.$ref, "a model would have to look it up").toBeUndefined();
    expect(inner).not.toHaveProperty("nullable");
    expect(inner.enum?.length ?? 0, "a list that agents need not be sent").toBeLessThanOrEqual(50);
    if (typeof inner.type === "string") expect(types).toContain(inner.type);
    if (typeof inner.exclusiveMinimum !== "object") expect(inner.exclusiveMinimum).not.toBe(true);
    if (inner.pattern !== undefined && typeof inner.pattern === "string") new RegExp(inner.pattern, "u");
  }
  expect(() => new Validator(schema, "2020-12", false).validate({})).not.toThrow();
}

/** The faults of a result by the document: in a list's rows, or in all that the operation answers. */
function faultsIn(operation: Operation, { structuredContent = {} }: Result): string[] {
  const row = rowSchemaOf(operation);
  if (row) return (structuredContent.data as unknown[]).flatMap((one) => faultsOf(row, one));
  const schema = answerSchemaOf(operation);
  return schema
    ? faultsOf(schema, structuredContent)
    : faultsOf({ const: { success: true } }, structuredContent);
}

async function refuseUnknown({ operationId }: Operation, given: object, as: Caller): Promise<void> {
  const { errorCode, details } = errorOf(await callTool(as, operationId, { ...given, surprise_argument: 1 }));
  expect([errorCode, details?.[0]?.path]).toEqual(["VALIDATION_FAILED", "surprise_argument"]);
}

/** Leaves out each parameter of the path, which is named then. */
async function refuseMissing({ operationId }: Operation, given: object, names: string[], as: Caller) {
  for (const missing of names) {
    const { errorCode, details } = errorOf(
      await callTool(as, operationId, { ...given, [missing]: undefined }),
    );
    expect([errorCode, details?.[0]?.path]).toEqual(["VALIDATION_FAILED", missing]);
  }
}

/** An id cannot lead to another operation: its record does not exist. */
async function refuseMisleading(operation: Operation, given: object, names: string[], as: Caller) {
  for (const id of turnsOf(operation, misleadingIds, 3))
    for (const name of names) {
      const { errorCode } = errorOf(await callTool(as, operation.operationId, { ...given, [name]: id }));
      expect(errorCode, id).toMatch(/^(NOT_FOUND|VALIDATION_FAILED)$/);
    }
}

/** The response shows nothing of the other tenant. */
function expectUnseen({ text, headers }: Pick<Answer, "text" | "headers">): void {
  const sent = withoutQueries(text + JSON.stringify([...headers]));
  expect(sent).not.toContain(mark);
  expect(sent).not.toContain(other.tenant.account.id);
}

/** Page URLs repeat the query that was sent, which is the caller's own text. */
function withoutQueries(text: string): string {
  return text.replaceAll(/\?[^"\\>]*/g, "");
}

/** Whether the path names records; a kind or a language has one name in every account. */
function namesRecordsInPath(operation: Operation, of: World): boolean {
  if (!operation.path.includes("{")) return false;
  return JSON.stringify(paramsOf(operation, of)) !== JSON.stringify(paramsOf(operation, other));
}

/** With the other tenant's ids in the path, all or one: each is answered with the 404 of HTTP. */
async function callOnTheirs(operation: Operation, a: World): Promise<void> {
  const [mine, theirs] = [paramsOf(operation, a), paramsOf(operation, other)];
  const mixtures = Object.keys(mine).map((key) => ({ ...mine, [key]: theirs[key]! }));
  for (const values of mixtures.length > 1 ? [theirs, ...mixtures] : [theirs]) {
    const given = { ...argumentsOf(operation, a), ...values };
    const called = await callTool(await everything(a, operation), operation.operationId, given);
    expect(errorOf(called).errorCode).toBe("NOT_FOUND");
    const overHttp = await call(operation, a, { path: fill(operation.path, values) });
    expect(refusalIn(errorOf(called))).toEqual(refusalIn(overHttp.body));
    expectUnseen(called.answer);
  }
}

/** On its own record with the other tenant's ids in body and query. Returns whether that was refused. */
async function callWithTheirs(operation: Operation, a: World): Promise<boolean> {
  const options = { body: bodyOf(operation, other), query: queryOf(operation, other) };
  const mine = operation.path.includes("{") ? paramsOf(operation, a) : {};
  const given = { ...argumentsOf(operation, other), ...mine };
  const { answer, result } = await callTool(await everything(a, operation), operation.operationId, given);
  expectUnseen(answer);
  if (!result.isError) return false;
  expect(refusalIn(errorOf({ result }))).toEqual(refusalIn((await call(operation, a, options)).body));
  return true;
}

/** A request that names the other tenant's records says something else than one's own. */
function namesRecords(operation: Operation, a: World): boolean {
  const requestOf = (of: World) => JSON.stringify([bodyOf(operation, of), queryOf(operation, of)]);
  return requestOf(a) !== requestOf(other);
}
