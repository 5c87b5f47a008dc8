import { env } from "cloudflare:workers";
import fc from "fast-check";
import { test } from "vitest";
import { addDays, nthDelivery, type Schedule } from "../../src/subscriptions/cadence.ts";
import { type Answer, api } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import { force, inDays, itemOf, type Json, on, states, subscribe } from "../support/lives.ts";
import { seeded } from "../support/records.ts";
import { useAccount } from "../support/use-account.ts";

type Status = "ACTIVE" | "PAUSED" | "CANCELLED" | "EXPIRED" | "PAYMENT_FAILED";
type Unit = Schedule["interval"]["unit"];
/** `live` may be undone, `dead` may not, of `unsure` the rules do not tell. */
type Skipped = { anchor: string; delivery: string; weeks: number; fate: "live" | "dead" | "unsure" };

/** What a subscription is, in the words of the rules: dates without slots, billing = delivery. */
type Model = {
  status: Status;
  inDunning: boolean;
  anchor: string;
  index: number;
  next: string | null;
  unit: Unit;
  count: number;
  cycle: number;
  instructions: string | null;
  pausedFor: string | null;
  lines: { price: number; quantity: number }[];
  discounts: { type: "PERCENTAGE" | "FIXED_AMOUNT"; value: number; isActive: boolean }[];
  skips: Skipped[];
  /** A skip has moved the next date of a schedule of months off the anchor's grid. */
  offGrid: boolean;
  entries: number;
  log: string[];
};
/** The real one, by its id, and what it last answered. */
type Real = { id: string; shown: Json };

const own = useAccount();
const today = inDays(0);
const tomorrow = inDays(1);

const nth = ({ anchor, unit, count }: Model, n: number): string =>
  nthDelivery(anchor, { unit, count }, n, undefined);
const firstFrom = (m: Model, earliest: string): { index: number; date: string } => {
  for (let index = m.index; ; index++) if (nth(m, index) >= earliest) return { index, date: nth(m, index) };
};
const startOn = (m: Model, date: string): void => {
  Object.assign(m, { anchor: date, index: 0, next: date, offGrid: false });
};
const judge = (m: Model, fate: Skipped["fate"]): void => {
  for (const skip of m.skips) if (skip.fate === "live") skip.fate = fate;
};
const isOver = ({ status }: Model): boolean => status === "CANCELLED" || status === "EXPIRED";

const amountsOf = (m: Model) => {
  const subtotal = m.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  let left = subtotal;
  for (const { type, value, isActive } of m.discounts)
    if (isActive)
      left -= Math.min(left, type === "PERCENTAGE" ? Math.floor((left * value + 50) / 100) : value);
  return { subtotal: subtotal / 100, discount_amount: (subtotal - left) / 100, total: left / 100 };
};

const expected = (m: Model) => ({
  status: m.status,
  is_active: m.status === "ACTIVE",
  can_pause: m.status === "ACTIVE",
  can_resume: m.status === "PAUSED",
  can_cancel: !isOver(m),
  can_reactivate: isOver(m),
  can_retry_payment: m.status === "PAYMENT_FAILED" || (m.status === "ACTIVE" && m.inDunning),
  is_in_dunning: m.inDunning,
  next_delivery_date: m.next,
  next_billing_date: m.next,
  next_production_date: null,
  current_billing_cycle: m.cycle,
  billing_interval: m.unit,
  billing_interval_count: m.count,
  delivery_interval: m.unit,
  delivery_interval_count: m.count,
  delivery_instructions: m.instructions,
  pause_reason: m.pausedFor,
  ...amountsOf(m),
});

const agree = (what: string, m: Model, seen: Json, wanted: Json): void => {
  for (const [field, value] of Object.entries(wanted))
    if (JSON.stringify(seen[field]) !== JSON.stringify(value))
      throw new Error(
        `${what}: ${field} is ${JSON.stringify(seen[field])}, not ${JSON.stringify(value)}\nafter ${m.log.join("\n      ")}`,
      );
};

