import { commit } from "../../src/base/db/commit.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { reasonKinds } from "../../src/domain/reasons/tables.ts";
import { type Answer, api, type Caller, nobody, type RequestOptions } from "./client.ts";
import { expectDocumented, withEnvelope } from "./conform.ts";
import { testDb } from "./database.ts";
import {
  accepts,
  isAnonymous,
  isForCustomersAlone,
  jsonBodyOf,
  type Operation,
  resolve,
  titleOf,
} from "./document.ts";
import { bearer, both, openTenant, type Tenant, token } from "./tenant.ts";
import { activityPart } from "./world/activity-logs.ts";
import { billingPart } from "./world/billing.ts";
import { cancellationPart } from "./world/cancellation.ts";
import { contractPart } from "./world/contracts.ts";
import { declarationPart } from "./world/declarations.ts";
import { deliveryPart } from "./world/delivery.ts";
import { entityPart } from "./world/entities.ts";
import { importPart } from "./world/imports.ts";
import { jobPart } from "./world/jobs.ts";
import { mailPart } from "./world/mails.ts";
import { orderPart } from "./world/orders.ts";
import { type MakePart, newIds, type Part, type Signed, type Values } from "./world/part.ts";
import { portalPart } from "./world/portal.ts";
import { profilePart } from "./world/profiles.ts";
import { reasonPart } from "./world/reasons.ts";
import { planPart } from "./world/selling-plans.ts";
import { staffPart } from "./world/staff.ts";
import { storeSessionPart } from "./world/store-sessions.ts";
import { subscriptionPart } from "./world/subscriptions.ts";
import { webhookEndpointPart } from "./world/webhook-endpoints.ts";
import { webhookPart } from "./world/webhooks.ts";

/** Everything one tenant has, at least one record of each kind. `mark` stands in all of its texts. */
export type World = Required<Omit<Part, "writes">> & { tenant: Tenant; customerToken: () => Promise<string> };

/** A fresh tenant with a record of every kind. */
export async function openWorld(mark = `mark-${newId()}`): Promise<World> {
  const of = await openTenant();
  const ids = newIds();
  const parts = makers.map((makePart) => makePart(of, mark, ids));
  await commit(
    { db: testDb() },
    parts.flatMap(({ writes }) => writes),
  );
  return {
    tenant: of,
    customerToken: () => token(of, { actor_type: "customer", profile_id: ids.profile }),
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    bodies: Object.assign({}, ...parts.map(({ bodies }) => bodies)),
    raw: Object.assign({}, ...parts.map(({ raw }) => raw)),
    queries: Object.assign({}, ...parts.map(({ queries }) => queries)),
    signed: Object.assign({}, ...parts.map(({ signed }) => signed)),
  };
}

/** The values of a path's parameters in a world. Throws where the world has no such record yet. */
export function paramsOf(operation: Operation, { paths }: World): Values {
  const names = [...operation.path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name!);
  const values = paths[operation.path] ?? {};
  if (names.some((name) => values[name] === undefined)) throw unregistered(operation, "record");
  return values;
}

export function fill(path: string, values: Values): string {
  return path.replaceAll(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** The path of an operation on a world's own record. */
export function pathOf(operation: Operation, of: World): string {
  return fill(operation.path, operation.path.includes("{") ? paramsOf(operation, of) : {});
}

/** A JSON body with which an operation succeeds in a world; undefined where it takes none. */
export function bodyOf(operation: Operation, { bodies }: World): unknown {
  const schema = jsonBodyOf(operation);
  if (!schema) return undefined;
  const body = bodies[operation.operationId] ?? resolve(schema).example;
  if (body === undefined) throw unregistered(operation, "body, nor has the document an example");
  return structuredClone(body);
}

/** The query with which an operation succeeds in a world. */
export function queryOf(operation: Operation, { queries }: World): Values {
  const query = queries[operation.operationId] ?? {};
  const required = operation.parameters?.filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  if (required?.some(({ name }) => query[name] === undefined)) throw unregistered(operation, "query");
  return query;
}

/** The tenant's admin token, which is requested once. */
export function adminToken(of: Tenant): Promise<string> {
  const known = tokens.get(of) ?? token(of);
  tokens.set(of, known);
  return known;
}

/** The fewest credentials with which an operation may be called. */
export async function callerOf(operation: Operation, world: World): Promise<Caller> {
  const { tenant: of } = world;
  if (isAnonymous(operation)) return nobody;
  if (isForCustomersAlone(operation)) return bearer(await ownToken(world));
  // The body of an export may ask for what needs both.
  if (operation.operationId === "createExport") return both(of, await adminToken(of));
  if (accepts(operation, "apiKey")) return of;
  if (accepts(operation, "bearer")) return bearer(await adminToken(of));
  return both(of, await adminToken(of));
}

/** A request that succeeds unless the test changes it; its answer is checked against the document. */
export async function call(operation: Operation, of: World, changed: Call = {}): Promise<Answer<Schemaless>> {
  const { path = pathOf(operation, of), as = await callerOf(operation, of), ...options } = changed;
  const valid = of.raw[operation.operationId] ?? { body: bodyOf(operation, of) };
  const body = "body" in changed || "raw" in changed ? {} : valid;
  const request = { query: queryOf(operation, of), ...body, ...options };
  const sign = of.signed[operation.operationId];
  const { ask, options: whole } = sign ? await signedAs(sign, request) : { ask: api, options: request };
  const answer = await ask(as, operation.method, path, whole);
  expectDocumented(operation, answer);
  return withEnvelope(answer);
}

/** A new resource gets a module in world/ and a line here. */
const makers: MakePart[] = [
  profilePart,
  entityPart,
  deliveryPart,
  planPart,
  subscriptionPart,
  contractPart,
  billingPart,
  orderPart,
  activityPart,
  ...reasonKinds.map(reasonPart),
  portalPart,
  storeSessionPart,
  cancellationPart,
  declarationPart,
  webhookPart,
  mailPart,
  jobPart,
  importPart,
  webhookEndpointPart,
  staffPart,
];

function unregistered(operation: Operation, what: string): Error {
  return new Error(`${titleOf(operation)}: test/support/world/ has no ${what} for it; add one there`);
}

const tokens = new WeakMap<Tenant, Promise<string>>();

const ownTokens = new WeakMap<World, Promise<string>>();

/** The token of a world's customer, which is requested once. */
function ownToken(world: World): Promise<string> {
  const known = ownTokens.get(world) ?? world.customerToken();
  ownTokens.set(world, known);
  return known;
}

export type Call = RequestOptions & { path?: string; as?: Caller };

async function bytesOf({
  raw,
  body,
}: Pick<RequestOptions, "raw" | "body">): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await new Response(raw ?? (body === undefined ? null : JSON.stringify(body))).arrayBuffer(),
  );
}

/** The request with its sender's signature. A body that was a stream stays one. */
async function signedAs(sign: Signed, { raw, body, headers, ...rest }: RequestOptions) {
  const bytes = await bytesOf({ body, ...(raw === undefined ? {} : { raw }) });
  const signed = await sign(bytes);
  const json: Values = body === undefined ? {} : { "Content-Type": "application/json" };
  const sent = raw instanceof ReadableStream ? new Blob([bytes]).stream() : bytes;
  return {
    ask: signed.ask,
    options: { ...rest, raw: signed.bytes ?? sent, headers: { ...json, ...signed.headers, ...headers } },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the document has checked the body already
type Schemaless = any;
