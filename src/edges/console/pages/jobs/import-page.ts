import { html } from "hono/html";
import type { DomainError } from "../../../../base/errors.ts";
import { newId } from "../../../../base/lib/ids.ts";
import { importFormats } from "../../../../domain/imports/formats/formats.ts";
import { mediaTypeOf } from "../../../../kit/http/body.ts";
import { statusOf } from "../../../../kit/http/errors.ts";
import { isRefusal } from "../../../pages/ask.ts";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { readUploadForm } from "../../../pages/own-form.ts";
import { hiddenInputs } from "../../../pages/preview.ts";
import { type C, plain, type StaffVisit, staffVisitOf } from "../console-env.ts";
import { type Field, textsIn, valuesOf } from "../forms/fields.ts";
import { plainInputs } from "../forms/inputs.ts";
import { refusalAlert } from "../forms/pages.ts";
import { layout } from "../layout.ts";
import { type AskAsStaff, requireReach } from "../visit.ts";

const fields: Field[] = [
  {
    name: "source",
    label: "Where it comes from",
    kind: "text",
    isRequired: true,
    help: "a name of yours for the other system",
  },
  {
    name: "format",
    label: "Format",
    kind: "choice",
    choices: importFormats,
    isRequired: true,
  },
  { name: "charge_from", label: "Nothing is charged before", kind: "date", help: "past orders need none" },
  { name: "create_plans", label: "Make the plans that are missing", kind: "flag" },
];

/** An import: its rows are sent as a file or pasted, and checked before anything is written. */
export async function importPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  requireReach(visit, ask, "createImport");
  await ask(visit, {});
  return formPage(visit, { key: newId() });
}

/** Whether a form with a file is sent to this page, which reads it itself. */
export function isUpload(c: C): boolean {
  return (
    c.req.path.endsWith("/jobs/import") && mediaTypeOf(c.req.header("content-type")) === "multipart/form-data"
  );
}

/** Makes the import, puts its rows, and begins the check. Each step is done once, however often the form is sent. */
export async function startImport(c: C, ask: AskAsStaff): Promise<Response> {
  const visit = staffVisitOf(c);
  requireReach(visit, ask, "createImport");
  const limit = ask.operationOf("putImportPart")?.bodyLimit ?? 0;
  const form = isUpload(c) ? await readUploadForm(plain(c), limit) : { sent: c.get("sent"), file: undefined };
  const sent = textsIn(form.sent);
  const key = sent.key || newId();
  const refuse = async (refusal: DomainError) => {
    await ask(visit, {});
    return c.html(await formPage(visit, { ...sent, key: newId() }, refusal), statusOf[refusal.code]);
  };
  const { made } = await ask(visit, {
    made: { id: "createImport", body: valuesOf(fields, sent), key, mayBeRefused: true },
  });
  if (isRefusal(made)) return refuse(made);
  const { id } = made.data;
  const { put } = await ask(visit, {
    put: {
      id: "putImportPart",
      path: { id, n: "1" },
      text: {
        type: form.file && /\.(jsonl|ndjson)$/i.test(form.file.name) ? "application/x-ndjson" : "text/csv",
        content: (await form.file?.arrayBuffer()) ?? sent.rows ?? "",
      },
      mayBeRefused: true,
    },
  });
  const isSentBefore = isRefusal(put) && put.code === "INVALID_STATE";
  if (isSentBefore) return c.redirect(`${visit.base}/jobs/${id}`, 303);
  if (isRefusal(put)) return refuse(put);
  const { started } = await ask(visit, {
    started: {
      id: "startJob",
      path: { id },
      body: { commit: false },
      key: `${key} check`,
      mayBeRefused: true,
    },
  });
  if (isRefusal(started)) return refuse(started);
  return c.redirect(`${visit.base}/jobs/${id}`, 303);
}

function formPage(visit: StaffVisit, sent: Fields, refusal?: DomainError): Html {
  const content = html`${refusal ? refusalAlert(refusal) : ""}<form class="card medium" method="post" action="${visit.base}/jobs/import" enctype="multipart/form-data">
    <p>The rows are checked first. Nothing is written until you say so, and nothing is charged until it is released.</p>
    ${hiddenInputs({ key: sent.key ?? "" })}${plainInputs(fields, sent, { refusal })}
    <label>File <span class="quiet">CSV with a header, or JSON lines; at most 8 MB</span>
      <input type="file" name="file" accept=".csv,.jsonl,.ndjson,text/csv"></label>
    <label>Or its rows, pasted <span class="quiet">CSV with a header</span>
      <textarea name="rows" rows="8">${sent.rows ?? ""}</textarea></label>
    <p class="buttons"><button>Check them</button> <a class="button quiet" href="${visit.base}/jobs">Back</a></p></form>`;
  return layout(visit, { title: "Move subscriptions in", content });
}