/** What a request comes to, the model having been changed already; `same` is 200, unlogged. */
type Outcome = "changed" | "same" | "refused";
type Request = { method: string; part: string; body?: unknown };

const settle = async (
  m: Model,
  real: Real,
  { method, part, body }: Request,
  outcome: Outcome,
): Promise<void> => {
  const what = `${method} ${part} ${JSON.stringify(body ?? null)}`;
  m.log.push(`${what}: ${outcome}`);
  if (outcome === "changed") m.entries++;
  const answer: Answer<Json> = await api(
    own.api,
    method,
    on(real.id, part),
    body === undefined ? {} : { body },
  );
  agree(`${what} (${answer.text.slice(0, 120)})`, m, answer, { status: outcome === "refused" ? 409 : 200 });
  if (outcome === "refused") agree(what, m, answer.body, { errorCode: "INVALID_STATE" });
  else {
    real.shown = answer.body.data;
    agree(what, m, real.shown, expected(m));
  }
  const [row] = await select(
    `SELECT revision, (SELECT COUNT(*) FROM activity_logs WHERE account_id = ?1 AND loggable_type = 'subscription' AND loggable_id = ?2) AS entries,
      status, next_delivery_date, current_billing_cycle AS cycle FROM subscriptions WHERE account_id = ?1 AND id = ?2`,
    own.of.account.id,
    real.id,
  );
  agree(what, m, row, {
    revision: m.entries,
    entries: m.entries,
    status: m.status,
    next_delivery_date: m.next,
    cycle: m.cycle,
  });
};

type Step = fc.AsyncCommand<Model, Real>;
const step = (
  name: string,
  run: (m: Model, real: Real) => Promise<void>,
  check: (m: Model) => boolean = () => true,
): Step => ({ check, run, toString: () => name });

const asks = (
  name: string,
  request: (m: Model, real: Real) => Request,
  decide: (m: Model) => Outcome,
  check?: (m: Model) => boolean,
) =>
  step(
    name,
    async (m, real) => {
      const asked = request(m, real);
      await settle(m, real, asked, decide(m));
    },
    check,
  );

const pause = (reason: string | undefined) =>
  asks(
    `pause ${reason}`,
    () => ({ method: "POST", part: "pause", body: reason === undefined ? {} : { reason } }),
    (m) => {
      if (m.status === "PAUSED") return reason === undefined || reason === m.pausedFor ? "same" : "refused";
      if (m.status !== "ACTIVE") return "refused";
      Object.assign(m, { status: "PAUSED", pausedFor: reason ?? null });
      return "changed";
    },
    ({ inDunning }) => !inDunning,
  );

const dated = (days: number | undefined) => (days === undefined ? {} : { next_delivery_date: inDays(days) });

const resume = (days: number | undefined) =>
  asks(
    `resume ${days}`,
    () => ({ method: "POST", part: "resume", body: dated(days) }),
    (m) => {
      if (m.status === "ACTIVE") return days === undefined || m.next === inDays(days) ? "same" : "refused";
      if (m.status !== "PAUSED") return "refused";
      const was = m.next;
      Object.assign(m, { status: "ACTIVE", pausedFor: null });
      if (days !== undefined) {
        startOn(m, inDays(days));
        judge(m, was === m.next ? "unsure" : "dead");
      } else {
        const { index, date } = firstFrom(m, tomorrow);
        Object.assign(m, { index, next: date });
        if (was !== date) judge(m, "dead");
      }
      return "changed";
    },
    ({ offGrid }) => !offGrid,
  );

const cancel = asks(
  "cancel",
  () => ({ method: "POST", part: "cancel" }),
  (m) => {
    if (m.status === "CANCELLED") return "same";
    if (m.status === "EXPIRED") return "refused";
    Object.assign(m, { status: "CANCELLED", next: null, pausedFor: null });
    judge(m, "unsure");
    return "changed";
  },
  ({ inDunning }) => !inDunning,
);

