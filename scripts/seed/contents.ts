import { raw } from "../../src/base/db/statement.ts";
import { demoId } from "../../src/base/demo.ts";
import { demoAccountSeq } from "./account.ts";
import { numbersIn } from "./extent.ts";
import { orderLines, orderOutline } from "./orders.ts";
import type { Part } from "./part.ts";
import { demoExtent } from "./records.ts";

/** The contents of the demo store's orders. Orders that are added in bulk do not say them, which makes them smaller. */
export const contentsPart: Part = () => {
  const first = demoExtent.after.orders + 1;
  const contents = numbersIn({ first, last: demoExtent.after.orders + demoExtent.amounts.orders }).map(
    (n) => ({
      id: demoId("order", n),
      subtotal: orderOutline(n, demoExtent).subtotal,
      lines: JSON.stringify(orderLines(n, demoExtent)),
    }),
  );
  // A demo store from before has other amounts.
  return [
    raw(
      `UPDATE orders SET lines = its.value ->> 'lines' FROM json_each(?2) AS its WHERE orders.account_seq = ?1
        AND orders.id = its.value ->> 'id' AND orders.subtotal = its.value ->> 'subtotal' AND orders.lines IS NULL`,
      ...[demoAccountSeq, JSON.stringify(contents)],
    ),
  ];
};
