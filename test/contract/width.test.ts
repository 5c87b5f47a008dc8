/** The document is hardly ever wider than the service: a body that it allows is taken, or refused for what no schema can say. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { allowedBodies } from "../support/allowed-bodies.ts";
import { each, type Operation, withJsonBody } from "../support/document.ts";
import { isStatedRefusal } from "../support/stated-refusals.ts";
import { useWorld } from "../support/use-world.ts";
import { call } from "../support/world.ts";

const { unchangedFor } = useWorld();

/** How often the document is wider than the service: bodies that it allows and that are refused for what a schema could have said. */
const mostOfThousand = 2;
const settings = { seed: Number(env.FUZZ_SEED) + 1, numRuns: 2 * Number(env.FUZZ_RUNS) };
const refused = new Map<string, number>();
let sent = 0;

test.each(each(withJsonBody))("%s is sent bodies that the document allows", async (_, operation) => {
  const of = await unchangedFor(operation);
  const query: Record<string, string> = takesDryRun(operation) ? { dry_run: "true" } : {};
  for (const body of fc.sample(allowedBodies(operation, of), settings)) {
    const answer = await call(operation, of, { body, query });
    sent++;
    if (answer.body?.errorCode !== "VALIDATION_FAILED" || isStatedRefusal(answer)) continue;
    for (const kind of kindsOf(operation, answer.body.details))
      refused.set(kind, (refused.get(kind) ?? 0) + 1);
  }
});

afterAll(() => {
  const faults = [...refused].sort(([, a], [, b]) => b - a).map(([kind, times]) => `${times} × ${kind}`);
  const ofThousand = ([...refused.values()].reduce((sum, times) => sum + times, 0) / sent) * 1000;
  expect(ofThousand, `of ${sent} bodies these were refused:\n${faults.join("\n")}`).toBeLessThanOrEqual(
    mostOfThousand,
  );
});

function takesDryRun({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === "dry_run");
}

/** The kinds of faults in a refusal: where and what, whatever was sent. */
function kindsOf({ operationId }: Operation, details: { path: string; message: string }[]): string[] {
  const kinds = details.map(
    ({ path, message }) =>
      `${operationId} ${path.replaceAll(/\d+/g, "*")}: ${message.replaceAll(/\d+/g, "n")}`,
  );
  return [...new Set(kinds)];
}
