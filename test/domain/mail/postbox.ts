import type { Answer } from "../../support/client.ts";
import type { Json, Shop } from "../../support/shops.ts";
import type { TestWorker } from "../../support/worker.ts";

/** The operations of mails, through the Worker under test. */
export function postboxOf(of: Shop, worker: TestWorker) {
  const call = (method: string, path: string, body?: unknown, query: Record<string, string | number> = {}) =>
    worker.call<Json>(of.api, method, path, { ...(body === undefined ? {} : { body }), query });
  return {
    call,
    settings: async (): Promise<Json> => must(await call("GET", "/api/account/mail")),
    set: async (body: object): Promise<Json> => must(await call("PUT", "/api/account/mail", body)),
    /** The account's mails, newest first. */
    list: async (query: Record<string, string | number> = {}): Promise<Json[]> =>
      must(await call("GET", "/api/mails", undefined, { limit: 100, ...query })),
    content: async ({ id }: { id: string }): Promise<Json> =>
      must(await call("GET", `/api/mails/${id}/content`)),
  };
}

const kinds = { welcome: { is_enabled: false } };

/** Mails that are kept and printed, without those of new subscriptions, which nearly every test makes. */
export const log = { provider: "log", kinds };

export const resend = {
  kinds,
  provider: "resend",
  from_address: "hello@shop.example.com",
  credentials: { api_key: "re_secret" },
};

/** Where Resend takes mails. */
export const resendUrl = "https://api.resend.com/emails";

function must(answer: Answer<Json>): Json {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body.data;
}
