import { expect } from "vitest";
import { requestCosts } from "../../../scripts/docs/figures.ts";
import { type Answer, nobody } from "../../support/client.ts";
import { isAnonymous, isRefusedBySandbox, type Operation } from "../../support/document.ts";
import { usageOf } from "../../support/records.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bodyOf, call, fill, paramsOf, queryOf } from "../../support/world.ts";
import { type Checks, turnsOf, type Walk } from "./check.ts";
import { isSecured } from "./credentials.ts";

/** The checks of an operation that succeeds. The first needs an account that nothing has been asked of yet. */
export const answerChecks: Checks = {
  "no request asks for more than its documented cost": {
    async run(operation, walk) {
      const { answer, db_statements, db_round_trips } = await usageOf(() => walk.succeeded());
      expectSuccess(operation, answer);
      const { statements, trips } = requestCosts[operation.method === "GET" ? "reads" : "writes"];
      expect(db_statements).toBeLessThanOrEqual(statements);
      expect(db_round_trips).toBeLessThanOrEqual(trips);
      expectUnseen(walk, answer);
      if (isAnonymous(operation)) await expectUnchanged(walk);
    },
  },
  "every operation succeeds as documented, and what a tenant is told is never cached": {
    async run(operation, { succeeded }) {
      const answer = await succeeded();
      expectSuccess(operation, answer);
      if (!isAnonymous(operation)) expect(answer.headers.get("Cache-Control")).toBe("no-store");
    },
  },
  "a client's own X-Request-Id is kept if it is 1..128 of [A-Za-z0-9_.-], and no origin may read an answer unless the deployment allows it":
    {
      async run(operation, { world }) {
        const [good, bad] = [turnsOf(operation, keptIds)[0]!, turnsOf(operation, replacedIds)[0]!];
        const idAnswered = async (id: string, more = {}) =>
          (await call(operation, world(), { headers: { "X-Request-Id": id, ...more } })).headers.get(
            "X-Request-Id",
          );
        expect(await idAnswered(good)).toBe(good);
        expect(await idAnswered(bad, { Origin: "https://evil.example" })).toMatch(madeId);
      },
    },
  "with Accept: application/problem+json an error has RFC 9457's members too": {
    appliesTo: isSecured,
    async run(operation, { shared }) {
      const headers = { Accept: "application/problem+json" };
      const answer = await call(operation, shared, { as: nobody, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
      expect(answer.body).toMatchObject({
        status: 401,
        title: "Unauthorized",
        detail: answer.body.error,
        type: "about:blank",
      });
    },
  },
  "a dry run's answer has the header Dry-Run: true, which the document declares, and the real answer has none":
    {
      appliesTo: ({ parameters = [] }) => parameters.some(({ name }) => name === "dry_run"),
      async run(operation, { callToSucceed }) {
        const ask = (dry_run: boolean) =>
          callToSucceed((of) => ({ query: { ...queryOf(operation, of), dry_run: String(dry_run) } }));
        const dry = await ask(true);
        expect(dry.status, "the dry run of a bulk makes a job").toBe(operation.responses[200] ? 200 : 202);
        expect(dry.headers.get("Dry-Run")).toBe("true");
        expect(operation.responses[dry.status]?.headers).toHaveProperty("Dry-Run");
        expect((await ask(false)).headers.get("Dry-Run")).toBeNull();
      },
    },
};

/** The checks that one tenant can do nothing to another. */
export const tenancyChecks: Checks = {
  "a record of another account does not exist: 404": {
    appliesTo: ({ path }) => path.includes("{"),
    async run(operation, walk) {
      const [mine, theirs] = [paramsOf(operation, walk.world()), paramsOf(operation, walk.other)];
      const mixtures = Object.keys(mine).map((key) => ({ ...mine, [key]: theirs[key]! }));
      const paths = new Set([theirs, ...mixtures].map((values) => fill(operation.path, values)));
      // A kind or a language has one name in every account.
      paths.delete(fill(operation.path, mine));
      const refusal = isSecured(operation) ? [404, "NOT_FOUND"] : [401, "UNAUTHENTICATED"];
      for (const path of paths) {
        const answer = await call(operation, walk.world(), { path });
        expect([answer.status, answer.body.errorCode]).toEqual(refusal);
        expectUnseen(walk, answer);
      }
      await expectUnchanged(walk);
      const own = await walk.succeeded();
      expect(own.status, "its own record is found").toBeLessThan(300);
    },
  },
  "ids of another account in body and query reach nothing of it": {
    appliesTo: isSecured,
    async run(operation, walk) {
      const options = { body: bodyOf(operation, walk.other), query: queryOf(operation, walk.other) };
      const of = operation.method === "GET" ? walk.world() : await walk.renew();
      expectUnseen(walk, await call(operation, of, options));
      await expectUnchanged(walk);
    },
  },
};

/** The response shows nothing of the other tenant. */
function expectUnseen({ other, mark }: Walk, { text, headers }: Answer): void {
  const sent = withoutQueries(text + JSON.stringify([...headers]));
  expect(sent).not.toContain(mark);
  expect(sent).not.toContain(other.tenant.account.id);
}

/** No row of the other tenant has changed, whatever was requested until now. */
async function expectUnchanged({ other, rowsOfOther }: Walk): Promise<void> {
  expect(await rowsOf(other.tenant.account.id), "the other tenant's rows").toBe(rowsOfOther);
}

/** Page URLs repeat the query that was sent, which is the caller's own text. */
function withoutQueries(text: string): string {
  return text.replaceAll(/\?[^"\\>]*/g, "");
}

function expectSuccess(operation: Operation, { status, text }: Answer): void {
  if (isRefusedBySandbox(operation)) {
    expect([status, JSON.parse(text).errorCode]).toEqual([409, "INVALID_STATE"]);
    return;
  }
  const { responses } = operation;
  const success = Object.keys(responses)
    .map(Number)
    .filter((code) => code < 300);
  expect(success, text.slice(0, 500)).toContain(status);
}

export const keptIds: string[] = ["a", "ORDER_7.retry-2", "x".repeat(128)];
export const replacedIds: string[] = ["x".repeat(129), "has space", "semi;colon", "<script>", "a,b"];
export const madeId: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;
