import { unwrap } from "./error.ts";

/** What `preview` adds to the parameters of a call. */
type Shown = { query?: { dry_run?: "true" }; header?: { "If-Preview"?: string } };
type Answered = { data?: unknown; error?: unknown; response: Response };

/**
 * Asks what a call would do, and returns that with a function that does exactly it:
 *
 *     const shown = await preview((params) =>
 *       client.POST("/api/subscriptions/{id}/pause", { params: { path: { id }, ...params }, body: {} }));
 *     await shown.confirm();
 *
 * Throws a PerennialError; that of `confirm` is PREVIEW_CHANGED where the call would do something else by now, and has its `preview`.
 */
export async function preview<Answer extends Answered>(ask: (params: Shown) => Promise<Answer>) {
  const answered = await ask({ query: { dry_run: "true" } });
  const data = await unwrap(Promise.resolve(answered));
  const hash = answered.response.headers.get("Preview");
  if (hash === null) throw new Error("The operation has no previews");
  return { data, confirm: () => unwrap(ask({ header: { "If-Preview": hash } })) };
}
