import { app } from "./app.ts";
import type { Bindings } from "./env.ts";
import { consume } from "./jobs/consume.ts";
import { tick } from "./jobs/tick.ts";

export default {
  fetch: (request: Request, bindings: Bindings, ctx: ExecutionContext) => app().fetch(request, bindings, ctx),
  queue: consume,
  async scheduled({ scheduledTime }, bindings) {
    await tick(bindings, new Date(scheduledTime));
  },
} satisfies ExportedHandler<Bindings>;