const reactivate = (days: number | undefined) =>
  asks(
    `reactivate ${days}`,
    () => ({ method: "POST", part: "reactivate", body: dated(days) }),
    (m) => {
      if (m.status === "ACTIVE") return days === undefined || m.next === inDays(days) ? "same" : "refused";
      if (!isOver(m)) return "refused";
      startOn(m, days === undefined ? firstFrom(m, tomorrow).date : inDays(days));
      Object.assign(m, { status: "ACTIVE", cycle: 1 });
      return "changed";
    },
  );

const skip = (weeks: number) =>
  asks(
    `skip ${weeks}`,
    () => ({ method: "POST", part: "skip", body: { skip_weeks: weeks } }),
    (m) => {
      if (m.status !== "ACTIVE" || m.next === null) return "refused";
      m.skips.push({ anchor: m.anchor, delivery: m.next, weeks, fate: "live" });
      m.anchor = addDays(m.anchor, weeks * 7);
      m.next = addDays(m.next, weeks * 7);
      m.offGrid = m.next !== nth(m, m.index);
      return "changed";
    },
  );

const unskip = asks(
  "unskip",
  () => ({ method: "POST", part: "unskip" }),
  (m) => {
    const last = m.skips.at(-1);
    if (m.status !== "ACTIVE" || last?.fate !== "live" || last.delivery < today) return "refused";
    m.skips.pop();
    Object.assign(m, { anchor: last.anchor, next: last.delivery });
    m.offGrid = m.next !== nth(m, m.index);
    return "changed";
  },
  ({ skips }) => skips.at(-1)?.fate !== "unsure",
);

const frequency = (unit: Unit, count: number) =>
  asks(
    `frequency ${unit} ${count}`,
    () => ({
      method: "PUT",
      part: "frequency",
      body: { interval: unit.toLowerCase(), interval_count: count },
    }),
    (m) => {
      if (isOver(m) || m.next === null) return "refused";
      if (m.unit === unit && m.count === count) return "same";
      Object.assign(m, { unit, count });
      startOn(m, m.next);
      judge(m, "unsure");
      return "changed";
    },
  );

const reschedule = (days: number) =>
  asks(
    `schedule ${days}`,
    () => ({ method: "PUT", part: "schedule", body: dated(days) }),
    (m) => {
      if (isOver(m)) return "refused";
      if (m.next === inDays(days)) return "same";
      startOn(m, inDays(days));
      judge(m, "unsure");
      return "changed";
    },
  );

const instruct = (text: string) =>
  asks(
    `instructions ${text}`,
    () => ({ method: "PUT", part: "delivery-instructions", body: { delivery_instructions: text } }),
    (m) => {
      if (isOver(m)) return "refused";
      if (m.instructions === text) return "same";
      m.instructions = text;
      return "changed";
    },
  );

const addLine = (price: number, quantity: number) =>
  asks(
    `add line ${price} x ${quantity}`,
    () => ({ method: "POST", part: "lines", body: itemOf(own.plan, { price: price / 100, quantity }) }),
    (m) => {
      if (isOver(m)) return "refused";
      m.lines.push({ price, quantity });
      return "changed";
    },
  );

const changeLine = (nthLine: number, quantity: number) =>
  asks(
    `change line ${nthLine} to ${quantity}`,
    (m, { shown }) => ({
      method: "PUT",
      part: `lines/${shown.lines[nthLine % m.lines.length].id}`,
      body: { quantity },
    }),
    (m) => {
      const line = m.lines[nthLine % m.lines.length]!;
      if (isOver(m)) return "refused";
      if (line.quantity === quantity) return "same";
      line.quantity = quantity;
      return "changed";
    },
  );

const removeLine = (nthLine: number) =>
  asks(
    `remove line ${nthLine}`,
    (m, { shown }) => ({ method: "DELETE", part: `lines/${shown.lines[nthLine % m.lines.length].id}` }),
    (m) => {
      if (isOver(m) || m.lines.length === 1) return "refused";
      m.lines.splice(nthLine % m.lines.length, 1);
      return "changed";
    },
  );

