import { z } from "@hono/zod-openapi";

const maxUrl = 2_048;
const label = "[A-Za-z0-9]+(-[A-Za-z0-9]+)*";

/** An address that the portal's pages lead to or load a picture from. */
export const httpsUrl = z
  .string()
  .refine(isPlainHttps, "must be an https address without user and fragment")
  .openapi({ pattern: `^https://(${label}\\.)+[A-Za-z]{2,20}/[A-Za-z0-9/_.-]*$`, maxLength: maxUrl });

/** Its host goes into the pages' Content-Security-Policy, so it holds nothing that a policy could be divided by. */
function isPlainHttps(text: string): boolean {
  if (text.length > maxUrl || !URL.canParse(text)) return false;
  const { protocol, username, password, hash, hostname } = new URL(text);
  return protocol === "https:" && username + password + hash === "" && /^[a-z0-9.-]+$/.test(hostname);
}
