import { z } from "@hono/zod-openapi";
import { isLocalPicture, notHttps } from "../../../base/pictures.ts";

const maxUrl = 2_048;
const label = "[A-Za-z0-9]+(-[A-Za-z0-9]+)*";

/** An address that the portal's pages lead to. */
export const httpsUrl = addressOf(isPlainHttps);

/** An address that the portal's pages load a picture from. A file of a local server's own has no https: who stores it asks whose it is. */
export const pictureUrl = addressOf((text) => isPlainHttps(text) || isLocalPicture(text));

function addressOf(isAllowed: (text: string) => boolean) {
  return z
    .string()
    .refine(isAllowed, notHttps)
    .openapi({ pattern: `^https://(${label}\\.)+[A-Za-z]{2,20}/[A-Za-z0-9/_.-]*$`, maxLength: maxUrl });
}

/**
 * Parsers mend what no address holds (a backslash, a tab, an end of line, an empty user), each in its own way, so that it is refused.
 * Its host goes into the pages' Content-Security-Policy, so it holds nothing that a policy could be divided by.
 */
function isPlainHttps(text: string): boolean {
  if (text.length > maxUrl || !written.test(text) || !URL.canParse(text)) return false;
  return /^[a-z0-9.-]+$/.test(new URL(text).hostname);
}

/** A scheme, a host without a user, and a path or query without a fragment. */
const written = /^https:\/\/[^\s\p{Cc}\\/?#@]+([/?][^\s\p{Cc}\\#]*)?$/iu;
