import { dayMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import type { Answer } from "../events/endpoints.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import type { Task } from "../kernel/task.ts";
import type { Peer, PeerAnswer, World } from "../kernel/world.ts";
import { readEventOf } from "./mail-rows.ts";
import { mailerOf, mailUrls, type SimulatedMailer } from "./mailer.ts";

/** The providers of mails. */
export const providers: Peer = {
  isAt: (url) => Object.values<string>(mailUrls).includes(url),
  what: (url) => `send a mail by ${url.slice(12, 18)}`,
  receive: receiveMail,
};

/** The answer of a provider; `body` where it has taken the mail, or says that it has another under its key. */
type ProviderAnswer = { status: number; body: object };

/** A mail arrives at the provider of its account. */
async function receiveMail(
  shared: World,
  task: Task,
  _url: string,
  { headers, body }: RequestInit,
): Promise<PeerAnswer> {
  const world = senderOf(shared, new Headers(headers));
  const mailer = world && mailerOf(world);
  if (!mailer) {
    shared.report("mails are sent by their account", "nobody has such a provider");
    return Response.json({}, { status: 500 });
  }
  const sent = JSON.parse(String(body));
  const key = new Headers(headers).get("idempotency-key") ?? String(sent.Metadata?.mail_id);
  await checkArrival(world, mailer, { task, key, to: String(sent.to?.[0] ?? sent.To) });
  if (!mailer.asked.has(mailOf(key))) mailer.asked.set(mailOf(key), world.clock);
  const answer = world.isQuiesced ? "accepts" : mailer.choices.weighted(mailer.answers);
  world.count("mails received by providers");
  world.log(() => `(${mailer.provider} ${answer} ${key.slice(-8)})`);
  if (answer === "hangs" || answer === "resets") return answer;
  if (answer === "accepts") mailer.reads?.(String(body));
  const { status, body: said } =
    answer === "accepts" ? accept(world, mailer, key, String(body)) : failures[answer]!;
  return Response.json(said, { status });
}

/** None before its commit, none to who was erased, no link when it is of no use any more. */
async function checkArrival(
  world: World,
  { visitor, erased }: SimulatedMailer,
  { task, key, to }: { task: Task; key: string; to: string },
): Promise<void> {
  const { report, clock, restoredTo } = world;
  const event = await readEventOf(world, mailOf(key));
  if (!event) report("no mail before its commit", key);
  const isErased = erased !== undefined && (restoredTo === undefined || erased.commit <= restoredTo);
  if ((to === visitor.email || to.includes(visitor.id)) && isErased && task.bornAt > erased.at)
    report("nobody who was erased is written to", to);
  const age = event === undefined ? 0 : clock - Date.parse(event.created_at);
  if (event?.type === "portal.login_requested" && age > loginMsMax + invocationMsMax)
    report("a sign-in link comes in time", `after ${age / minuteMs} minutes`);
}

/** As docs/sell/mails.md has it. */
const loginMsMax = 15 * minuteMs;
/** So long Resend knows a key. */
const keyMs = dayMs;

/** Resend sends nothing under a key that it knows, and says so where the repetition has other words. */
function accept(
  { clock, count }: World,
  { provider, accepted, known }: SimulatedMailer,
  key: string,
  content: string,
): ProviderAnswer {
  const before = provider === "resend" ? known.get(key) : undefined;
  const isKnown = before !== undefined && clock - before.at < keyMs;
  if (isKnown && before.content !== content)
    return { status: 409, body: { name: "invalid_idempotent_request" } };
  if (!isKnown) {
    accepted.set(mailOf(key), [...(accepted.get(mailOf(key)) ?? []), clock]);
    known.set(key, { content, at: clock });
    count("mails sent");
  }
  return { status: 200, body: { id: key, MessageID: key } };
}

const failures: Partial<Record<Answer, ProviderAnswer>> = {
  fails: { status: 503, body: {} },
  "is busy": { status: 429, body: {} },
};

/** A key is the mail's id and the number of its resend. */
function mailOf(key: string): string {
  return key.slice(0, key.lastIndexOf("-"));
}

function senderOf(shared: World, headers: Headers): World | undefined {
  const token = headers.get("authorization")?.slice("Bearer ".length);
  const id = token ?? headers.get("x-postmark-server-token");
  return shared.worlds.find(({ account }) => account.id === id);
}
