import type { Log } from "../../../base/lib/log.ts";
import { UnknownOutcomeError } from "../../port.ts";
import type { App } from "./app.ts";
import { type StoredConnection, unsealConnection } from "./connection.ts";

/** The app that a shop is connected by: its webhooks and session tokens are signed with one of the secrets. */
export type SigningApp = {
  /** Undefined for an app whose id nobody has given. */
  clientId: string | undefined;
  /** Two while the secret is replaced; none where it is not known. */
  secrets: string[];
};

/** The app of a shop's connection. Operators have to see that a key does not open it. */
export async function openApp(
  stored: StoredConnection,
  { key, app, log }: { key: string | undefined; app: App | undefined; log: Log },
): Promise<SigningApp> {
  try {
    const { credentials } = await unsealConnection(key, stored);
    if ("app_id" in credentials)
      return app?.clientId === credentials.app_id ? app : { clientId: credentials.app_id, secrets: [] };
    return {
      clientId: credentials.client_id ?? app?.clientId,
      secrets: [credentials.secret, credentials.previous_secret].filter((secret) => secret !== undefined),
    };
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    const { account_id } = stored;
    log("webhook_secret_unreadable", { alert: true, account_id, cause: error.message });
    return { clientId: undefined, secrets: [] };
  }
}
