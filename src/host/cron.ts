import type { Log } from "../base/lib/log.ts";
import { atMost } from "./at-most.ts";

/** Calls the tick at once and then each minute. One that takes longer is not called again beside itself. */
export function startCron(tick: (scheduledTime: number) => Promise<void>, log: Log) {
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= tick(Date.now())
      .catch((error) => log("tick_threw", { alert: true, cause: String(error) }))
      .finally(() => {
        running = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, 60_000);
  return {
    async stop(ms: number): Promise<void> {
      clearInterval(timer);
      await atMost(ms, running);
    },
  };
}
