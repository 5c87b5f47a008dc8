/** A statement that the API has run. `swapped` are the places of parameters that name the request's own ids. */
export type Recorded = { sql: string; params: (string | number | null)[]; swapped: number[] };

/** The work of the bare Worker for a case. */
export type Plan =
  | { kind: "read"; statements: Recorded[]; answer: unknown; isCached: boolean }
  | {
      kind: "write";
      reads: Recorded[];
      writes: Recorded[];
      /** Ids that the recorded request made, which each request makes anew. */
      newIds: string[];
      /** The subscription that it was about, and those that the following are about. */
      subject: string | null;
      subjects: string[];
      answer: unknown;
      next: number;
    };
