import { type Answer, api } from "../../../support/client.ts";
import { select } from "../../../support/database.ts";
import { type Json, on, type Shop } from "../../../support/shops.ts";
import { amountsOf, type Model, responseOf, upcomingDatesOf } from "./subscription.ts";

/** The real subscription, and the last response that showed it. */
export type Real = { account: Shop; id: string; response: Json };

export type Request = { method: string; part: string; body?: unknown };
/** `unchanged` is 200 without an entry in the history. */
export type Outcome = "changed" | "unchanged" | "refused";

/** Sends a request that the model has already applied, and compares the response and the row with the model. */
export async function sendAndCompare(
  m: Model,
  real: Real,
  { request, outcome }: { request: Request; outcome: Outcome },
): Promise<void> {
  const { method, part, body } = request;
  const title = `${method} ${part} ${JSON.stringify(body ?? null)}`;
  m.log.push(`${title}: ${outcome}`);
  if (outcome === "changed") m.entries++;
  const options = body === undefined ? {} : { body };
  const answer: Answer<Json> = await api(real.account.api, method, on(real.id, part), options);
  const status = outcome === "refused" ? 409 : 200;
  compare(`${title} (${answer.text.slice(0, 120)})`, m, answer, { status });
  if (outcome === "refused") compare(title, m, answer.body, { errorCode: "INVALID_STATE" });
  else {
    real.response = answer.body.data;
    compare(title, m, real.response, responseOf(m));
  }
  await compareRow(title, m, real);
}

/** Compares all that can be read of the subscription: itself, its next deliveries, and its skips. */
export async function compareReads(m: Model, { account, id }: Real): Promise<void> {
  const read = async (part = "", query = {}) =>
    (await api<Json>(account.api, "GET", on(id, part), { query })).body.data;
  compare("read", m, await read(), responseOf(m));
  const upcoming: Json[] = await read("upcoming", { count: 4 });
  const dates = upcomingDatesOf(m, 4);
  compare("upcoming", m, { dates: upcoming.map((delivery) => delivery.delivery_date) }, { dates });
  const totals = upcoming.map((delivery) => delivery.total);
  compare("upcoming", m, { totals }, { totals: dates.map(() => amountsOf(m).total) });
  const cycles = upcoming.map((delivery) => delivery.cycle);
  compare("upcoming", m, { cycles }, { cycles: dates.map((_, ahead) => m.cycle + ahead) });
  const skips: Json[] = await read("skips", { limit: 100 });
  const by = skips
    .filter(({ undone_at }) => undone_at === null)
    .map(({ skip_weeks, deliveries }) => (deliveries === null ? { weeks: skip_weeks } : { deliveries }));
  compare("skips", m, { by: by.toReversed() }, { by: m.skips.map((skip) => skip.by) });
}

async function compareRow(title: string, m: Model, { account, id }: Real): Promise<void> {
  const [row] = await select(
    `SELECT revision, (SELECT COUNT(*) FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?1) AND loggable_type = 'subscription' AND loggable_id = ?2) AS entries,
      status, next_delivery_date, current_billing_cycle AS cycle FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?1) AND id = ?2`,
    account.of.account.id,
    id,
  );
  compare(title, m, row, {
    revision: m.entries,
    entries: m.entries,
    status: m.status,
    next_delivery_date: m.next,
    cycle: m.cycle,
  });
}

function compare(title: string, m: Model, actual: Json, expected: Json): void {
  for (const [field, value] of Object.entries(expected))
    if (JSON.stringify(actual[field]) !== JSON.stringify(value))
      throw new Error(
        `${title}: ${field} is ${JSON.stringify(actual[field])}, not ${JSON.stringify(value)}\nafter ${m.log.join("\n      ")}`,
      );
}
