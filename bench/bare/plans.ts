import { ask } from "../ask.ts";
import { type Asked, type Caller, type Case, mostWrites } from "../cases.ts";
import type { Plan, Recorded } from "./plan.ts";

type Statement = Pick<Recorded, "sql" | "params">;

/** Records what the API asks of its database for each case, once its credentials are known, as what the bare Worker is to do. */
export async function recordPlans(
  address: string,
  cases: Case[],
  caller: Caller,
): Promise<Record<string, Plan>> {
  const plans: Record<string, Plan> = {};
  for (const each of cases) {
    const { answer, trips } = await record(address, each.request(0, caller));
    plans[each.name] = each.writes
      ? writePlan(trips, answer, each, caller)
      : {
          kind: "read",
          statements: (await warm(address, each, caller, trips))
            .flat()
            .map((its) => ({ ...its, swapped: [] })),
          answer: JSON.parse(answer),
          isCached: each.cached ?? false,
        };
  }
  return plans;
}

type Answered = { answer: string; trips: Statement[][] };

async function record(address: string, asked: Asked): Promise<Answered> {
  await recordedAt(address);
  const answer = await ask(address, asked);
  return { answer, trips: await recordedAt(address) };
}

/** The statements of a read whose credentials are cached. A cached answer has none: those of its first time are taken. */
async function warm(
  address: string,
  { request }: Case,
  caller: Caller,
  cold: Statement[][],
): Promise<Statement[][]> {
  const { trips } = await record(address, request(0, caller));
  return trips.length > 0 ? trips : cold;
}

async function recordedAt(address: string): Promise<Statement[][]> {
  return (await (await fetch(`${address}/statements`)).json()) as Statement[][];
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** A text that is made of a record's id and as unique as that is: the key of a charge. */
const digest = /^(?=.*\d)[A-Za-z0-9_]{24,}$/;

function isWrite({ sql }: Statement): boolean {
  return /^\s*(insert|update|delete|with.*\binsert)\b/is.test(sql);
}

/** The seed's own ids are of the year 2025; what a request makes is of today. */
function isOfSeed(id: string): boolean {
  return id.startsWith("019a0000-0000-7000-");
}

function writePlan(trips: Statement[][], answer: string, { request }: Case, caller: Caller): Plan {
  const statements = trips.flat().filter(({ sql }) => !/idempotency_keys/.test(sql));
  const mentioned = statements.flatMap(({ params }) =>
    params.flatMap((value) => String(value).match(uuid) ?? []),
  );
  const digests = statements.flatMap(({ params }) =>
    params.map(String).filter((value) => digest.test(value)),
  );
  const newIds = [...new Set([...mentioned, ...digests])].filter((id) => !isOfSeed(id));
  const subjectOf = (nth: number): string | null =>
    /subscriptions\/([0-9a-f-]{36})\//.exec(request(nth, caller).path)?.[1] ?? null;
  const subject = subjectOf(0);
  const swaps = [...newIds, ...(subject ? [subject] : [])];
  const recorded = statements.map(
    (its): Recorded => ({
      ...its,
      swapped: its.params.flatMap((value, index) =>
        swaps.some((id) => String(value).includes(id)) ? [index] : [],
      ),
    }),
  );
  return {
    kind: "write",
    reads: recorded.filter((its) => !isWrite(its)),
    writes: recorded.filter(isWrite),
    newIds,
    subject,
    subjects: subject ? Array.from({ length: mostWrites }, (_, nth) => subjectOf(nth + 1) ?? "") : [],
    answer: JSON.parse(answer),
    next: 0,
  };
}
