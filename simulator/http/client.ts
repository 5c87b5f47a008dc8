import { raw, read } from "../../src/base/db/statement.ts";
import { dayMs, hourMs } from "../../src/base/lib/time/durations.ts";
import { repetitionsOf } from "../billing/check-attempts.ts";
import { start } from "../kernel/invocations.ts";
import { call } from "../kernel/task.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { type Asked, askedOf, noteAsked } from "./asked.ts";
import { requestOf } from "./requests.ts";
import { type Served, serveAsked } from "./serve.ts";

/** Asks for something over HTTP. Until the client hears an answer, it asks again with the same key (`askAgain`). */
export async function askFirst(world: World, name: string, n: number): Promise<void> {
  const request = await requestOf(world, name, n);
  if (!request) return;
  const asked: Asked = {
    ...request,
    name: `${name} (${n})`,
    key: `key-${world.newId()}`,
    credential: credentialFor(world),
    at: world.clock,
    isFirst: true,
    isOver: false,
    underWay: 0,
    effects: [],
    answers: [],
  };
  askedOf(world).push(asked);
  return ask(world, asked);
}

/** The requests of which the client has heard nothing. Most clients wait for a connection to end before they ask again. */
export function unanswered(world: World): Asked[] {
  return askedOf(world).filter(({ isOver, underWay }) => !isOver && underWay < (world.isQuiesced ? 1 : 2));
}

/**
 * Asks again, unless so much later that nobody knows whether the key is forgotten by then. Whoever comes back once it surely is asks for
 * something new by it.
 */
export async function askAgain(world: World, asked: Asked): Promise<void> {
  const age = world.clock - asked.at;
  if (age > patienceMs) asked.isOver = true;
  if (age > forgottenMs && asked.isFirst) return askAnew(world, asked);
  if (asked.isOver) return;
  world.count("requests repeated");
  await ask(world, asked);
}

function askAnew(world: World, asked: Asked): Promise<void> {
  const anew = { ...asked, isFirst: false, at: world.clock, isOver: false, effects: [], answers: [] };
  world.count("requests with a key that is forgotten");
  askedOf(world).push(anew);
  return ask(world, anew);
}

/** Less than a key is kept for, and more. */
const patienceMs = 20 * hourMs;
const forgottenMs = 26 * hourMs;

/** Now and then a program is configured with a wrong key. */
function credentialFor({ choices, worlds }: World): Asked["credential"] {
  if (!choices.chance(50)) return "own";
  return worlds.length > 1 && choices.chance(500) ? "another's" : "guessed";
}

function ask(world: World, asked: Asked): Promise<void> {
  const { name, body = {} } = asked;
  if ("allow_repeat" in body) repetitionsOf(world).add(instantOf(world));
  asked.underWay++;
  world.count("requests over HTTP");
  return start(
    world,
    `${name} over HTTP`,
    async (task) => {
      noteAsked(task, asked);
      const before = { stored: await storedAnswerOf(world, asked), commit: world.commits };
      const served = await serveAsked(world, task, asked);
      if (asked.credential === "own") checkAnswer(world, asked, served, before);
      else checkRefused(world, asked, served);
      asked.answers.push(textOf(served));
      const what = () => `answer ${served.status}`;
      const hear = async () => {
        asked.isOver ||= !isPassing(served);
      };
      await Promise.all([call(task, { kind: "answer", what, perform: hear }), ...served.rest]);
    },
    () => {
      asked.underWay--;
    },
  );
}

/** An answer after which a client asks again: nothing is known of what it has asked for. */
function isPassing({ status, text }: Served): boolean {
  return status >= 500 || status === 429 || text.includes('"IDEMPOTENCY_IN_PROGRESS"');
}

/** The attempts that people may cause in an hour can be used up as faults stop, and once more by those who ask again then. */
function isLimited({ clock, quiescedAt }: World, { status }: Served): boolean {
  return status === 429 && clock - quiescedAt <= 2 * hourMs;
}

function textOf({ status, text }: Served): string {
  return `${status} ${text}`;
}

/** The answer that is stored for a key. */
async function storedAnswerOf(
  { database, account, clock }: World,
  { key }: Asked,
): Promise<{ status: number; body: string } | undefined> {
  const [[stored]] = await read(database, [
    raw<{ status: number; body: string }>(
      "SELECT status, body FROM idempotency_keys WHERE account_seq = ? AND key = ? AND state = 'DONE' AND created_at > ?",
      ...[account.seq, key, new Date(clock - dayMs).toISOString()],
    ),
  ]);
  return stored;
}

/** The answer that was stored for a key as a request with it began, and the last commit. */
type Before = { stored: Awaited<ReturnType<typeof storedAnswerOf>>; commit: number };

/** A key has one answer: the stored one, word for word, or one about what an earlier request with it has done. */
function checkAnswer(world: World, asked: Asked, served: Served, { stored, commit }: Before): void {
  const { report, isQuiesced } = world;
  const { name, method, answers } = asked;
  if (isPassing(served)) {
    if (isQuiesced && !isLimited(world, served))
      report("a repeated request is answered", `${name}: ${textOf(served)}`);
    return;
  }
  if (method !== "POST") return;
  const rule = "a key has one answer";
  if (stored && served.text !== stored.body)
    report(rule, `${name}: ${textOf(served)} instead of ${stored.status} ${stored.body}`);
  if (stored && !answers.includes(`${stored.status} ${stored.body}`))
    report(rule, `${name} was never answered ${stored.status} ${stored.body}`);
  const done = asked.effects.filter((effect) => effect.commit <= commit);
  const begun = done.findLast(({ attempt }) => attempt !== undefined)?.attempt;
  if (done.length > 0 && served.status >= 400)
    report(rule, `${name} was done, and is refused: ${textOf(served)}`);
  if (begun !== undefined && !served.text.includes(begun))
    report(rule, `${name} began attempt ${begun}, and answers ${served.text}`);
}

/** Who is not proven is told so, and so is who asks for another account's record, unless a date is past by the key's own account. */
function checkRefused({ report }: World, { credential, name }: Asked, { status, text }: Served): void {
  const expected =
    credential === "guessed" ? [401] : text.includes("must not be in the past") ? [400] : [404];
  if (![...expected, 429].includes(status) && status < 500)
    report("a wrong key reaches nothing", `${name} with a key that is ${credential}: ${status} ${text}`);
}
