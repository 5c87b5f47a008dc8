import { html } from "hono/html";
import type { DomainError } from "../../../../base/errors.ts";
import { newId } from "../../../../base/lib/ids.ts";
import { isRefusal } from "../../../pages/ask.ts";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { hiddenInputs } from "../../../pages/preview.ts";
import { type C, type StaffVisit, staffVisitOf } from "../console-env.ts";
import { type Lists, textsIn, valuesOf } from "../forms/fields.ts";
import { plainInputs } from "../forms/inputs.ts";
import { refusalAlert } from "../forms/pages.ts";
import { layout } from "../layout.ts";
import { pager, placeIn } from "../links.ts";
import { type AskAsStaff, requireReach } from "../visit.ts";
import { bulkForms, bulkLists, filterFields } from "./bulk-actions.ts";
import { isUnderWay, jobFacts, rowTable } from "./job-pages.ts";

/** A change of many subscriptions: which ones, then what, then the job that shows what would come of it, and then the job that does it. */
export async function bulkPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  requireReach(visit, ask, "changeManySubscriptions");
  const sent = visit.c.req.query();
  if (sent.preview_job_id) return shownPage(visit, ask, { ...sent, preview_job_id: sent.preview_job_id });
  return formPage(visit, await countMatches(visit, ask, sent), sent);
}

/** Begins the dry run, or once it was looked at, the job itself. */
export async function startBulk(c: C, ask: AskAsStaff): Promise<Response> {
  const visit = staffVisitOf(c);
  requireReach(visit, ask, "changeManySubscriptions");
  const sent = textsIn(c.get("sent"));
  const { preview_job_id, key } = sent;
  const action = sent.action ?? "";
  const body = {
    action,
    filter: {},
    ...valuesOf(
      [...(bulkForms[action]?.fields ?? []), ...filterFields].filter(({ name }) => sent[name]),
      sent,
    ),
    ...(preview_job_id ? { preview_job_id } : {}),
  };
  const { job } = await ask(visit, {
    job: {
      id: "changeManySubscriptions",
      body,
      query: preview_job_id ? {} : { dry_run: "true" },
      ...(key ? { key } : {}),
      mayBeRefused: true,
    },
  });
  if (isRefusal(job)) {
    if (job.code === "FORBIDDEN") throw job;
    return c.html(await formPage(visit, await countMatches(visit, ask, sent), sent, job), 400);
  }
  if (preview_job_id) return c.redirect(`${visit.base}/jobs/${job.data.id}`, 303);
  const { key: _, ...asked } = sent;
  return c.redirect(
    `${visit.base}/jobs/bulk?${new URLSearchParams({ ...asked, preview_job_id: job.data.id })}`,
    303,
  );
}

type Found = { matches: string; lists: Lists };

/** The number of subscriptions that the filters leave, and the lists that the forms choose from. */
async function countMatches(visit: StaffVisit, ask: AskAsStaff, sent: Fields): Promise<Found> {
  const filters = Object.entries(sent).flatMap(([name, value]) =>
    name.startsWith("filter.") && value !== "" ? [[name.slice("filter.".length), value]] : [],
  );
  const { matches, ...lists } = await ask(
    visit,
    {
      matches: {
        id: "listSubscriptions",
        query: { ...Object.fromEntries(filters), limit: "1" },
        mayBeRefused: true,
      },
    },
    bulkLists,
  );
  if (isRefusal(matches)) return { matches: matches.message, lists };
  const { total, total_is_estimate } = matches.meta;
  return { matches: `All ${total}${total_is_estimate ? " or more" : ""} that match are changed.`, lists };
}

function formPage(visit: StaffVisit, { matches, lists }: Found, sent: Fields, refusal?: DomainError): Html {
  const { base } = visit;
  const form = bulkForms[sent.action ?? ""];
  const kept = Object.fromEntries(Object.entries(sent).filter(([name]) => name.startsWith("filter.")));
  const query = (action: string) => new URLSearchParams({ ...kept, action }).toString();
  const which = html`<form class="card" method="get" action="${base}/jobs/bulk"><h2>Which</h2><p><strong>${matches}</strong></p>
    ${sent.action ? hiddenInputs({ action: sent.action }) : ""}${plainInputs(filterFields, sent, { lists })}
    <p class="buttons"><button>Count them</button></p></form>`;
  const what = html`<section class="card"><h2>What</h2><ul>${Object.entries(bulkForms).map(
    ([name, { text }]) =>
      html`<li>${name === sent.action ? html`<strong>${text}</strong>` : html`<a href="${base}/jobs/bulk?${query(name)}">${text}</a>`}</li>`,
  )}</ul></section>`;
  const how = form
    ? html`<form class="card" method="post" action="${base}/jobs/bulk"><h2>${form.text}</h2>${hiddenInputs({ ...kept, action: sent.action ?? "" })}
        ${plainInputs(form.fields, sent, { refusal, lists })}<p class="buttons"><button>Preview</button></p></form>`
    : "";
  const content = html`${refusal ? refusalAlert(refusal) : ""}${how}<div class="columns">${which}${what}</div>`;
  return layout(visit, { title: "Change many subscriptions", content });
}

type Shown = Fields & { preview_job_id: string };

/** The dry run: how many it would change, and each row; once it is done, the button that does exactly that. */
async function shownPage(visit: StaffVisit, ask: AskAsStaff, sent: Shown): Promise<Html> {
  const path = { id: sent.preview_job_id };
  const { job, rows } = await ask(visit, {
    job: { id: "getJob", path },
    rows: { id: "listJobRows", path, query: { limit: "25", ...placeIn(visit) } },
  });
  const { data } = job;
  const { page: _, cursor: _2, ...asked } = sent;
  if (isUnderWay(data)) visit.c.header("Refresh", "3");
  const confirm = html`<form class="card" method="post" action="${visit.base}/jobs/bulk">${hiddenInputs({ ...asked, key: newId() })}
    <p>Nothing was changed so far. ${data.done} would be changed, ${data.skipped} passed over.</p>
    <p class="buttons"><button class="danger">Change ${data.done}</button> <a class="button quiet" href="${visit.base}/jobs">Leave it</a></p></form>`;
  const content = html`${data.status === "DONE" ? confirm : html`<p>It is being looked at what would come of it.</p>`}
    ${jobFacts(visit, data)}<section class="card"><h2>Rows</h2>${rowTable(visit, rows.data)}</section>${pager(visit, rows.meta)}`;
  return layout(visit, { title: `Preview: ${bulkForms[sent.action ?? ""]?.text ?? "change"}`, content });
}
