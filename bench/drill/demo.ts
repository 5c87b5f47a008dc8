import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { callerOf } from "../cases.ts";
import { runClients } from "../soak/clients.ts";
import { moveClock } from "../soak/clock.ts";
import { readSignIns } from "../soak/ledger.ts";
import { newState, type State } from "../soak/load.ts";
import { type Machine, newMachine } from "../soak/machine.ts";
import { quietBooks } from "../soak/quiet.ts";
import { addEndpoint, openReceiver } from "../soak/receiver.ts";

/** The findings of a part of the drill. */
export type Found = { figures: string; faults: string[] };

export type Demo = {
  machine: Machine;
  state: State;
  operatorKey: string;
  lines: string[];
  /** Has clients at work, and days go by, until something is done. Returns the answers that should not have been. */
  work: (act: () => Promise<void>, isKilled?: boolean) => Promise<string[]>;
  /** The charges that were made, and the faults of the ledger once nothing is under way. */
  close: () => Promise<Found>;
  remove: () => Promise<void>;
};

/** The demo store on one machine, with an endpoint for its events. */
export async function openDemo(program: string): Promise<Demo> {
  const lines: string[] = [];
  const machine = await newMachine(program, (line) => void lines.push(line));
  const operatorKey = randomBytes(32).toString("base64");
  await machine.start({ args: ["--demo"], env: { OPERATOR_KEY: operatorKey } });
  const receiver = await openReceiver();
  const caller = await callerOf(machine.address);
  await addEndpoint(machine.address, receiver.url, caller);
  const { emails } = readSignIns(machine.file);
  const state = newState({ caller, address: machine.address, seeded: 60, emails, seed: 1 });
  const remove = async (): Promise<void> => {
    await machine.remove();
    receiver.close();
  };

  return {
    ...{ machine, state, operatorKey, lines, remove },
    async work(act, isKilled = false) {
      let isDone = false;
      const isOver = () => isDone;
      const acting = act().finally(() => {
        isDone = true;
      });
      const [unexpected] = await Promise.all([
        runClients({ address: machine.address, count: 3, isOver, state, tally: new Map(), isKilled }),
        moveClock(machine.address, isOver, state),
        acting,
      ]);
      return unexpected;
    },
    async close() {
      const { charges, orders, deliveries, faults } = await quietBooks(machine.file, state);
      await remove();
      return {
        figures: `${charges} charges, ${orders} orders, ${deliveries} events delivered`,
        faults: faults.map(({ what, count }) => `${count} ${what}`),
      };
    },
  };
}

export function seconds(count: number): () => Promise<void> {
  return () => wait(count * 1000);
}
