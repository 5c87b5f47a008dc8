/** Every operation takes what the document allows, and answers as documented whatever is sent. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allowedBodies } from "../support/allowed-bodies.ts";
import { conforming, hostileText, nearly } from "../support/arbitrary.ts";
import { each, jsonBodyOf, type Operation } from "../support/document.ts";
import { isStatedRefusal } from "../support/stated-refusals.ts";
import { useWorld } from "../support/use-world.ts";
import { call, paramsOf, queryOf, type World } from "../support/world.ts";

const { unchangedFor } = useWorld();

/**
 * The settings of fast-check, which sends equal requests each time unless FUZZ_SEED says otherwise; it names the seed where it
 * fails.
 */
const settings = { seed: Number(env.FUZZ_SEED), numRuns: Number(env.FUZZ_RUNS), endOnFailure: false };

test.each(each())(
  "%s takes what the document allows, and answers as documented whatever is sent",
  async (_, operation) => {
    const of = await unchangedFor(operation);
    await sendAllowed(operation, of);
    await sendHostile(operation, of);
  },
);

type Values = Record<string, string>;

function queryArbitrary(operation: Operation, known: Values) {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const members = parameters.map(({ name, schema }) => [
    name,
    fc.oneof(fc.constant(known[name] ?? ""), conforming(schema).map(String), hostileText).map(wellFormed),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<string>>, { requiredKeys: [] });
}

function paramsArbitrary(operation: Operation, of: World) {
  const known = operation.path.includes("{") ? paramsOf(operation, of) : {};
  const members = Object.entries(known).map(([name, id]) => [name, fc.oneof(fc.constant(id), hostileText)]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<string>>);
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}

function segment(text: string): string {
  return encodeURIComponent(wellFormed(text)) || "%20";
}

const headersArbitrary = fc.record(
  {
    "Idempotency-Key": fc.string({ maxLength: 20 }).map((key) => encodeURIComponent(key)),
    Accept: fc.constantFrom("*/*", "application/problem+json", "text/html", "garbage;;;"),
    Range: fc.constant("bytes=0-1"),
    "If-None-Match": fc.constantFrom("*", '"x"'),
    "X-Forwarded-Host": fc.constant("evil.example"),
    "X-HTTP-Method-Override": fc.constant("DELETE"),
  },
  { requiredKeys: [] },
);

/** Random requests: never 5xx, never an answer that is not documented. */
async function sendHostile(operation: Operation, of: World): Promise<void> {
  const schema = jsonBodyOf(operation);
  const request = fc.record({
    params: paramsArbitrary(operation, of),
    query: queryArbitrary(operation, queryOf(operation, of)),
    headers: headersArbitrary,
    body: schema ? nearly(schema) : fc.constant(undefined),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ params, query, headers, body }) => {
      const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => segment(params[name] ?? ""));
      const answer = await call(operation, of, {
        path,
        query: query as Values,
        headers,
        ...(schema && { body }),
      });
      expect(answer.status, "whatever is sent").toBeLessThan(500);
    }),
    settings,
  );
}

/** Requests that the document allows, on records that exist, and mostly with references to such. */
function allowedRequest(operation: Operation, of: World) {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const query = fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, conforming(schema).map(String)])),
    { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
  );
  return fc.record({ query, body: allowedBodies(operation, of) });
}

/** Requests that the document allows: accepted, or refused for state or reference, never for their form. */
async function sendAllowed(operation: Operation, of: World): Promise<void> {
  await fc.assert(
    fc.asyncProperty(allowedRequest(operation, of), async ({ query, body }) => {
      const answer = await call(operation, of, { query, ...(jsonBodyOf(operation) && { body }) });
      if (answer.status >= 400) expect(answer, "what the document allows").toSatisfy(isStatedRefusal);
    }),
    settings,
  );
}