const discount = (value_type: "PERCENTAGE" | "FIXED_AMOUNT", value: number) =>
  asks(
    `discount ${value_type} ${value}`,
    () => ({
      method: "POST",
      part: "discounts",
      body: {
        title: "Thanks",
        value_type,
        target_type: "ORDER",
        value: value_type === "PERCENTAGE" ? value : value / 100,
      },
    }),
    (m) => {
      if (isOver(m)) return "refused";
      m.discounts.push({ type: value_type, value, isActive: true });
      return "changed";
    },
  );

const undiscount = (n: number) =>
  asks(
    `remove discount ${n}`,
    (m, { shown }) => ({ method: "DELETE", part: `discounts/${shown.discounts[n % m.discounts.length].id}` }),
    (m) => {
      const found = m.discounts[n % m.discounts.length]!;
      if (isOver(m)) return "refused";
      if (!found.isActive) return "same";
      found.isActive = false;
      return "changed";
    },
    ({ discounts }) => discounts.length > 0,
  );

/** What happens without anybody's asking; it is the database's doing here, so nothing is logged. */
const happens = (
  name: string,
  act: (m: Model, real: Real) => Promise<unknown>,
  check: (m: Model) => boolean,
) =>
  step(
    name,
    async (m, real) => {
      m.log.push(name);
      await act(m, real);
    },
    check,
  );

const billed = happens(
  "billed",
  async (m, { id }) => {
    Object.assign(m, { index: m.index + 1, cycle: m.cycle + 1, inDunning: false });
    Object.assign(m, { next: nth(m, m.index), offGrid: false });
    judge(m, "dead");
    await force(id, {
      next_index: m.index,
      next_billed_index: m.index,
      current_billing_cycle: m.cycle,
      next_delivery_date: m.next,
      next_billing_date: m.next,
      dunning_episode_id: null,
    });
    await execute("UPDATE subscriptions SET schedule_revision = schedule_revision + 1 WHERE id = ?", id);
  },
  ({ status }) => status === "ACTIVE",
);

const expires = happens(
  "expires",
  async (m, { id }) => {
    Object.assign(m, { status: "EXPIRED", next: null });
    judge(m, "unsure");
    await force(id, states.EXPIRED);
  },
  ({ status, inDunning }) => status === "ACTIVE" && !inDunning,
);

const failsFirst = happens(
  "a payment fails",
  async (m, { id }) => {
    m.inDunning = true;
    await force(id, states.DUNNING);
  },
  ({ status }) => status === "ACTIVE",
);

const failsLast = happens(
  "dunning is exhausted",
  async (m, { id }) => {
    Object.assign(m, { status: "PAYMENT_FAILED", inDunning: false });
    await force(id, { ...states.PAYMENT_FAILED, dunning_episode_id: null });
  },
  ({ status }) => status === "ACTIVE",
);

/** Days pass: seen from today all dates lie further back. */
const passes = (days: number) =>
  happens(
    `${days} days pass`,
    async (m, { id }) => {
      const back = (date: string) => addDays(date, -days);
      m.anchor = back(m.anchor);
      m.next = m.next && back(m.next);
      for (const skipped of m.skips)
        Object.assign(skipped, { anchor: back(skipped.anchor), delivery: back(skipped.delivery) });
      const by = `-${days} days`;
      await execute(
        `UPDATE subscriptions SET anchor_date = date(anchor_date, ?1), next_delivery_date = date(next_delivery_date, ?1),
          next_billing_date = date(next_billing_date, ?1) WHERE id = ?2`,
        by,
        id,
      );
      await execute(
        `UPDATE subscription_skips SET previous_anchor_date = date(previous_anchor_date, ?1),
          previous_delivery_date = date(previous_delivery_date, ?1), previous_billing_date = date(previous_billing_date, ?1)
          WHERE subscription_id = ?2`,
        by,
        id,
      );
    },
    ({ unit, offGrid }) => (unit === "DAY" || unit === "WEEK") && !offGrid,
  );

