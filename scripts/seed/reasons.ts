import { build, statement } from "../../src/base/db/statement.ts";
import { demoId, demoReasonLabels } from "../../src/base/demo.ts";
import { reasonKinds, reasons } from "../../src/domain/reasons/tables.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

export const reasonsPart: Part = (now) => {
  const at = now.toISOString();
  return reasonKinds.flatMap((kind) =>
    demoReasonLabels[kind].map((label, position) =>
      statement(
        build.insert(reasons).values({
          id: demoId(`${kind}_reason`, position + 1),
          account_seq: demoAccountSeq,
          kind,
          label,
          description: null,
          position,
          is_active: 1,
          created_at: at,
          updated_at: at,
          deleted_at: null,
        }),
      ),
    ),
  );
};
