import { billing, edit, type Mutant } from "./edits.ts";

const content = "src/domain/billing/order-content.ts";
const order = "src/domain/billing/order.ts";
const rule = "an order has what was bought";

/** Bugs that charge what was agreed, and send something else, or elsewhere. */
export const orderMutants: Mutant[] = [
  {
    name: "packed as it is later",
    what: "an order has what the subscription has become since its charge was begun",
    edits: [
      edit(
        `${billing}/record-success.ts`,
        "billedContent(paid, paid.deliveries)",
        "billedContent({ ...paid, lines: JSON.parse(row.lines) }, paid.deliveries)",
      ),
    ],
    rule,
  },
  {
    name: "one of each",
    what: "an order has one of each line, however many were bought",
    edits: [edit(content, "    ...priced,\n", "    ...priced,\n    quantity: 1,\n")],
    rule,
  },
  {
    name: "bought once, sent again",
    what: "each delivery that is paid for has what was bought for the next order only",
    edits: [edit(content, "\n    .filter(({ is_one_time }) => !is_one_time)", "")],
    rule,
  },
  {
    name: "sent to nowhere",
    what: "an order does not say where it is delivered",
    edits: [
      edit(
        order,
        "    delivery_address,\n    delivery_instructions,\n    lines",
        "    delivery_address: null,\n    delivery_instructions,\n    lines",
      ),
    ],
    rule,
  },
  {
    name: "out of its slot",
    what: "an order does not say in which slot it is delivered",
    edits: [edit(order, "delivery_slot_id: content.delivery_slot_id", "delivery_slot_id: null")],
    rule,
  },
];
