import { z } from "@hono/zod-openapi";
import { errorCodes, maxDetails, maxTextLength } from "../../../base/errors.ts";
import { type FieldText, named } from "./describe.ts";

function boundedText() {
  return z.string().max(maxTextLength);
}

const ErrorDetails = named(
  "ErrorDetail",
  z.strictObject({ path: boundedText(), message: boundedText() }),
  {
    path: [
      "Where the fault is: a field of the body or a parameter; members of it follow after dots. Empty for the body as a whole.",
      "lines.0.price",
    ],
    message: ["What is wrong there.", "is required"],
  },
  { description: "One fault of a request." },
);

const envelope = {
  error: boundedText(),
  errorCode: z.enum(errorCodes).openapi("ErrorCode", {
    description:
      "What is wrong, as a code for programs. The introduction of this document lists what each means.",
  }),
  request_id: z.string(),
  details: z.array(ErrorDetails).max(maxDetails).optional(),
  success: z.literal(false).optional(),
  preview: z.looseObject({}).optional(),
};

const example = {
  error: "Request is not valid: label: is required",
  errorCode: "VALIDATION_FAILED",
  request_id: "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10",
  details: [{ path: "label", message: "is required" }],
};

/** The descriptions of an error's members, in both of its forms. */
const errorTexts = {
  error: [
    `What is wrong, as a sentence for people. A text longer than ${maxTextLength} characters is cut and ends in an ellipsis.`,
    example.error,
  ],
  errorCode: "What is wrong, as a code for programs.",
  request_id: ["The id of the request, as in the X-Request-Id header.", example.request_id],
  details: `What is wrong in each field: the first ${maxDetails} faults. Absent where no field is at fault.`,
  preview: "With PREVIEW_CHANGED: what the request would do now, as its dry run answers. Absent otherwise.",
  success: "False where a billing operation failed; absent for other operations.",
} as const satisfies Record<string, FieldText>;

/** The error envelope of every failure. */
export const ErrorBody = named("Error", z.strictObject(envelope), errorTexts, { example });

/** RFC 9457, for clients that ask for it. */
export const ProblemBody = named(
  "Problem",
  z.strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: boundedText(),
    ...envelope,
  }),
  {
    ...errorTexts,
    type: ["Always about:blank: the status says what kind of problem it is.", "about:blank"],
    title: ["The name of the status.", "Bad Request"],
    status: ["The HTTP status.", 400],
    detail: ["The same as error.", example.error],
  },
  {
    description: "An error as RFC 9457 has it, for clients that ask for application/problem+json.",
    example: { type: "about:blank", title: "Bad Request", status: 400, detail: example.error, ...example },
  },
);