const { constant, constantFrom, integer, nat, option, tuple } = fc;
const maybeDays = option(integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 });
const twice = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T>[] => [arbitrary, arbitrary];
const steps: fc.Arbitrary<Step>[] = [
  ...twice(option(constantFrom("Away", "Ill"), { nil: undefined }).map(pause)),
  ...twice(maybeDays.map(resume)),
  constant(cancel),
  ...twice(maybeDays.map(reactivate)),
  ...twice(integer({ min: 1, max: 6 }).map(skip)),
  ...twice(constant(unskip)),
  tuple(constantFrom<Unit>("DAY", "WEEK", "MONTH", "YEAR"), integer({ min: 1, max: 3 })).map((a) =>
    frequency(...a),
  ),
  integer({ min: 0, max: 60 }).map(reschedule),
  constantFrom("Ring", "Knock").map(instruct),
  tuple(integer({ min: 0, max: 99_999 }), integer({ min: 1, max: 9 })).map((a) => addLine(...a)),
  tuple(nat(9), integer({ min: 1, max: 9 })).map((a) => changeLine(...a)),
  nat(9).map(removeLine),
  integer({ min: 0, max: 100 }).map((value) => discount("PERCENTAGE", value)),
  integer({ min: 0, max: 9_999 }).map((value) => discount("FIXED_AMOUNT", value)),
  nat(9).map(undiscount),
  constant(billed),
  constant(expires),
  constant(failsFirst),
  constant(failsLast),
  integer({ min: 1, max: 40 }).map(passes),
];

const begin = async (): Promise<{ model: Model; real: Real }> => {
  const id = await subscribe(own);
  const { data } = (await api<Json>(own.api, "GET", on(id))).body;
  const model: Model = {
    status: "ACTIVE",
    inDunning: false,
    anchor: inDays(7),
    index: 0,
    next: inDays(7),
    unit: "WEEK",
    count: 1,
    cycle: 1,
    instructions: null,
    pausedFor: null,
    lines: [{ price: 1000, quantity: 1 }],
    discounts: [],
    skips: [],
    offGrid: false,
    entries: 1,
    log: [],
  };
  return { model, real: { id, shown: data } };
};

/** The next deliveries: what has been missed is caught up on once, then the grid goes on after today. */
const comingDates = (m: Model, count: number): string[] => {
  if (m.next === null) return [];
  const dates = [m.status === "ACTIVE" && m.next < today ? today : m.next];
  for (let index = m.index + 1; dates.length < count; index++)
    if (nth(m, index) > dates.at(-1)! && nth(m, index) > today) dates.push(nth(m, index));
  return dates;
};

/** How it ends: what is read, what is to come, and what the skips say. */
const atTheEnd = async (m: Model, { id }: Real): Promise<void> => {
  const { data } = (await api<Json>(own.api, "GET", on(id))).body;
  agree("read", m, data, expected(m));
  const upcoming = (await api<Json>(own.api, "GET", on(id, "upcoming"), { query: { count: 4 } })).body.data;
  const dates = comingDates(m, 4);
  agree("upcoming", m, { dates: upcoming.map((one: Json) => one.delivery_date) }, { dates });
  const totals = upcoming.map((one: Json) => one.total);
  agree("upcoming", m, { totals }, { totals: dates.map(() => amountsOf(m).total) });
  const cycles = upcoming.map((one: Json) => one.cycle);
  agree("upcoming", m, { cycles }, { cycles: dates.map((_, ahead) => m.cycle + ahead) });
  const skips = (await api<Json>(own.api, "GET", on(id, "skips"), { query: { limit: 100 } })).body.data;
  const open = skips.filter((one: Json) => one.undone_at === null).toReversed();
  agree(
    "skips",
    m,
    { weeks: open.map((one: Json) => one.skip_weeks) },
    { weeks: m.skips.map(({ weeks }) => weeks) },
  );
};

/** 150 unless MODEL_RUNS says otherwise, as CI does. */
const histories = Number(env.MODEL_RUNS);

test(`${histories} random lives agree with a model of the rules, after each of their steps`, {
  timeout: 60_000 + histories * 1000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 14, size: "max" }), async (commands) => {
      let end: { model: Model; real: Real } | undefined;
      await fc.asyncModelRun(async () => {
        end = await begin();
        return end;
      }, commands);
      if (end) await atTheEnd(end.model, end.real);
    }),
    seeded(histories),
  );
});
