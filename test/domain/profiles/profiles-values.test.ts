/** A value that is not valid is refused by the name of its field. */
import { describe, expect, test } from "vitest";
import { faults } from "../../support/records.ts";
import { type Body, instant, newEmail, nullable, useProfiles } from "./profiles.setup.ts";

const { post } = useProfiles();

describe("a value that is not valid: 400 that names its field", () => {
  const long = "x".repeat(10_001);
  const cases: [string, Body][] = [
    ["email", { email: undefined }],
    ["email", { email: null }],
    ["email", { email: 1 }],
    ["email", { email: "" }],
    ["email", { email: "nobody" }],
    ["email", { email: "@customers.test" }],
    ["email", { email: "a@" }],
    ["email", { email: "a b@customers.test" }],
    ["email", { email: " a@customers.test" }],
    ["email", { email: "a@customers.test\n" }],
    ["email", { email: "a@b@customers.test" }],
    ["email", { email: "Ada <a@customers.test>" }],
    ["email", { email: `${"x".repeat(320)}@customers.test` }],
    ["email_status", { email_status: "SUBSCRIBED" }],
    ["email_status", { email_status: "" }],
    ["sms_status", { sms_status: "yes" }],
    ["created_at", { created_at: "2024-05-01" }],
    ["created_at", { created_at: "2024-05-01T00:00:00" }],
    ["created_at", { created_at: "2024-02-30T00:00:00Z" }],
    ["created_at", { created_at: 1_700_000_000 }],
    ["updated_at", { updated_at: "yesterday" }],
    ...nullable.flatMap((name): [string, Body][] => [
      [name, { [name]: 1 }],
      [name, { [name]: long }],
      [name, { [name]: { a: 1 } }],
    ]),
    ["title", { title: long }],
    ["ip", { ip: [] }],
    ["country_code", { country_code: 7 }],
    ...[
      "id",
      "account_id",
      "full_name",
      "full_address",
      "store_customer_id",
      "deleted_at",
      "revision",
      "seq",
      "email_folded",
      "__proto__x",
    ].map((name): [string, Body] => [name, { [name]: "x" }]),
  ];
  test.each(cases)("%s: %o", async (name, fields) => {
    const answer = await post({ email: newEmail(), ...fields });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test.each([["created_at"], ["updated_at"]])(
    "an instant beyond the years of a four-digit calendar breaks the shape of %s",
    async (name) => {
      for (const value of ["9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00"]) {
        const answer = await post({ email: newEmail(), [name]: value });
        if (answer.status === 200) expect(answer.body.data[name], value).toMatch(instant);
        else expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", name]);
      }
    },
  );
});
