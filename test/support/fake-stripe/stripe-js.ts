import { testMethods } from "./test-methods.ts";

/**
 * The script that is served in place of https://js.stripe.com: the surface of Stripe.js that a page needs to set a payment method up, or to
 * authenticate a payment (docs.stripe.com/js). A choice of test cards stands in the place of the form, and two buttons in that of the bank.
 */
export function stripeJs(): string {
  const choices = Object.keys(testMethods).filter((token) => token.startsWith("pm_"));
  return `"use strict";
(() => {
  const { origin } = new URL(document.currentScript.src);
  const choices = ${JSON.stringify(choices)};

  window.Stripe = (key) => {
    const ask = async (method, path, fields) => {
      const form = new URLSearchParams({ ...fields, key });
      const response =
        method === "GET"
          ? await fetch(origin + path + "?" + form)
          : await fetch(origin + path, { method, body: form });
      const answer = await response.json();
      return response.ok ? { intent: answer } : { error: answer.error };
    };
    const pathOf = (secret) => {
      const id = secret.split("_secret_")[0];
      return "/v1/" + (id.startsWith("seti_") ? "setup_intents/" : "payment_intents/") + id;
    };
    const named = (intent) => (intent.object === "setup_intent" ? { setupIntent: intent } : { paymentIntent: intent });
    const read = async (client_secret) => {
      const { intent, error } = await ask("GET", pathOf(client_secret), { client_secret });
      return error ? { error } : named(intent);
    };

    const outcomeAtBank = () =>
      new Promise((resolve) => {
        const dialog = document.createElement("div");
        dialog.setAttribute("role", "dialog");
        dialog.setAttribute("aria-label", "3-D Secure");
        for (const [outcome, label] of [["complete", "Complete authentication"], ["fail", "Fail authentication"]]) {
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = label;
          button.addEventListener("click", () => {
            dialog.remove();
            resolve(outcome);
          });
          dialog.append(button);
        }
        document.body.append(dialog);
      });

    const afterChallenge = async (intent) => {
      if (intent.status !== "requires_action") return named(intent);
      const outcome = await outcomeAtBank();
      const client_secret = intent.client_secret;
      const body = new URLSearchParams({ outcome, client_secret });
      await fetch(origin + "/3ds/" + intent.id, { method: "POST", body, redirect: "manual" });
      const answer = await read(client_secret);
      const now = answer.setupIntent ?? answer.paymentIntent;
      const error = now && (now.last_setup_error ?? now.last_payment_error);
      return error ? { error } : answer;
    };

    const confirm = async (client_secret, { payment_method, return_url, redirect }) => {
      const fields = { client_secret, ...(payment_method ? { payment_method } : {}) };
      const { intent, error } = await ask("POST", pathOf(client_secret) + "/confirm", fields);
      if (error) return { error };
      const answer = await afterChallenge(intent);
      if (answer.error || redirect === "if_required" || !return_url) return answer;
      const url = new URL(return_url);
      const done = answer.setupIntent ?? answer.paymentIntent;
      url.searchParams.set(done.object, done.id);
      url.searchParams.set(done.object + "_client_secret", client_secret);
      url.searchParams.set("redirect_status", done.status === "succeeded" ? "succeeded" : "pending");
      window.location.assign(url);
      return new Promise(() => {});
    };

    const elements = ({ clientSecret } = {}) => {
      const select = document.createElement("select");
      select.setAttribute("aria-label", "Test payment method");
      for (const token of choices) select.append(new Option(token, token));
      const listeners = {};
      const element = {
        mount(where) {
          (typeof where === "string" ? document.querySelector(where) : where).append(select);
          select.addEventListener("change", () => listeners.change?.({ complete: true }));
          queueMicrotask(() => listeners.ready?.());
        },
        on(event, listener) {
          listeners[event] = listener;
          return element;
        },
        unmount: () => select.remove(),
        destroy: () => select.remove(),
      };
      return {
        clientSecret,
        chosen: () => select.value,
        create: () => element,
        getElement: () => element,
        submit: async () => ({}),
      };
    };

    const confirmWith = ({ elements, clientSecret = elements.clientSecret, confirmParams = {}, redirect }) =>
      confirm(clientSecret, {
        payment_method: confirmParams.payment_method ?? elements?.chosen(),
        return_url: confirmParams.return_url,
        redirect,
      });

    return {
      elements,
      confirmSetup: confirmWith,
      confirmPayment: confirmWith,
      confirmCardPayment: (clientSecret, { payment_method } = {}) =>
        confirm(clientSecret, { payment_method, redirect: "if_required" }),
      retrievePaymentIntent: read,
      retrieveSetupIntent: read,
      async handleNextAction({ clientSecret }) {
        const answer = await read(clientSecret);
        const intent = answer.setupIntent ?? answer.paymentIntent;
        return intent ? afterChallenge(intent) : answer;
      },
    };
  };
})();
`;
}
