import { html, raw } from "hono/html";
import { day, moment } from "../../../../base/language/format.ts";
import type { Instant } from "../../../../base/lib/time/dates.ts";
import type { Declared } from "../../../../domain/declarations/actions/receive.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { type Faults, faultsAlert, marksOf, titleWith } from "../faults.ts";
import { radios } from "../inputs.ts";
import { layout } from "../layout.ts";
import type { Visit } from "../page-env.ts";
import { declaredFields, type LeavingPage } from "./form.ts";

type Form = { page: LeavingPage; fields: Fields; faults?: Faults | undefined; alert?: string };

/** The first step: who leaves, what, and from when. Nothing is stored yet. */
export function declarePage(visit: Visit, { page, fields, faults, alert }: Form): Html {
  const { texts, base, account } = visit;
  const own = texts.declaring;
  const value = (name: string) => fields[name] ?? "";
  const when = html`${radios({
    name: "from",
    legend: own.from,
    choices: [
      ["soon", own.soonest],
      ["date", own.onDate],
    ],
    fields: { from: "soon", ...fields },
  })}
    <label>${own.date} <input type="date" name="date" value="${value("date")}"${marksOf(faults, "date")}></label>
    ${radios({
      name: "grounds",
      legend: own.grounds,
      choices: [
        ["ordinary", own.ordinary],
        ["cause", own.cause],
      ],
      fields: { grounds: "ordinary", ...fields },
    })}
    <label>${own.reason} <textarea name="reason" rows="3" maxlength="10000"${marksOf(faults, "reason")}>${value("reason")}</textarea></label>`;
  const content = html`<div class="narrow"><h1>${own[page].title}</h1><p>${own[page].intro(account.name)}</p>
    ${renderAlert(alert)}${faultsAlert(visit, faults)}
    <form class="card" method="post" action="${base}/${page}">
      <label>${texts.email} <input type="email" name="email" value="${value("email")}" autocomplete="email" required maxlength="254"${marksOf(faults, "email")}></label>
      <label>${own.name} <input name="name" value="${value("name")}" autocomplete="name" required maxlength="255"${marksOf(faults, "name")}></label>
      <label>${own.number} <input name="number" value="${value("number")}" maxlength="255"${marksOf(faults, "number")}></label>
      ${page === "leave" ? when : ""}
      <p class="buttons"><button>${own.next}</button></p>
    </form></div>`;
  return layout(visit, { title: titleWith(visit, own[page].title, faults), content });
}

type Confirmed = { page: LeavingPage; fields: Fields; declared: Declared };

/** The second step: what was entered, read back, and the button that declares it. */
export function confirmPage(visit: Visit, { page, fields, declared, id }: Confirmed & { id: string }): Html {
  const { texts, base } = visit;
  const own = texts.declaring;
  const content = html`<div class="narrow"><h1>${own[page].confirmTitle}</h1>
    <form class="card" method="post" action="${base}/${page}">${readBack(visit, declared)}
      ${hidden({ ...fields, visit: id })}
      <p class="buttons"><button class="danger" name="confirm" value="1">${own[page].confirm}</button></p>
    </form>
    <form method="post" action="${base}/${page}">${hidden(fields)}
      <p class="buttons"><button class="quiet" name="correct" value="1">${own.correct}</button></p>
    </form></div>`;
  return layout(visit, { title: own[page].confirmTitle, content });
}

/** The receipt, with the way to keep it. It says the same whatever was found. */
export function receivedPage(
  visit: Visit,
  { page, fields, declared, at }: Confirmed & { at: Instant },
): Html {
  const { texts, base } = visit;
  const own = texts.declaring;
  const content = html`<div class="narrow"><h1>${own[page].doneTitle}</h1>
    <p role="status">${own.receivedAt(momentOf(visit, at))}</p><p>${own[page].doneText}</p>
    <form class="card" method="post" action="${base}/${page}/receipt">${readBack(visit, declared)}
      ${hidden({ ...fields, at })}
      <p class="buttons"><button>${own.save}</button></p>
    </form></div>`;
  return layout(visit, { title: own[page].doneTitle, content });
}

/** The receipt as text, as the page says it. */
export function receiptText(
  visit: Visit,
  { page, declared, at }: Omit<Confirmed, "fields"> & { at: Instant },
): string {
  const own = visit.texts.declaring;
  return [
    own[page].doneTitle,
    own.receivedAt(momentOf(visit, at)),
    "",
    ...rowsOf(visit, declared).map(([label, value]) => `${label}: ${value}`),
    "",
    own[page].doneText,
    "",
  ].join("\r\n");
}

/** A link in a mail leads here; only the button takes anything back, as programs that look at mails follow links. */
export function notMePage(visit: Visit): Html {
  const own = visit.texts.declaring;
  const content = html`<div class="narrow"><h1>${own.notMe}</h1>
    <form class="card" method="post" action="${visit.c.req.path}"><p>${own.notMeText}</p>
      <p class="buttons"><button>${own.notMeButton}</button></p>
    </form></div>`;
  return layout(visit, { title: own.notMe, content });
}

export function takenBackPage(visit: Visit, isDone: boolean): Html {
  const { texts, base, settings } = visit;
  const own = texts.declaring;
  const title = isDone ? own.takenBack : texts.failed;
  const content = html`<div class="narrow"><h1>${title}</h1>
    <p${isDone ? raw(' role="status"') : raw(' class="alert" role="alert"')}>${isDone ? own.takenBackText : own.notTakenBack}</p>
    ${settings.is_enabled ? html`<p><a class="button" href="${base}">${texts.overview}</a></p>` : ""}</div>`;
  return layout(visit, { title, content });
}

/** The address to write to where the page cannot help: the same for everybody. */
export function addressOfShop({ settings, account }: Visit): string {
  return settings.support_email ?? account.shop;
}

function momentOf({ locale, account }: Visit, at: Instant): string {
  return moment(locale, at, account.timezone);
}

function readBack(visit: Visit, declared: Declared): Html {
  return html`<dl class="facts">${rowsOf(visit, declared).map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

function rowsOf({ texts, locale, account }: Visit, declared: Declared): [label: string, value: string][] {
  const own = texts.declaring;
  const { kind, email, name, number, wants_on, is_for_cause, reason } = declared;
  const plain = (label: string) => label.replace(/ \(.*\)$/, "");
  const isCancellation = kind === "cancellation";
  const rows: [string, string | null][] = [
    [own.kind, own[kind]],
    [own.shop, account.name],
    [texts.email, email],
    [own.name, name],
    [plain(own.number), number],
    [own.from, isCancellation ? (wants_on === null ? own.soonest : day(locale, wants_on)) : null],
    [own.grounds, isCancellation ? (is_for_cause ? own.cause : own.ordinary) : null],
    [plain(own.reason), reason],
  ];
  return rows.flatMap(([label, value]): [string, string][] => (value === null ? [] : [[label, value]]));
}

function hidden(fields: Fields): Html {
  const names = [...declaredFields, "visit", "at"].filter((name) => fields[name] !== undefined);
  return html`${names.map((name) => html`<input type="hidden" name="${name}" value="${fields[name]}">`)}`;
}
