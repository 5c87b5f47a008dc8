import { finalStateOf } from "../accounts/final-state.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, Scenario } from "../kernel/world.ts";
import { checkPrepaid } from "./check-prepaid.ts";
import { checkState } from "./check-state.ts";
import { keepTrying } from "./keep-trying.ts";
import { watchChanges } from "./watch-changes.ts";
import { sendCommand } from "./workload.ts";

/** The commands that are left, and whether nobody tries again and again any more. */
const plans = perAccount(() => ({ commands: 0, isPatient: true }));

/** People and programs change subscriptions. */
export const subscriptions: Part = {
  begin: (world) => {
    plans(world).commands = 1 + world.choices.below(commandsMax[world.scenario]);
  },
  acts: [
    {
      name: "command",
      weight: (world, isBusy) => (plans(world).commands > 0 ? (isBusy ? 10 : 20) : 0),
      act: (world) => {
        plans(world).commands--;
        return sendCommand(world.choices.pick(world.worlds));
      },
    },
  ],
  watch: watchChanges,
  async comeBack(world) {
    if (world.choices.chance(500)) await sendCommand(world);
  },
  dueAt: [
    `SELECT MIN(s.created_at) FROM subscriptions AS s JOIN accounts AS a ON a.seq = s.account_seq
      WHERE s.account_seq = ?1 AND s.store_contract_id IS NULL AND a.store = 'sandbox'`,
  ],
  dueOn: ["SELECT MIN(due_on) FROM subscriptions WHERE account_seq = ?1"],
  async checkAccount(world) {
    const state = await finalStateOf(world);
    checkPrepaid(world, state);
    checkState(world, state);
  },
};

/** Somebody tries again and again. */
export const impatience: Part = {
  begin: (world) => {
    plans(world).isPatient = world.scenario !== "poor" || world.choices.chance(500);
  },
  acts: [
    {
      name: "keep trying",
      weight: (world, isBusy) => (plans(world).isPatient || isBusy ? 0 : 10),
      act: (world) => {
        plans(world).isPatient = true;
        return keepTrying(world);
      },
    },
  ],
};

const commandsMax: Record<Scenario, number> = {
  usual: 10,
  restless: 25,
  poor: 12,
  outage: 3,
  "gateway off": 5,
  "gateway on and off": 8,
  challenged: 20,
};
