import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conforming, hostileText, nearly } from "../support/arbitrary.ts";
import { each, jsonBodyOf, type Operation } from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { call, paramsOf, queryOf } from "../support/world.ts";

const { shared } = useWorld();

/** The same requests each time, unless FUZZ_SEED says otherwise; fast-check names the seed where it fails. */
const settings = { seed: Number(env.FUZZ_SEED), numRuns: Number(env.FUZZ_RUNS), endOnFailure: false };

type Values = Record<string, string>;

const queryArbitrary = (operation: Operation, known: Values) => {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const members = parameters.map(({ name, schema }) => [
    name,
    fc.oneof(fc.constant(known[name] ?? ""), conforming(schema).map(String), hostileText).map(wellFormed),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<string>>, { requiredKeys: [] });
};

const paramsArbitrary = (operation: Operation) => {
  const known = operation.path.includes("{") ? paramsOf(operation, shared()) : {};
  const members = Object.entries(known).map(([name, id]) => [name, fc.oneof(fc.constant(id), hostileText)]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<string>>);
};

const wellFormed = (text: string): string => text.toWellFormed();
const segment = (text: string): string => encodeURIComponent(wellFormed(text)) || "%20";

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

describe("random requests: never 5xx, never an answer that is not documented", () => {
  test.each(each())("%s", async (_, operation) => {
    const schema = jsonBodyOf(operation);
    const request = fc.record({
      params: paramsArbitrary(operation),
      query: queryArbitrary(operation, queryOf(operation, shared())),
      headers: headersArbitrary,
      body: schema ? nearly(schema) : fc.constant(undefined),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ params, query, headers, body }) => {
        const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
          segment(params[name] ?? ""),
        );
        const answer = await call(operation, shared(), { path, query: query as Values, headers, body });
        expect(answer.status).toBeLessThan(500);
      }),
      settings,
    );
  });
});
