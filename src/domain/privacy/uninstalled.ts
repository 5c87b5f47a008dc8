import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";

/** Whether the store confirms that its shop has uninstalled the app; if so the account is disconnected. */
export async function isUninstalled({ store }: Ctx): Promise<boolean> {
  return (await store.disconnectIfUninstalled?.()) ?? false;
}

export async function checkInstallation(ctx: Ctx): Promise<JobOutcome> {
  await isUninstalled(ctx);
  return "done";
}
