import { html } from "hono/html";
import type { StaffForm } from "../forms/form.ts";

const ofOne = { params: ["id"], back: "/jobs/{id}" } as const;

type Exported = { data: { parts: { n: number; url: string | null; rows_at_most: number }[] } };

/** The forms of jobs, and the export. */
export const jobForms = {
  "write-import": {
    ...ofOne,
    operation: "startJob",
    title: "Write what the check has found right",
    button: "Write them",
    note: "Each row that is right becomes a subscription that is held: nothing of it is charged until it is released.",
    bodyOf: () => ({ commit: true }),
  },
  "release-import": {
    ...ofOne,
    operation: "releaseImport",
    title: "Release what was moved in",
    button: "Release",
    note: "From now on they are charged here, as they fall due. Pause the other system first.",
    bodyOf: () => ({}),
    isDangerous: true,
  },
  "pause-job": { ...ofOne, operation: "pauseJob", title: "Pause the job", button: "Pause" },
  "resume-job": { ...ofOne, operation: "resumeJob", title: "Let the job go on", button: "Go on" },
  "cancel-job": {
    ...ofOne,
    operation: "cancelJob",
    title: "End the job",
    button: "End it",
    note: "Rows that are done stay done.",
    isDangerous: true,
  },
  "undo-job": {
    ...ofOne,
    operation: "undoJob",
    title: "Take the job back",
    button: "Take it back",
    note: "Each row is restored where nobody has changed it since. The others stay, and say why.",
    isDangerous: true,
  },
  export: {
    operation: "createExport",
    title: "Export records",
    button: "Export",
    note: "Whoever has an address of the export can read it, for an hour.",
    fields: [
      {
        ...{ name: "resource", label: "What", kind: "choice", isRequired: true },
        choices: ["subscriptions", "profiles", "orders", "billing_attempts", "events"],
      },
      { name: "format", label: "As", kind: "choice", choices: ["csv", "jsonl"], isRequired: true },
      {
        name: "filter.status",
        label: "Status",
        kind: "text",
        help: "of subscriptions and orders, such as ACTIVE,PAUSED; empty for all",
      },
    ],
    shows: (_, { data }: Exported) =>
      html`<section class="card"><ul>${data.parts.map(
        ({ n, url, rows_at_most }) =>
          html`<li><a href="${url ?? ""}">Part ${n}</a> <span class="quiet">at most ${rows_at_most} records</span></li>`,
      )}</ul><p class="quiet">The last line of each part says that nothing is missing.</p></section>`,
    back: "/jobs",
  },
} as const satisfies Record<string, StaffForm>;
