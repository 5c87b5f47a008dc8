import type { Words } from "./words/index.ts";

/** A name for goods that are sold together. */
export function nameGoods({ andMore }: Pick<Words, "andMore">, [first = "", ...more]: string[]): string {
  return more.length > 0 ? `${first} ${andMore(more.length)}` : first;
}

/** A postal address, as subscriptions have it. */
export type Address = Partial<
  Record<"first_name" | "last_name" | "company" | "address2" | "province", string | null | undefined>
> &
  Record<"address1" | "zip" | "city" | "country", string>;

/** An address in one line. */
export function addressOf(address: Address | null): string {
  if (!address) return "";
  const { first_name, last_name, company, address1, address2, zip, city, province, country } = address;
  const name = [first_name, last_name].filter(Boolean).join(" ");
  return [name, company, address1, address2, [zip, city].filter(Boolean).join(" "), province, country]
    .filter(Boolean)
    .join(", ");
}

export function cardOf(brand: string | null, last4: string | null): string {
  const name = (brand ?? "").replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return last4 === null ? name : `${name} •••• ${last4}`.trim();
}
