import { z } from "@hono/zod-openapi";
import { notFound } from "../../base/errors.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { operation } from "../../kit/http/document/operation.ts";

/** A reader takes the file for out of date then; it is made anew for each request. */
const validMs = 90 * dayMs;

/** RFC 9116. */
export const securityTxt = operation({
  id: "getSecurityTxt",
  method: "get",
  path: "/.well-known/security.txt",
  tag: "Service",
  summary: "Where to report a vulnerability",
  description: "RFC 9116. 404 where the operator of the deployment has set no contact.",
  credentials: "none",
  errors: ["NOT_FOUND"],
  success: {
    status: 200,
    description: "The contact, and until when it is valid.",
    contentType: "text/plain",
    schema: z.string(),
  },
  handler: ({ c }) => {
    const { SECURITY_CONTACT: contact, PUBLIC_URL } = c.get("env");
    if (!contact) throw notFound("Security contact");
    const expires = new Date(c.get("now").getTime() + validMs).toISOString();
    const canonical = `${PUBLIC_URL}/.well-known/security.txt`;
    const fields = { Contact: contact, Expires: expires, "Preferred-Languages": "en", Canonical: canonical };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
    c.header("Cache-Control", "public, max-age=86400");
    return c.text(lines.join(""));
  },
});
