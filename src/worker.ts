import type { Bindings } from "./base/env.ts";
import { serve } from "./runtime/app.ts";

export { AccountObject } from "./runtime/engine/account-object.ts";

export default {
  fetch: serve,
  async queue(batch, bindings, execution?: ExecutionContext) {
    const { consume } = await import("./runtime/jobs/consume.ts");
    await consume(batch, bindings, execution);
  },
  async scheduled({ scheduledTime }, bindings) {
    const { tick } = await import("./runtime/jobs/tick.ts");
    await tick(bindings, new Date(scheduledTime));
  },
} satisfies ExportedHandler<Bindings>;
