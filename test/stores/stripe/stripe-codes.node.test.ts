/** Each code of Stripe means for billing what its documentation says; failures.test.ts has what then follows. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { StoreRefusalError } from "../../../src/stores/port.ts";
import { apiVersion } from "../../../src/stores/stripe/client.ts";
import {
  asksForCustomer,
  classifyFailure,
  declineClasses,
  errorClasses,
  merchantCodes,
} from "../../../src/stores/stripe/declines.ts";
import { classifyRefusal, refusesAccount } from "../../../src/stores/stripe/refusals.ts";
import type { Consequence } from "../shopify/stated-consequences.ts";
import { statedConsequences, statedOfErrors } from "./stated-consequences.ts";

const published = "node_modules/stripe/esm";

/** The error codes of a payment, as Stripe's own library has them. */
function publishedCodes(): string[] {
  const types = readFileSync(`${published}/resources/PaymentIntents.d.ts`, "utf8");
  const [, union = ""] = /namespace LastPaymentError \{\s*type Code = ([^;]*);/.exec(types) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
}

const consequences = ["tries again", "waits for the customer", "waits for others"] as const;

const statedOfDeclines: Record<string, Consequence> = Object.fromEntries(
  Object.entries(statedConsequences).map(([code, [consequence]]) => [code, consequence]),
);

/** The consequence of every code, stated apart from the tables that the adapter reads. */
const stated: Record<string, Consequence> = {
  ...Object.fromEntries(consequences.flatMap((each) => statedOfErrors[each].map((code) => [code, each]))),
  ...statedOfDeclines,
  invalid_request_error: "waits for others",
};

const meanings = {
  "tries again": { failure: "customer", isFinal: false },
  "waits for the customer": { failure: "customer", isFinal: true },
  "waits for others": { failure: "merchant", isFinal: false },
};

type Meaning = { failure: string; isFinal: boolean; isRefused: boolean; code: string };

/** Compares the meaning of each code with what is stated of it; a difference shows the code. */
function expectStated(
  of: Record<string, Consequence>,
  isRefused: boolean,
  classify: (code: string) => Meaning,
): void {
  const meaningOf = (code: string) => {
    const { failure, isFinal, ...rest } = classify(code);
    return { failure, isFinal, isRefused: rest.isRefused, code: rest.code };
  };
  const found = Object.keys(of).map((code) => [code, meaningOf(code)]);
  const expected = Object.entries(of).map(([code, each]) => [code, { ...meanings[each], isRefused, code }]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}

test("every error code that Stripe has published has a class", () => {
  const known = new Set([...merchantCodes, ...Object.keys(errorClasses), ...Object.keys(declineClasses)]);
  expect(publishedCodes().length).toBeGreaterThan(200);
  expect(publishedCodes().filter((code) => !known.has(code))).toEqual([]);
});

test("every code that has a class has a stated consequence, and no other code has one", () => {
  expect(Object.keys(declineClasses).toSorted()).toEqual(Object.keys(statedOfDeclines).toSorted());
  const known = new Set([...merchantCodes, ...Object.keys(errorClasses), ...Object.keys(declineClasses)]);
  expect(Object.keys(stated).toSorted()).toEqual([...known].toSorted());
});

test("a code has one class", () => {
  const twice = merchantCodes.filter((code) => code in errorClasses || code in declineClasses);
  const differs = Object.keys(errorClasses).filter(
    (code) => code in declineClasses && declineClasses[code] !== errorClasses[code],
  );
  expect([...twice, ...differs]).toEqual([]);
});

test("the code of an error has its stated consequence, refused or not", () => {
  for (const isRefused of [true, false])
    expectStated(stated, isRefused, (code) => classifyFailure({ code }, isRefused));
});

test("the issuer's reason has its stated consequence, whatever the error's own code is", () => {
  for (const code of ["card_declined", "amount_too_large", "resource_missing", null])
    expectStated(statedOfDeclines, false, (decline_code) => classifyFailure({ code, decline_code }, false));
});

test("a refused request has the consequence of its code, though the error is of the request's type", () => {
  for (const more of [[], ["invalid_request_error"]])
    expectStated(stated, true, (code) => classifyRefusal(new StoreRefusalError(code, [code, ...more])));
});

test("a refused request without a published code waits for others, and any other failure is tried again", () => {
  for (const codes of [[], ["constructor", "invalid_request_error"]])
    expect(classifyRefusal(new StoreRefusalError("No", codes))).toMatchObject({
      ...meanings["waits for others"],
      code: codes[0] ?? "invalid_request_error",
    });
  for (const failure of [{ code: "constructor" }, { code: "card_declined", decline_code: "constructor" }])
    expect(classifyFailure(failure, false)).toMatchObject({
      ...meanings["tries again"],
      code: "constructor",
    });
});

test("the issuer's advice not to try again makes the customer's failures final, and no other", () => {
  const advised = Object.keys(stated).map((code) =>
    classifyFailure({ code, advice_code: "do_not_try_again" }, false),
  );
  expect(advised.filter(({ failure, isFinal }) => isFinal !== (failure === "customer"))).toEqual([]);
});

test("one code alone asks for the customer's authentication, and three refuse the account", () => {
  const codes = Object.keys(stated);
  for (const asks of [
    (code: string) => asksForCustomer({ code }),
    (code: string) => asksForCustomer({ code: "card_declined", decline_code: code }),
  ])
    expect(codes.filter(asks)).toEqual(["authentication_required"]);
  const refusing = codes.filter((code) => refusesAccount(new StoreRefusalError(code, [code])));
  expect(refusing.toSorted()).toEqual(["account_invalid", "api_key_expired", "testmode_charges_only"]);
});

test("requests have the version that the library's types are of", () => {
  const version = readFileSync(`${published}/apiVersion.js`, "utf8");
  expect(version).toContain(`'${apiVersion}'`);
});
