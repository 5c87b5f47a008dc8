import { html, raw } from "hono/html";
import { dateIn } from "../../lib/dates.ts";
import { addDays } from "../../subscriptions/cadence.ts";
import { type ActionName, actions, addressFields, type Fields } from "./actions.ts";
import { alertOf, type Html, layout } from "./layout.ts";
import { addressOf, cardOf, frequencyOf, type Subscription, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

type Form = { id: string; name: ActionName; fields: Fields; error?: string };
type Parts = { visit: SignedIn; ask: AskOperations; form: Form };

/** The page with an action's form. It reads the subscription and what the form offers in one trip. */
export async function formPage(visit: SignedIn, ask: AskOperations, form: Form): Promise<Html> {
  const { texts, base } = visit;
  const { id, name, error } = form;
  const [subscription, inputs] = await inputsOf[name]({ visit, ask, form });
  const path = `${base}/subscriptions/${id}`;
  const content = html`<div class="medium"><p><a href="${path}">← ${texts.back}</a></p>
    <h1>${texts.actions[name]}</h1>
    <p class="quiet">${titleOf(visit, subscription)} · ${subtitleOf(subscription)}</p>
    <p>${texts.notes[name]}</p>
    ${alertOf(error)}
    <form class="card" method="post" action="${path}/${name}">${inputs}
      <p class="buttons"><button>${texts.continue}</button><a class="button quiet" href="${path}">${texts.keep}</a></p>
    </form></div>`;
  return layout(visit, { title: texts.actions[name], content });
}

type Inputs = (parts: Parts) => Promise<[Subscription, Html]>;

const one = (id: string) => ({ id: "getSubscription", path: { id } }) as const;

const nothingToFillIn: Inputs = async ({ visit, ask, form: { id } }) => {
  const [{ data }] = await ask(visit, one(id));
  return [data, html``];
};

const startInputs: Inputs = async ({ visit, ask, form: { id, fields } }) => {
  const [{ data }] = await ask(visit, one(id));
  const { texts } = visit;
  return [data, dateInput(visit, { name: "next_delivery_date", label: texts.firstDelivery, fields })];
};

/** What is to be filled in for each action. */
const inputsOf: Record<ActionName, Inputs> = {
  "retry-payment": nothingToFillIn,
  "ship-now": nothingToFillIn,
  unskip: nothingToFillIn,
  resume: startInputs,
  reactivate: startInputs,
  skip: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, reasons] = await ask(visit, one(id), { id: "listSkipReasons" });
    const { texts } = visit;
    const chosen = Number(fields.skip_weeks ?? usualWeeks(data));
    const weeks = [...new Set([...Array.from({ length: 12 }, (_, index) => index + 1), chosen])].sort(
      (a, b) => a - b,
    );
    return [
      data,
      html`<label>${texts.skipBy} <select name="skip_weeks">${weeks.map(
        (count) =>
          html`<option value="${count}"${count === chosen ? raw(" selected") : ""}>${texts.weeks(count)}</option>`,
      )}</select></label>
      ${reasonInputs({ name: "skip_reason_id", label: texts.reason, reasons, fields, isRequired: true })}`,
    ];
  },
  schedule: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, { data: slots }] = await ask(visit, one(id), {
      id: "listDeliverySlots",
      query: { limit: "100" },
    });
    const { texts } = visit;
    const date = fields.next_delivery_date ?? data.next_delivery_date ?? undefined;
    const choices = slots
      .filter(({ is_active }) => is_active)
      .map((slot): Choice => [slot.id, `${slot.label} ${slot.start_time}–${slot.end_time}`]);
    const filled = {
      ...(data.delivery_slot_id === null ? {} : { delivery_slot_id: data.delivery_slot_id }),
      ...fields,
      ...(date === undefined ? {} : { next_delivery_date: date }),
    };
    return [
      data,
      html`${dateInput(visit, { name: "next_delivery_date", label: texts.newDate, fields: filled, isRequired: true })}
      ${data.delivery_slot_id === null ? "" : radios({ name: "delivery_slot_id", legend: texts.slot, choices, fields: filled })}`,
    ];
  },
  frequency: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, { data: shop }] = await ask(visit, one(id), { id: "getOwnShop" });
    const { texts } = visit;
    const now = `${data.billing_interval}-${data.billing_interval_count}`;
    const offered = shop.frequencies.map(
      ({ interval, interval_count }): Choice => [
        `${interval}-${interval_count}`,
        texts.every(interval, interval_count),
      ],
    );
    const choices = offered.some(([value]) => value === now)
      ? offered
      : [[now, frequencyOf(visit, data)] as Choice, ...offered];
    return [
      data,
      radios({
        name: "frequency",
        legend: texts.frequency,
        choices,
        fields: { frequency: now, ...fields },
        isRequired: true,
      }),
    ];
  },
  address: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, { data: saved }] = await ask(visit, one(id), {
      id: "listOwnAddresses",
      query: { limit: "100" },
    });
    const { texts } = visit;
    const choices = [
      ...saved.map((address): Choice => [address.id, addressOf(address)]),
      ["other", texts.otherAddress] as Choice,
    ];
    const now = (data.delivery_address ?? {}) as Record<string, string | null>;
    const typed = Object.fromEntries(addressFields.map((name) => [name, fields[name] ?? now[name] ?? ""]));
    const filled = { delivery_address_id: "other", ...fields };
    return [
      data,
      html`${saved.length > 0 ? radios({ name: "delivery_address_id", legend: texts.savedAddresses, choices, fields: filled }) : ""}
      <fieldset class="other"><legend>${saved.length > 0 ? texts.otherAddress : texts.address}</legend>${addressInputs(visit, typed)}</fieldset>`,
    ];
  },
  instructions: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }] = await ask(visit, one(id));
    const text = fields.delivery_instructions ?? data.delivery_instructions ?? "";
    return [
      data,
      html`<label>${visit.texts.instructions}
        <textarea name="delivery_instructions" rows="4" maxlength="10000">${text}</textarea></label>`,
    ];
  },
  "payment-method": async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, { data: methods }] = await ask(visit, one(id), {
      id: "getSubscriptionPaymentMethods",
      path: { id },
    });
    const { texts } = visit;
    const choices = methods.alternatives.map((method): Choice => [method.id, nameOfMethod(visit, method)]);
    if (choices.length === 0) return [data, html`<p class="empty">${texts.noAlternatives}</p>`];
    return [
      data,
      radios({ name: "payment_method_id", legend: texts.payment, choices, fields, isRequired: true }),
    ];
  },
  pause: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, reasons] = await ask(visit, one(id), { id: "listPauseReasons" });
    const { texts, settings } = visit;
    const { max_pause_days: days } = settings;
    const label = days === null ? texts.untilDate : texts.untilDateRequired(days);
    const isRequired = days !== null;
    return [
      data,
      html`${dateInput(visit, { name: "pause_until", label, fields, isRequired, ...(days === null ? {} : { days }) })}
      ${reasonInputs({ name: "pause_reason_id", label: texts.reasonOptional, reasons, fields })}`,
    ];
  },
  cancel: async ({ visit, ask, form: { id, fields } }) => {
    const [{ data }, reasons] = await ask(visit, one(id), { id: "listCancellationReasons" });
    const { texts } = visit;
    return [
      data,
      html`${reasonInputs({ name: "cancellation_reason_id", label: texts.reasonOptional, reasons, fields })}
      <label>${texts.comment} <textarea name="reason" rows="3" maxlength="10000">${fields.reason ?? ""}</textarea></label>`,
    ];
  },
};

