/** A deployment publishes its security contact by RFC 9116, or none. */
import { describe, expect, test } from "vitest";
import { deployment, nobody, origin } from "../../support/client.ts";

const path = "/.well-known/security.txt";

function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
}

describe("GET /.well-known/security.txt (RFC 9116)", () => {
  test.each(["mailto:security@example.com", "https://example.com/security"])(
    "names the deployment's contact, and is valid for less than a year: %s",
    async (contact) => {
      const { status, headers, text } = await deployment({ SECURITY_CONTACT: contact })(nobody, "GET", path);
      expect([status, headers.get("Content-Type")]).toEqual([
        200,
        expect.stringMatching(/^text\/plain; ?charset=utf-8$/i),
      ]);
      const { Contact, Expires, Canonical, ...more } = fieldsOf(text);
      expect([Contact, Canonical, more]).toEqual([contact, origin + path, { "Preferred-Languages": "en" }]);
      const days = (Date.parse(Expires!) - Date.now()) / 86_400_000;
      expect(days > 30 && days < 365).toBe(true);
    },
  );

  test("is 404 where there is none", async () => {
    const { status, body } = await deployment({ SECURITY_CONTACT: undefined } as object)(nobody, "GET", path);
    expect([status, body.errorCode]).toEqual([404, "NOT_FOUND"]);
  });

  test.each(["security@example.com", "http://example.com", "javascript:alert(1)"])(
    "%s is no contact: the setting is refused, opaquely to callers",
    async (contact) => {
      const { status, body } = await deployment({ SECURITY_CONTACT: contact })(nobody, "GET", path);
      expect([status, body.errorCode]).toEqual([500, "INTERNAL"]);
    },
  );
});
