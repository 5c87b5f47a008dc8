import { dayMs, hourMs, minuteMs, secondMs } from "../../src/base/lib/time/durations.ts";
import { afterRestore } from "../../src/edges/operator/after-restore.ts";
import { hearConfirmations } from "../billing/confirmations.ts";
import { settleReviews } from "../billing/settle-reviews.ts";
import { resendSomething, tendEndpoints } from "../events/endpoint-keeper.ts";
import { canRead, readStream } from "../events/stream.ts";
import { askAgain, unanswered } from "../http/client.ts";
import { canMove, moveInOneGo, moveOn } from "../moves/operator.ts";
import { askForLink, eraseVisitor } from "../notices/mail-customers.ts";
import { deliverContractWebhook, editAsMerchant, loseContractWebhook } from "../shopify/merchant.ts";
import { receiveWebhook } from "../stripe/receive-webhooks.ts";
import { keepTrying } from "../subscriptions/keep-trying.ts";
import { sendCommand } from "../subscriptions/workload.ts";
import { crash, readyTasks, step } from "./faults.ts";
import { batchWith, deliver, drain, runToEnd, tick } from "./invocations.ts";
import { passTime } from "./pass-time.ts";
import type { Scenario, World } from "./world.ts";

/**
 * The part of a schedule in which anything may happen: people send commands, messages come in any order, twice or never, cron
 * runs or does not, calls fail or crash, time passes, the database is restored.
 */
export async function faultPhase(world: World): Promise<void> {
  const { choices, queue, shopify, stripe } = world;
  let isOver = false;
  let commands = 1 + choices.below(commandsMax[world.scenario]);
  let merchantEdits = shopify ? choices.below(world.scenario === "restless" ? 8 : 4) : 0;
  let mark: number | undefined;
  let isPatient = world.scenario !== "poor" || choices.chance(500);
  world.faultRate = choices.pick([0, 20, 50, 100, 200]);
  world.isQuiesced = false;

  const possible = (): [Action, number][] => {
    const isBusy = world.tasks.length > 0;
    const isLong = world.scenario !== "usual" && world.scenario !== "restless";
    const ready = queue.ready(world.clock).length;
    const pendingWebhooks = shopify?.contracts.pendingWebhooks.length ?? 0;
    const hooks = stripe?.webhooks?.ready.length ?? 0;
    const actions: [Action, number][] = [
      ["stop", isBusy ? 0 : isLong ? 1 : 3],
      ["step", readyTasks(world).length > 0 ? 200 : 0],
      ["deliver", ready > 0 ? 60 : 0],
      ["command", commands > 0 ? (isBusy ? 10 : 20) : 0],
      ["tick", isBusy ? 2 : 12],
      ["pass", isBusy ? 7 : 25],
      ["lose", ready > 0 ? 3 : 0],
      ["duplicate", ready > 0 ? 6 : 0],
      ["mark", world.isRestorable && mark === undefined ? 6 : 0],
      ["rewind", mark !== undefined && world.restores === 0 ? 3 : 0],
      ["edit as merchant", merchantEdits > 0 ? (isBusy ? 3 : 6) : 0],
      ["deliver webhook", pendingWebhooks > 0 ? 15 : 0],
      ["lose webhook", pendingWebhooks > 0 ? 2 : 0],
      ["receive a webhook", hooks > 0 ? 15 : 0],
      ["settle reviews", world.worlds.some(({ watch }) => watch.underReview().length > 0) ? 3 : 0],
      ["hear confirmations", world.worlds.some(({ confirmations }) => confirmations.length > 0) ? 8 : 0],
      ["ask again", world.worlds.some((one) => unanswered(one).length > 0) ? 6 : 0],
      ["tend endpoints", world.worlds.some(({ endpoints }) => endpoints.length > 0) ? 1 : 0],
      ["resend a delivery", world.worlds.some(({ endpoints }) => endpoints.length > 0) ? 2 : 0],
      ["ask for a link", world.worlds.some(({ mailer }) => mailer) ? 4 : 0],
      ["erase a customer", world.worlds.some(({ mailer }) => mailer && !mailer.erased) ? 1 : 0],
      ["keep trying", isPatient || isBusy ? 0 : 10],
      ["move on", canMove(world) ? 12 : 0],
      ["move in one go", canMove(world) && !isBusy ? 8 : 0],
      ["read the stream", world.worlds.some(canRead) ? 8 : 0],
      ["go on beside", world.aside?.weight(isBusy) ?? 0],
    ];
    return actions.filter(([, weight]) => weight > 0);
  };

  const act = async (action: Action): Promise<void> => {
    switch (action) {
      case "stop":
        isOver = true;
        return;
      case "step":
        return step(world, choices.pick(readyTasks(world)));
      case "deliver":
        return deliver(world, batchWith(world, choices.pick(queue.ready(world.clock))));
      case "command":
        commands--;
        return sendCommand(choices.pick(world.worlds));
      case "tick":
        return tick(world);
      case "pass":
        if (isIdleForDays(world)) return passDays(world);
        return passTime(world, choices.pick(pauses(world)));
      case "lose": {
        const lost = choices.pick(queue.ready(world.clock));
        world.log(() => `a message is LOST: ${lost.body.type}`);
        world.count("messages lost");
        return queue.take(lost);
      }
      case "duplicate": {
        const { body, deliveries } = choices.pick(queue.ready(world.clock));
        world.log(() => `a message comes TWICE: ${body.type}`);
        world.count("messages doubled");
        return queue.put(body, world.clock, deliveries);
      }
      case "mark":
        mark = world.commits;
        world.database.mark?.();
        for (const { watch } of world.worlds) watch.mark();
        return world.log(() => "(a later restore goes back to here)");
      case "rewind":
        return rewind(world, mark!);
      case "edit as merchant":
        merchantEdits--;
        return editAsMerchant(world, shopify!);
      case "deliver webhook":
        return deliverContractWebhook(
          world,
          shopify!,
          choices.below(shopify!.contracts.pendingWebhooks.length),
        );
      case "lose webhook":
        return loseContractWebhook(world, shopify!, choices.below(shopify!.contracts.pendingWebhooks.length));
      case "receive a webhook":
        return receiveWebhook(world, stripe!, choices.below(stripe!.webhooks!.ready.length));
      case "settle reviews":
        for (const one of world.worlds) await settleReviews(one);
        return;
      case "hear confirmations":
        for (const one of world.worlds) await hearConfirmations(one);
        return;
      case "ask again": {
        const one = choices.pick(world.worlds.filter((each) => unanswered(each).length > 0));
        return askAgain(one, choices.pick(unanswered(one)));
      }
      case "tend endpoints":
        for (const one of world.worlds) await tendEndpoints(one);
        return;
      case "resend a delivery":
        return resendSomething(choices.pick(world.worlds));
      case "ask for a link":
        for (const one of world.worlds) await askForLink(one);
        return;
      case "erase a customer":
        for (const one of world.worlds) await eraseVisitor(one);
        return;
      case "keep trying":
        isPatient = true;
        return keepTrying(world);
      case "move on":
        return moveOn(world);
      case "move in one go":
        return moveInOneGo(world);
      case "read the stream":
        return readStream(choices.pick(world.worlds.filter(canRead)));
      case "go on beside":
        return world.aside?.act();
    }
  };

  for (let steps = 0; !isOver && steps < stepsMax[world.scenario] && world.violations.length === 0; steps++)
    await act(choices.weighted(possible()));
  if (mark !== undefined && world.restores === 0) await rewind(world, mark);
  if (choices.chance(500)) for (const task of world.tasks) crash(task);
}

