import type { Call } from "../../kernel/task.ts";

/** A request as the store sees it. */
export type Received = {
  request: Request;
  kind: Call["kind"];
  what: string;
  /** The intent that it is about, if it is about one. */
  intentId: string;
  does: "create" | "confirm" | "cancel" | "refund" | undefined;
  /** Its parameters, where it is a POST. */
  form: string;
  /** Its Idempotency-Key. */
  key: string | undefined;
};
