/** Random histories of a subscription agree with a model of the rules after each step. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { test } from "vitest";
import { api } from "../../support/client.ts";
import { seeded } from "../../support/records.ts";
import { type Json, on, subscribe } from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";
import { steps } from "./model/any-step.ts";
import { compareReads, type Real } from "./model/compare.ts";
import { type Model, newModel } from "./model/subscription.ts";

const account = useAccount();

/** 30 unless MODEL_RUNS says otherwise, as CI does. */
const histories = Number(env.MODEL_RUNS);

test(`${histories} random histories of a subscription agree with a model of the rules after each step`, {
  timeout: 60_000 + histories * 1000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 14, size: "max" }), async (commands) => {
      let end: { model: Model; real: Real } | undefined;
      await fc.asyncModelRun(async () => {
        end = { model: newModel(), real: await createSubscription() };
        return end;
      }, commands);
      if (end) await compareReads(end.model, end.real);
    }),
    seeded(histories),
  );
});

async function createSubscription(): Promise<Real> {
  const id = await subscribe(account);
  return { account, id, response: (await api<Json>(account.api, "GET", on(id))).body.data };
}
