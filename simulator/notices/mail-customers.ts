import { erasePersonalData } from "../../src/domain/privacy/erase-personal-data.ts";
import { loginJob } from "../../src/domain/sessions/login.ts";
import { spawn } from "../kernel/invocations.ts";
import type { World } from "../kernel/world.ts";
import { mailerOf } from "./mailer.ts";

/** Somebody asks for a link to sign in by: the customer of the subscription, or one who has none. */
export async function askForLink(world: World): Promise<void> {
  const mailer = mailerOf(world);
  if (!mailer) return;
  const email = mailer.choices.pick(["cy@customers.test", mailer.visitor.email]);
  world.count("sign-in links asked for");
  await spawn(world, "a customer asks for a link", system, async (ctx) =>
    ctx.send([await loginJob(ctx, { email, locale: "en", is_printed: false, asked_at: ctx.realNow })]),
  );
}

/** The customer without a subscription is erased; a repetition continues an erasure that was interrupted. */
export async function eraseVisitor(world: World): Promise<void> {
  const mailer = mailerOf(world);
  if (!mailer || mailer.erased) return;
  world.count("customers erased");
  await spawn(
    world,
    "a customer is erased",
    system,
    (ctx) => erasePersonalData(ctx, mailer.visitor.id),
    ({ outcome }) => {
      if (outcome === "done") mailer.erased ??= { at: world.clock, commit: world.commits };
    },
  );
}

const system = { type: "system", name: null } as const;
