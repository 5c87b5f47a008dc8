import { html } from "hono/html";
import type { StaffAction } from "../acting/action.ts";

const ofOne = { params: ["id"], back: "/jobs/{id}" } as const;

type Exported = { data: { parts: { n: number; url: string | null; rows_at_most: number }[] } };

/** The changes of jobs, and the export. */
export const jobActions = {
  "write-import": {
    ...ofOne,
    id: "startJob",
    title: "Write what the check has found right",
    button: "Write them",
    says: "Each row that is right becomes a subscription that is held: nothing of it is charged until it is released.",
    body: () => ({ commit: true }),
  },
  "release-import": {
    ...ofOne,
    id: "releaseImport",
    title: "Release what was moved in",
    button: "Release",
    says: "From now on they are charged here, as they fall due. Pause the other system first.",
    body: () => ({}),
    isDanger: true,
  },
  "pause-job": { ...ofOne, id: "pauseJob", title: "Pause the job", button: "Pause" },
  "resume-job": { ...ofOne, id: "resumeJob", title: "Let the job go on", button: "Go on" },
  "cancel-job": {
    ...ofOne,
    id: "cancelJob",
    title: "End the job",
    button: "End it",
    says: "Rows that are done stay done.",
    isDanger: true,
  },
  "undo-job": {
    ...ofOne,
    id: "undoJob",
    title: "Take the job back",
    button: "Take it back",
    says: "Each row is restored where nobody has changed it since. The others stay, and say why.",
    isDanger: true,
  },
  export: {
    id: "createExport",
    title: "Export records",
    button: "Export",
    says: "Whoever has an address of the export can read it, for an hour.",
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
} as const satisfies Record<string, StaffAction>;
