import type { Env } from "./env.ts";
import { invalid } from "./errors.ts";

type Here = { env: Pick<Env, "PUBLIC_URL"> };

/** The address of a picture. One of the deployment's own is stored as its path, as nobody knows at which port it will be asked for. */
export function pictureUrl<Stored extends string | null>({ env }: Here, stored: Stored): Stored | string {
  return stored?.startsWith("/") ? env.PUBLIC_URL + stored : stored;
}

/** A picture's address as it is stored. Throws VALIDATION_FAILED where it is neither https nor a file of the deployment's own. */
export function storedPicture({ env }: Here, url: string | null, path: string): string | null {
  if (url?.startsWith(`${env.PUBLIC_URL}/assets/`)) return url.slice(env.PUBLIC_URL.length);
  if (url?.startsWith("http:")) throw invalid([{ path, message: notHttps }]);
  return url;
}

/** Whether it is a picture among the files of a local server, which has no https. */
export function isLocalPicture(url: string): boolean {
  return local.test(url);
}

const local = /^http:\/\/(127\.0\.0\.1|localhost)(:\d{1,5})?\/assets\/[a-z0-9/-]+\.svg$/;

export const notHttps = "must be an https address without user and fragment";
