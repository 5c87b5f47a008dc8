import { setTimeout as wait } from "node:timers/promises";

type Asking = {
  /** The deployment's public address. */
  url: string;
  fetch?: typeof globalThis.fetch;
  /** How often it is asked, two seconds apart: a new deployment takes a while to be everywhere. */
  tries?: number | undefined;
  pauseMs?: number | undefined;
};

/**
 * Why a deployment does not serve; undefined if it does. Its settings are checked by its first request, secrets included, which nobody
 * can read back before.
 */
export async function findHealthFault({
  url,
  fetch = globalThis.fetch,
  tries = 30,
  pauseMs = 2_000,
}: Asking): Promise<string | undefined> {
  let fault: string | undefined;
  for (let tried = 1; ; tried++) {
    fault = await fetch(`${url}/health`, { redirect: "manual" }).then(
      ({ status }) => (status === 200 ? undefined : `answers ${status}`),
      () => "cannot be reached",
    );
    if (fault === undefined || tried === tries) break;
    await wait(pauseMs);
  }
  return fault && `${url}/health ${fault}`;
}
