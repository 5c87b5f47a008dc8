import { forgetAccount } from "../../src/base/accounts/queries.ts";
import { first, raw } from "../../src/base/db/statement.ts";
import { addDays } from "../../src/base/lib/time/calendar.ts";
import { answerDeclaration } from "../../src/domain/declarations/actions/answer.ts";
import { todayOf } from "../accounts/today.ts";
import { fromSeed } from "../kernel/choices.ts";
import { spawn, start } from "../kernel/invocations.ts";
import { call } from "../kernel/task.ts";
import { untilDone } from "../kernel/until-done.ts";
import type { Part, World } from "../kernel/world.ts";
import { openMailer } from "../notices/add-mailer.ts";
import { mailerOf } from "../notices/mailer.ts";
import { postForm } from "../portal/pages.ts";
import { commandOf } from "../subscriptions/workload.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { type Confirmed, newDeclarationWatch } from "./watch.ts";

/**
 * Customers and strangers declare on the shop's pages that they leave or withdraw, confirm once, again or in two tabs, and take back by the link of
 * the mail, while the subscription is billed, comes back to life and staff answer what is left for them.
 */
export async function declarations(world: World): Promise<Part> {
  const { choices, subscriptionId: id } = world;
  await openMailer(world, fromSeed(choices.below(1_000_000)));
  forgetAccount(world.account.id);
  const confirmed: Confirmed[] = [];
  const tokens = new Set<string>();
  const mailer = mailerOf(world)!;
  mailer.reads = (content) => {
    const [, token] = /\/leave\/not-me\/([\w.-]+)/.exec(content) ?? [];
    if (token) tokens.add(token);
  };
  const watch = newDeclarationWatch(world);
  let left = 6 + choices.below(16);

  const confirm = (form: Page, fields: Record<string, string>, times: number): Promise<void> => {
    world.count("declarations confirmed");
    return start(
      world,
      `confirm ${form} ${JSON.stringify(fields)}`,
      async (task) => {
        for (let nth = 0; nth < times; nth++) {
          const from = world.clock;
          const { status } = await postForm(world, task, { form, fields: { ...fields, confirm: "1" } });
          if (status === 200)
            confirmed.push({ form, fields, from, at: world.clock, restores: world.restores });
          await call(task, { kind: "answer", what: () => `answer ${status}`, perform: async () => {} });
        }
      },
      () => {},
    );
  };
  const read = (form: Page, fields: Record<string, string>): Promise<void> =>
    start(
      world,
      `read ${form} back`,
      async (task) => {
        await postForm(world, task, { form, fields });
      },
      () => {},
    );
  const takeBack = (token: string): Promise<void> => {
    world.count("declarations taken back");
    return start(
      world,
      "this was not me",
      async (task) => {
        const { status } = await postForm(world, task, { form: `leave/not-me/${token}` });
        if (status === 200) watch.noteTakenBack(token.split(".")[0]!);
      },
      () => {},
    );
  };
  const comeBack = (): Promise<void> =>
    spawn(
      world,
      "come back",
      customer,
      untilDone(world, (ctx) => commandOf("reactivate")(ctx, id, 0, world)),
    );
  const answer = (status: "CARRIED_OUT" | "ANSWERED"): Promise<void> =>
    spawn(
      world,
      "answer a declaration",
      staff,
      untilDone(world, async (ctx) => {
        const found = await first(ctx.db, selectToDo(ctx.account.seq));
        if (found) await answerDeclaration(ctx, { id: found.id, request: { status } });
      }),
    );

  return {
    acts: [
      {
        name: "declare",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 8 : 16) : 0),
        async act() {
          left--;
          const step = choices.weighted([
            ["declare", 12],
            ["again", confirmed.length > 0 ? 3 : 0],
            ["not me", tokens.size > 0 ? 6 : 0],
            ["come back", 6],
            ["answer", 1],
          ] as const);
          if (step === "come back") return comeBack();
          if (step === "answer") return answer(choices.pick(["CARRIED_OUT", "ANSWERED"] as const));
          if (step === "not me") return takeBack(choices.pick([...tokens]));
          if (step === "again") {
            const { form, fields } = confirmed.at(-1)!;
            return confirm(form, fields, 1);
          }
          const [form, fields] = await declared(world);
          if (choices.chance(300)) await read(form, fields);
          const times = choices.weighted([
            [1, 6],
            [3, 1],
          ] as const);
          const tabs = choices.chance(200) ? 2 : 1;
          for (let tab = 0; tab < tabs; tab++) await confirm(form, fields, times);
        },
      },
    ],
    dueAt: ["SELECT MIN(next_action_at) FROM declarations WHERE account_seq = ?1"],
    dueOn: [
      "SELECT MIN(ends_on) FROM subscriptions WHERE account_seq = ?1 AND status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED')",
    ],
    watch: (of, task) => (of === world ? watch.look(task) : undefined),
    rewind: watch.rewind,
    check: () => checkDeclarations(world, confirmed),
  };
}

type Page = Confirmed["form"];

const customer = { type: "customer", name: null } as const;
const staff = { type: "admin", name: "Ada" } as const;

/** A form as somebody fills it in: mostly the customer, about their only subscription. */
async function declared({ choices, ...world }: World): Promise<[form: Page, fields: Record<string, string>]> {
  const { database, account, subscriptionId } = world;
  const found = await first(
    database,
    raw<{ number: string }>(
      "SELECT number FROM subscriptions WHERE account_seq = ? AND id = ?",
      account.seq,
      subscriptionId,
    ),
  );
  const email = choices.pick([
    ...Array(5).fill("cy@customers.test"),
    "CY@customers.test",
    "x@strangers.test",
  ]);
  const number = choices.pick(["", "", "", ` # ${found?.number}`, "999999"]);
  const day = choices.weighted([
    [undefined, 4],
    [1, 2],
    [3, 3],
    [8, 2],
  ] as const);
  const form = choices.pick(["leave", "leave", "leave", "leave", "withdraw"] as const);
  const from: Record<string, string> =
    day === undefined ? { from: "soon" } : { from: "date", date: addDays(todayOf(world as World), day) };
  return [form, { email, name: "Cy", ...(number ? { number } : {}), ...(form === "leave" ? from : {}) }];
}

function selectToDo(seq: number) {
  return raw<{ id: string }>(
    "SELECT id FROM declarations WHERE account_seq = ? AND status = 'TO_DO' AND next_action_at IS NULL LIMIT 1",
    seq,
  );
}
