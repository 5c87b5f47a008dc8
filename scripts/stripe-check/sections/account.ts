import { confirmed, confirmedIf } from "../../store-check/outcome.ts";
import { apiVersion, bodyOf, type Lab, refusalIn } from "../lab.ts";
import { section } from "../section.ts";

export const accountSection = section({
  name: "account",
  writes: "nothing",
  prepare: async (lab: Lab) => lab,
  checks: {
    "own-account": async ({ get }) => {
      const { object, id, country, default_currency } = bodyOf(await get("account"));
      const has = object === "account" && /^acct_/.test(id) && country && default_currency;
      return confirmedIf(Boolean(has), `${country}, ${default_currency}`);
    },
    "named-version": async ({ versions }) => {
      const others = [...versions].filter((version) => version !== apiVersion);
      return confirmedIf(versions.size > 0 && others.length === 0, [...versions].join(", ") || "none");
    },
    "wrong-version": async ({ get }) => {
      const answer = await get("account", {}, { version: "tomorrow" });
      return confirmedIf(answer.status === 400, refusalIn(answer));
    },
    "wrong-key": async ({ get }) => {
      const answer = await get("account", {}, { secretKey: "sk_test_nobody" });
      return confirmedIf(answer.status === 401, refusalIn(answer));
    },
    "request-ids": async ({ get }) => {
      const { headers } = await get("customers", { limit: 1 });
      const id = headers.get("Request-Id") ?? "none";
      return /^req_/.test(id) ? confirmed() : confirmedIf(false, id);
    },
    "unknown-parameters": async ({ post }) => {
      const answer = await post("customers", { colour: "red" });
      return confirmedIf(answer.body.error?.code === "parameter_unknown", refusalIn(answer));
    },
    "missing-records": async ({ get, post }) => {
      const [path, parameter] = [
        await get("payment_intents/pi_perennialcheck"),
        await post("payment_intents", { amount: 1099, currency: "eur", customer: "cus_perennialcheck" }),
      ];
      return confirmedIf(
        refusalIn(path) === "404 resource_missing" && refusalIn(parameter) === "400 resource_missing",
        `in the path ${refusalIn(path)}, in a parameter ${refusalIn(parameter)}`,
      );
    },
  },
});
