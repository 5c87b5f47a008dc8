import { randomBytes } from "node:crypto";
import { moveCommands } from "../../scripts/account/move.ts";
import { openFile } from "../../scripts/storage/local.ts";
import { demoShop } from "../../src/base/demo.ts";
import { buildScript } from "../build.ts";
import { callerOf } from "../cases.ts";
import { signingKey } from "../requests.ts";
import { serve } from "../serve.ts";
import { runClients, type Tally } from "../soak/clients.ts";
import { randomFrom } from "../soak/load.ts";
import { quietBooks } from "../soak/quiet.ts";
import type { Found } from "./demo.ts";

/** An account moves to an object and back under load, in the local runtime of the edge. Writes are refused meanwhile, and nothing else is. */
export async function drillMoves(): Promise<Found> {
  const operatorKey = randomBytes(32).toString("base64");
  const consumer = { maxBatchTimeout: 1, maxRetries: 10, retryDelay: 2 };
  const served = await serve({
    ...{ script: buildScript(), subscriptions: 60, objects: true, cache: true },
    entry: "bench/soak/entry.js",
    bindings: {
      ...{ ENVIRONMENT: "local", TEST_CLOCKS: "on", OPERATOR_KEY: operatorKey },
      JWT_PRIVATE_JWK: await signingKey(),
      STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
    },
    settings: {
      queueProducers: { JOBS: "jobs", EVENTS: "events" },
      queueConsumers: { jobs: { ...consumer, maxBatchSize: 10 }, events: { ...consumer, maxBatchSize: 1 } },
    },
  });
  Object.assign(process.env, { OPERATOR_URL: served.address, OPERATOR_KEY: operatorKey });
  const tally: Tally = new Map();
  let isOver = false;
  const state = {
    ...{ caller: await callerOf(served.address), address: served.address, emails: [], linksAsked: 0 },
    ...{ random: randomFrom(1), created: [], seeded: 60, today: new Date().toISOString() },
  };
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
