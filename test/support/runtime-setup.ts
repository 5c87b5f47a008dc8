/** The beginning of every file that runs on the runtime: an empty database, and the Worker loaded once. */
import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect } from "vitest";
import { loadWorkerOnce } from "./load-once.ts";
import { emptyDatabase, leadToNearDatabase } from "./near.ts";
import { areOnObjects, chooseEngine, forgetObjects, inObject } from "./objects.ts";

chooseEngine(expect.getState().testPath as string);
leadToNearDatabase();
loadWorkerOnce();

/** Files share one isolate, for speed. The schema is made in one batch, which takes a tenth of what the migrations do. */
beforeAll(async () => {
  await reset();
  await emptyDatabase();
  await env.DB.batch(env.TEST_SCHEMA.map((sql) => env.DB.prepare(sql)));
});

/** An alarm at an instant of a test's own clock would ring at once, beside the test; `tick` does what alarms do. */
beforeAll(async () => {
  forgetObjects();
  if (!areOnObjects) return;
  const prototype = await inObject("alarms", ({ storage }) => Object.getPrototypeOf(storage));
  const { setAlarm } = prototype;
  prototype.setAlarm = async () => {};
  return () => {
    prototype.setAlarm = setAlarm;
  };
});