const stepsMax: Record<Scenario, number> = {
  usual: 340,
  restless: 340,
  poor: 340,
  outage: 850,
  "gateway off": 425,
  "gateway on and off": 425,
  challenged: 510,
};

const soon = [secondMs, 15 * secondMs, minuteMs, 2 * minuteMs, 6 * minuteMs, 11 * minuteMs];
const restless = [2 * minuteMs, 11 * minuteMs, hourMs, 5 * hourMs, dayMs];
/** Longer than a challenge waits, and some of it. */
const days = [11 * minuteMs, 5 * hourMs, dayMs, dayMs, 3 * dayMs + 2 * hourMs, 3 * dayMs + 2 * hourMs];
const later = [
  ...[2 * minuteMs, 11 * minuteMs, hourMs, 80 * minuteMs, 6 * hourMs, 22 * hourMs + 58 * minuteMs],
  ...[dayMs, dayMs, 2 * dayMs + 2 * hourMs, 7 * dayMs],
];

const commandsMax: Record<Scenario, number> = {
  usual: 10,
  restless: 25,
  poor: 12,
  outage: 3,
  "gateway off": 5,
  "gateway on and off": 8,
  challenged: 20,
};

function isIdleForDays({ scenario, tasks }: World): boolean {
  return scenario === "challenged" && tasks.length === 0;
}

/** Customers take days to confirm a payment. Sometimes they try to pay anew before cron looks, which finds most of what they did. */
async function passDays(world: World): Promise<void> {
  await passTime(world, world.choices.pick(days));
  if (world.choices.chance(500)) await sendCommand(world);
  await runToEnd(world);
  await tick(world);
  await runToEnd(world);
  await drain(world);
}

/** How much time may pass: little while a task runs. */
function pauses({ tasks, scenario }: World): number[] {
  if (tasks.length > 0) return soon;
  return scenario === "restless" || scenario === "outage" ? restless : later;
}

/** The database goes back to the mark, as an operator would restore it. Running tasks are lost; messages and requests stay. */
async function rewind(world: World, mark: number): Promise<void> {
  for (const task of world.tasks) crash(task);
  world.database.rewind?.();
  for (const { watch, asked } of world.worlds) {
    watch.rewind();
    for (const one of asked) one.effects = one.effects.filter(({ commit }) => commit <= mark);
  }
  await afterRestore(world.database);
  world.alarm?.soon();
  world.restores++;
  world.restoredTo = mark;
  world.count("restores");
  world.log(() => "THE DATABASE IS RESTORED to the point marked before");
  world.shopify?.contracts.lostWebhooks.clear();
  await world.aside?.afterRestore?.();
}

type Action =
  | "stop"
  | "step"
  | "deliver"
  | "command"
  | "tick"
  | "pass"
  | "lose"
  | "duplicate"
  | "mark"
  | "rewind"
  | "edit as merchant"
  | "deliver webhook"
  | "lose webhook"
  | "receive a webhook"
  | "settle reviews"
  | "hear confirmations"
  | "ask again"
  | "tend endpoints"
  | "resend a delivery"
  | "ask for a link"
  | "erase a customer"
  | "keep trying"
  | "move on"
  | "move in one go"
  | "read the stream"
  | "go on beside";
