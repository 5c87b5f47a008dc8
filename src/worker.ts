import { app } from "./app.ts";
import type { Bindings } from "./env.ts";
import { consume } from "./jobs/consume.ts";
import { tick } from "./jobs/tick.ts";

export { AccountObject } from "./engine/account-object.ts";

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled({ scheduledTime }, bindings) {
    await tick(bindings, new Date(scheduledTime));
  },
} satisfies ExportedHandler<Bindings>;
