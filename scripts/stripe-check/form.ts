export type Fields = { [name: string]: unknown };

/** Nested fields in the names that Stripe reads, as `metadata[key]` (docs.stripe.com/api, "form-encoded request bodies"). */
export function formOf(fields: Fields, within = ""): URLSearchParams {
  const form = new URLSearchParams();
  for (const [field, value] of Object.entries(fields)) {
    const name = within === "" ? field : `${within}[${field}]`;
    if (typeof value === "object" && value !== null)
      for (const [inner, text] of formOf(value as Fields, name)) form.append(inner, text);
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
