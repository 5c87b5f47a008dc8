import { commit } from "../../src/base/db/commit.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { raw } from "../../src/base/db/statement.ts";
import { changeMailSettings } from "../../src/domain/mail/actions/change-settings.ts";
import { profiles } from "../../src/domain/profiles/tables.ts";
import { readLastSequence } from "../events/endpoint-rows.ts";
import type { Answers } from "../events/endpoints.ts";
import { type Choices, fromSeed } from "../kernel/choices.ts";
import { runToEnd, spawn } from "../kernel/invocations.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { mailerOf } from "./mailer.ts";

/** Has the account write to its customers, in some schedules. */
export async function addMailer(world: World, seed: number): Promise<void> {
  const choices = fromSeed(seed ^ apart);
  if (choices.below(4) === 0) await openMailer(world, choices);
}

/** Has the account write to its customers by a provider whose answers come from choices of its own. */
export async function openMailer(world: World, choices: Choices): Promise<void> {
  const { account, database, newId } = world;
  const provider = choices.pick(["resend", "postmark"] as const);
  const visitor = { id: newId(), email: "di@customers.test" };
  const stamps = { created_at: instantOf(world), updated_at: instantOf(world) };
  const isToldAll = choices.below(2);
  Object.assign(account, { portal: '{"is_enabled":true}', notify_every_retry: isToldAll });
  await commit({ db: database }, [
    insertRow(profiles, {
      ...{ ...stamps, ...visitor, account_seq: account.seq, revision: 1, email_folded: visitor.email },
      ...{ search_identity: "", search_other: "" },
    }),
    raw(
      "UPDATE accounts SET portal = ?, notify_every_retry = CAST(? AS INTEGER) WHERE seq = ?",
      ...[account.portal, isToldAll, account.seq],
    ),
  ]);
  const after = await readLastSequence(world);
  const credentials = provider === "resend" ? { api_key: account.id } : { server_token: account.id };
  const kinds = { welcome: { is_enabled: true }, receipt: { is_enabled: true } };
  const from_address = "shop@example.com";
  await spawn(world, `write to customers (${provider})`, { type: "api", name: "Setup" }, async (ctx) => {
    await changeMailSettings(ctx, {
      changes: { provider, from_address, credentials, kinds, reminders: [] },
      dryRun: false,
    });
    mailerOf.set(world, {
      ...{ provider, choices, after, visitor, answers: choices.pick(tempers), erased: undefined },
      ...{ asked: new Map(), accepted: new Map(), known: new Map() },
    });
  });
  await runToEnd(world);
  world.count("accounts with mails");
}

const apart = 0x6d61696c;

const down: Answers = [
  ["fails", 4],
  ["hangs", 3],
  ["is busy", 3],
  ["resets", 3],
];
/** Providers that are well, that answer now so and now so, and that are down until faults stop. */
const tempers: readonly Answers[] = [[["accepts", 1]], [["accepts", 8], ...down], down];
