import { randomBytes } from "node:crypto";
import { moveCommands } from "../../scripts/account/move.ts";
import { openFile } from "../../scripts/storage/local.ts";
import { demoShop } from "../../src/base/demo.ts";
import { callerOf } from "../cases.ts";
import { runClients, type Tally } from "../soak/clients.ts";
import { newState } from "../soak/load.ts";
import { quietBooks } from "../soak/quiet.ts";
import { openRuntime } from "../soak/runtime.ts";
import type { Found } from "./demo.ts";

/** An account moves to an object and back under load, in the local runtime of the edge. Writes are refused meanwhile, and nothing else is. */
export async function drillMoves(): Promise<Found> {
  const operatorKey = randomBytes(32).toString("base64");
  const served = await openRuntime(60, { objects: true, bindings: { OPERATOR_KEY: operatorKey } });
  Object.assign(process.env, { OPERATOR_URL: served.address, OPERATOR_KEY: operatorKey });
  const tally: Tally = new Map();
  let isOver = false;
  const caller = await callerOf(served.address);
  const state = newState({ caller, address: served.address, seeded: 60, emails: [], seed: 1 });
  const clients = runClients({
    ...{ address: served.address, count: 3, state, tally },
    isOver: () => isOver,
    isKilled: false,
  });
  const tick = async () => void (await fetch(`${served.address}/tick`));
  const cron = setInterval(() => tick().catch(() => undefined), 2_000);
  const directory = openFile(served.file ?? "");
  const began = Date.now();
  for (const to of ["object", "d1"])
    await moveCommands.move?.run(directory, { shop: demoShop, to, force: true }, {
      say: () => undefined,
    } as never);
  const took = Math.round((Date.now() - began) / 1000);
  isOver = true;
  const unexpected = await clients;
  directory.close();
  const { charges, orders, faults } = await quietBooks(served.file ?? "", state, tick);
  const isClosed = (answer: string) => / 503 /.test(answer);
  clearInterval(cron);
  await served.stop();
  return {
    figures: `there and back in ${took} s, ${unexpected.filter(isClosed).length} writes refused, ${charges} charges, ${orders} orders`,
    faults: [
      ...unexpected.filter((answer) => !isClosed(answer)),
      ...faults.map(({ what, count }) => `${count} ${what}`),
    ],
  };
}