/** Whether an action's form has anything to fill in; without, its page shows at once what it would do. */
export function hasForm(name: ActionName): boolean {
  return actions[name].fields.length > 0;
}

/** Whole cycles, as most customers mean it. */
function usualWeeks({ delivery_interval: unit, delivery_interval_count: count }: Subscription): number {
  const days = { DAY: 1, WEEK: 7, MONTH: 28, YEAR: 364 }[unit] * count;
  return Math.min(52, Math.max(1, Math.ceil(days / 7)));
}

type Method = {
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
};

function nameOfMethod({ texts }: SignedIn, { brand, last4, exp_month, exp_year }: Method): string {
  const card = cardOf(brand, last4);
  return exp_month === null || exp_year === null
    ? card
    : `${card}, ${texts.expires} ${String(exp_month).padStart(2, "0")}/${exp_year}`;
}

type DateInput = { name: string; label: string; fields: Fields; isRequired?: boolean; days?: number };

function dateInput(
  { c, account }: SignedIn,
  { name, label, fields, isRequired = false, days }: DateInput,
): Html {
  const today = dateIn(account.clock_at ?? c.get("now").toISOString(), account.timezone);
  const latest = days === undefined ? "" : html` max="${addDays(today, days)}"`;
  return html`<label>${label} <input type="date" name="${name}" value="${fields[name] ?? ""}"
    min="${addDays(today, 1)}"${latest}${isRequired ? raw(" required") : ""}></label>`;
}

type Choice = [value: string, text: string];
type Radios = { name: string; legend: string; choices: Choice[]; fields: Fields; isRequired?: boolean };

function radios({ name, legend, choices, fields, isRequired = false }: Radios): Html {
  if (choices.length === 0) return html``;
  return html`<fieldset><legend>${legend}</legend>${choices.map(
    ([value, text]) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
        fields[name] === value ? raw(" checked") : ""
      }${isRequired ? raw(" required") : ""}> <span>${text}</span></label>`,
  )}</fieldset>`;
}

type Reasons = {
  name: string;
  label: string;
  reasons: { data: { id: string; label: string } }[];
  fields: Fields;
  isRequired?: boolean;
};

function reasonInputs({ name, label, reasons, fields, isRequired = false }: Reasons): Html {
  const choices = reasons.map(({ data }): Choice => [data.id, data.label]);
  return radios({ name, legend: label, choices, fields, isRequired });
}

/** The fields of an address; `values` fills them in. */
export function addressInputs({ texts }: SignedIn, values: Record<string, string>, isRequired = false): Html {
  const labels: Record<string, [text: string, autocomplete: string, isNeeded: boolean]> = {
    first_name: [texts.firstName, "given-name", false],
    last_name: [texts.lastName, "family-name", false],
    company: [texts.company, "organization", false],
    address1: [texts.street, "address-line1", true],
    address2: [texts.street2, "address-line2", false],
    zip: [texts.zip, "postal-code", true],
    city: [texts.city, "address-level2", true],
    province: [texts.province, "address-level1", false],
    country: [texts.country, "country-name", true],
    country_code: [texts.countryCode, "country", true],
  };
  return html`<div class="grid">${addressFields.map((name) => {
    const [text = name, autocomplete = "off", isNeeded = false] = labels[name] ?? [];
    return html`<label>${text} <input name="${name}" value="${values[name] ?? ""}" autocomplete="${autocomplete}"
      maxlength="255"${isNeeded && isRequired ? raw(" required") : ""}></label>`;
  })}</div>`;
}
