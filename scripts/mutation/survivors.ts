/** Mutants that do what the code does, for the same reason: the lines as they stand, and as Stryker changes them. */
export type Survivor = { why: string; mutants: [line: string, becomes: string][] };

/** The mutants that no test can catch, by file. `npm run mutation` compares this with what survives. */
export const survivors: Record<string, Survivor[]> = {
  "src/base/lib/contrast.ts": [
    {
      why: "No colour of 24 bits has a channel, or two of them a contrast, that is exactly the bound.",
      mutants: [
        [
          "if (contrast(moved, surface) >= contrastMin) return moved;",
          "if (contrast(moved, surface) > contrastMin) return moved;",
        ],
        [
          "return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;",
          "return share < 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;",
        ],
      ],
    },
  ],
  "src/base/lib/time/calendar.ts": [
    {
      why: "The runtime's own Date writes and reads the same dates, more slowly: days of four-digit years are counted here to save time.",
      mutants: [
        [
          "if (!(day >= firstDay && day <= lastDay)) return toLongDate(day);",
          "if (true) return toLongDate(day);",
        ],
        [
          "if (!(day >= firstDay && day <= lastDay)) return toLongDate(day);",
          "if (!(false)) return toLongDate(day);",
        ],
        [
          "if (!(day >= firstDay && day <= lastDay)) return toLongDate(day);",
          "if (!(day > firstDay && day <= lastDay)) return toLongDate(day);",
        ],
        [
          "if (!(day >= firstDay && day <= lastDay)) return toLongDate(day);",
          "if (!(day >= firstDay && day < lastDay)) return toLongDate(day);",
        ],
        [
          'if (date.length !== "2026-11-20".length) return Math.floor(Date.parse(date) / dayMs);',
          "if (true) return Math.floor(Date.parse(date) / dayMs);",
        ],
        [
          'if (date.length !== "2026-11-20".length) return Math.floor(Date.parse(date) / dayMs);',
          'if (date.length !== "".length) return Math.floor(Date.parse(date) / dayMs);',
        ],
        ["const firstDay = -719_528;", "const firstDay = +719_528;"],
      ],
    },
    {
      why: "Of two equal dates either may be taken.",
      mutants: [["return a < b ? a : b;", "return a <= b ? a : b;"]],
    },
  ],
  "src/domain/subscriptions/dates/cadence.ts": [
    {
      why: "Of two equal dates either may be taken.",
      mutants: [
        [
          "const notBefore = (date: CalendarDate): CalendarDate => (date < today ? today : date);",
          "const notBefore = (date: CalendarDate): CalendarDate => (date <= today ? today : date);",
        ],
      ],
    },
  ],
  "src/domain/subscriptions/dates/next-after.ts": [
    {
      why: "In JavaScript null is neither equal to a text nor greater than one, so the comparison refuses it. The check is for the types.",
      mutants: [
        [
          'if (planned !== null && planned >= today && isOpenOn(calendar, "delivery", planned))',
          'if (true && planned >= today && isOpenOn(calendar, "delivery", planned))',
        ],
      ],
    },
  ],
  "src/domain/subscriptions/dates/restarting.ts": [
    {
      why: "In JavaScript null is neither equal to a text nor greater than one, so the comparison refuses it. The check is for the types.",
      mutants: [["row.next_delivery_date !== null &&", "true &&"]],
    },
  ],
  "src/base/lib/secrets/sealed.ts": [
    {
      why: "A sealed text without a nonce does not open either way: the algorithm refuses an empty one, and this text is not base64.",
      mutants: [
        [
          'const [body, nonce = ""] = sealed.split(".").toReversed();',
          'const [body, nonce = "Stryker was here!"] = sealed.split(".").toReversed();',
        ],
      ],
    },
  ],
  "src/base/lib/secrets/signed.ts": [
    {
      why: "A derived key leaves the function to no one, so that nobody could extract it.",
      mutants: [
        [
          'return crypto.subtle.deriveKey(derivation, secret, form, false, ["sign", "verify"]);',
          'return crypto.subtle.deriveKey(derivation, secret, form, true, ["sign", "verify"]);',
        ],
      ],
    },
  ],
  "src/base/lib/text.ts": [
    {
      why: "ASCII alone is folded in one step to save time. Folded character by character it becomes the same.",
      mutants: [
        ["return /^[\\0-\\x7f]*$/.test(text);", "return /^[\\0-\\x7f]$/.test(text);"],
        [
          "function isAscii(text: string): boolean { return /^[\\0-\\x7f]*$/.test(text); }",
          "function isAscii(text: string): boolean {}",
        ],
      ],
    },
  ],
  "src/base/lib/ttl-cache.ts": [
    {
      why: "A cache that is full and empty has no capacity, and nothing to delete. Deleting undefined deletes nothing.",
      mutants: [
        [
          "if (entries.size >= capacity && oldest !== undefined) entries.delete(oldest);",
          "if (entries.size >= capacity && true) entries.delete(oldest);",
        ],
      ],
    },
  ],
  "src/kit/http/idempotency/idempotency.ts": [
    {
      why: "What stands for a missing media type only has to be none.",
      mutants: [
        [
          `\`\${new URL(c.req.url).search}\\n\${mediaTypeOf(c.req.header("content-type")) ?? ""}\\n\`,`,
          `\`\${new URL(c.req.url).search}\\n\${mediaTypeOf(c.req.header("content-type")) ?? "Stryker was here!"}\\n\`,`,
        ],
      ],
    },
  ],
};
