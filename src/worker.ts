import { serve } from "./app.ts";
import type { Bindings } from "./env.ts";

export { AccountObject } from "./engine/account-object.ts";

export default {
  fetch: serve,
  async queue(batch, bindings, execution?: ExecutionContext) {
    const { consume } = await import("./jobs/consume.ts");
    await consume(batch, bindings, execution);
  },
  async scheduled({ scheduledTime }, bindings) {
    const { tick } = await import("./jobs/tick.ts");
    await tick(bindings, new Date(scheduledTime));
  },
} satisfies ExportedHandler<Bindings>;
