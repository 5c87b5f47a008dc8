/** Every operation says in our own words what a wrong value has to be, over HTTP and MCP alike. */
import { expect, test } from "vitest";
import {
  argumentsOf,
  callTool,
  errorOf,
  everything,
  type ToolError,
  toolOperations,
} from "../edges/mcp/session.ts";
import { badBodies, badValues } from "../support/bad-values.ts";
import type { Answer } from "../support/client.ts";
import { each, type Operation } from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { bodyOf, call, paramsOf, queryOf, type World } from "../support/world.ts";

const { unchangedFor } = useWorld();

/** How every sentence about a value begins: each says what the value has to be, or what it is. */
const begins =
  /^(must |is (required|not|in|larger|only|a column)|are |has |have |holds |needs |cannot |add up |unknown (field|query parameter)|a body is required)/;
/** Words of a validator, of a parser or of a programming language. */
const foreign =
  /\b(expected|received|undefined|NaN|discriminator|option|zod|int|safeint|record)\b|[<>]=|\[object|\[\s*\{/i;

type Fields = Record<string, unknown>;
type Refusal = Pick<ToolError, "error" | "errorCode" | "details">;

/** The names of every field in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

/** One assertion holds a refusal to all of it, since there are tens of thousands of sentences. */
function expectPlain(refusal: Refusal, sent: unknown): void {
  expect([...faultsOfWords(refusal, namesIn(sent))]).toEqual([]);
}

function* faultsOfWords({ error, errorCode, details = [] }: Refusal, names: string[]): Iterable<string> {
  if (/^(invalid|too)\b/i.test(error) || foreign.test(error)) yield `is no plain sentence: ${error}`;
  if (details.length > 100) yield `has ${details.length} details`;
  if (errorCode === "VALIDATION_FAILED" && !/^Request is not valid: \S/.test(error))
    yield `says nothing: ${error}`;
  for (const { path, message } of details) {
    const suggested = /did you mean ([^?]+)\?/.exec(message)?.[1];
    const told = `${path}: ${message}`;
    if (!begins.test(message)) yield `does not say what it has to be: ${told}`;
    if (foreign.test(message)) yield `has foreign words: ${told}`;
    if ([...path].length > 200 || [...message].length > 200) yield `is too long: ${told}`;
    if (suggested !== undefined && names.includes(suggested)) yield `suggests what was sent: ${told}`;
  }
}

function expectPlainRefusal({ status, body }: Answer, sent: unknown): void {
  if (status < 300 || status === 404 || status === 409) return;
  // A token of a store that is none proves nobody, as a credential in a header does.
  if (status === 401 && (body as Refusal).error === "The session token is not valid") return;
  expect(status, JSON.stringify(sent).slice(0, 300)).toBe(400);
  const { error } = body as { error: string | { message: string } };
  // The SDK of MCP refuses a message that it cannot read as JSON-RPC does, without details.
  expectPlain(typeof error === "string" ? (body as Refusal) : ofProtocol(error.message), sent);
}

function ofProtocol(error: string): Refusal {
  return { error, errorCode: "INVALID_JSON" };
}

/** Values of a query, each refused, of the parameters that an operation has. */
function badQueries({ parameters = [] }: Operation): Record<string, string>[] {
  return parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, schema }) => badValues(schema).map(({ value }) => ({ [name]: textOf(value) })));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

test.each(each())(
  "%s says in our own words what a wrong value has to be, over HTTP each, as a tool one of each field",
  async (_, operation) => {
    const of = await unchangedFor(operation);
    const query = queryOf(operation, of);
    await expectPlainEach(
      query,
      badQueries(operation).map((bad) => ({ ...query, ...bad })),
      (sent) => call(operation, of, { query: sent as typeof query }),
    );
    const good = bodyOf(operation, of);
    const bodies = badBodies(operation, good).map(({ value }) => value);
    await expectPlainEach(good, bodies, (body) => call(operation, of, { body }));
    if (toolOperations.includes(operation)) await expectPlainAsTool(operation, of);
  },
);

type Send = (sent: unknown) => Promise<Answer>;

/**
 * Faults of several fields are sent in one request, one of each field, since a refusal names them all. Those that it does not name, and
 * faults that are not of one field, are sent alone.
 */
async function expectPlainEach(good: unknown, faulty: unknown[], send: Send): Promise<void> {
  const byField = Map.groupBy(faulty, (value) => fieldAtFault(good, value));
  const alone = byField.get(undefined) ?? [];
  byField.delete(undefined);
  const most = Math.max(0, ...[...byField.values()].map(({ length }) => length));
  for (let nth = 0; nth < most; nth++) {
    const each = [...byField].flatMap(([name, its]) =>
      nth < its.length ? [[name!, its[nth]] as const] : [],
    );
    const members = each.map(([name, value]) => [name, (value as Fields)[name]]);
    const sent = { ...(good as Fields), ...Object.fromEntries(members) };
    const answer = await send(sent);
    expectPlainRefusal(answer, sent);
    const { details = [] } = (answer.body ?? {}) as Partial<Refusal>;
    const isNamed = (name: string) =>
      details.some(({ path }) => path === name || path.startsWith(`${name}.`));
    if (each.length > 1) alone.push(...each.filter(([name]) => !isNamed(name)).map(([, value]) => value));
  }
  for (const value of alone) expectPlainRefusal(await send(value), value);
}

/** The field in which alone a value differs from the good one. */
function fieldAtFault(good: unknown, value: unknown): string | undefined {
  if (!isFields(good) || !isFields(value)) return undefined;
  const names = [...new Set([...Object.keys(good), ...Object.keys(value)])];
  const others = names.filter(
    (name) => good[name] !== value[name] || Object.hasOwn(good, name) !== Object.hasOwn(value, name),
  );
  return others.length === 1 && Object.hasOwn(value, others[0]!) ? others[0] : undefined;
}

async function expectPlainAsTool(operation: Operation, of: World): Promise<void> {
  const as = await everything(of, operation);
  const good = argumentsOf(operation, of);
  const inPath = operation.path.includes("{") ? paramsOf(operation, of) : {};
  const bodies = onePerField(badBodies(operation, bodyOf(operation, of))).filter(({ value }) =>
    isFields(value),
  );
  const wrong = [
    ...onePerName(badQueries(operation)).map((query) => ({ ...good, ...query })),
    ...bodies.map(({ value }) => ({ ...(value as object), ...queryOf(operation, of), ...inPath })),
    ...Object.keys(good).map((missing) => ({ ...good, [missing]: undefined })),
  ];
  for (const sent of wrong) {
    const { result } = await callTool(as, operation.operationId, sent);
    const refusal = result.isError ? errorOf({ result }) : undefined;
    if (refusal?.errorCode === "VALIDATION_FAILED") expectPlain(refusal, sent);
  }
}

/** The operation words its refusals by itself, however it is called: a tool shows them, whichever they are. */
function onePerField<B extends { fault: string }>(faults: B[]): B[] {
  return [...new Map(faults.map((bad) => [bad.fault.replace(/: [^:]*$/, ""), bad])).values()];
}

function onePerName(queries: Record<string, string>[]): Record<string, string>[] {
  return [...new Map(queries.map((query) => [Object.keys(query)[0], query])).values()];
}
