/** A request to Stripe is a form with nested names, and every text in it arrives as it is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeForm } from "./form.ts";

const encoded = (params: object) => decodeURIComponent(encodeForm(params).toString());

describe("the form that a request is sent as", () => {
  test("names the parts of objects and lists in brackets", () => {
    expect(encoded({ amount: 1000, metadata: { key: "a b&c" }, expand: ["latest_charge", "customer"] })).toBe(
      "amount=1000&metadata[key]=a+b&c&expand[0]=latest_charge&expand[1]=customer",
    );
    expect(encoded({ created: { gte: 5 }, automatic_payment_methods: { enabled: true } })).toBe(
      "created[gte]=5&automatic_payment_methods[enabled]=true",
    );
  });

  test("leaves out what is undefined, and empties what is null", () => {
    expect(encoded({ customer: undefined, description: null })).toBe("description=");
  });

  test("keeps every text as it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const sent = new URLSearchParams(encodeForm({ metadata: { text } }).toString());
        expect(sent.get("metadata[text]")).toBe(text);
      }),
    );
  });
});
