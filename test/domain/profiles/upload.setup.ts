import { expect } from "vitest";
import { type Answer, api } from "../../support/client.ts";
import { listed, type Merchant } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

export const path = "/api/profiles";
export const uploadPath = `${path}/bulk-upload`;
export type Body = Record<string, unknown>;

/** Tests that upload megabytes take their time on a machine that is busy. */
export const slow = { timeout: 30_000 };

/** Each field that an upload accepts, apart from `email`. */
export const everyField = {
  email_status: "subscribed",
  sms_status: "unsubscribed",
  first_name: "Grace",
  last_name: "Hopper",
  title: "Rear Admiral",
  phone_number: "+1 202 555 0147",
  external_id: "crm-7",
  address1: "1 Navy Yard",
  address2: "B",
  city: "Washington",
  country: "United States",
  country_code: "US",
  region: "DC",
  postal_code: "20374",
  timezone: "America/New_York",
  ip: "192.0.2.1",
  created_at: "2020-01-01T00:00:00.000Z",
  updated_at: "2021-01-01T00:00:00.000Z",
};

/** An account for the tests of a file, and uploads to it unless they name another. */
export function useUploads() {
  const account = useMerchant();
  return {
    account,
    uploadJson: (body: unknown, as: Merchant = account) => api(as.admin, "POST", uploadPath, { body }),
    uploadCsv: (raw: string | Uint8Array<ArrayBuffer>, as: Merchant = account, type = "text/csv") =>
      api(as.admin, "POST", uploadPath, { raw, headers: { "Content-Type": type } }),
    uploadForm: (fields: [string, string | File][], as: Merchant = account) => {
      const data = new FormData();
      for (const [name, value] of fields) data.append(name, value);
      return api(as.admin, "POST", uploadPath, { raw: data });
    },
    findByEmail: async (email: string, as: Merchant = account): Promise<Body | undefined> =>
      (await listed(as.admin, path, { email })).data[0],
  };
}

export function newEmail() {
  return `upload-${++lastNumber}@customers.test`;
}

export function expectImported(answer: Answer, rows: number) {
  expect([answer.status, answer.body], answer.text).toEqual([200, { imported: rows }]);
}

export async function countProfiles(as: Merchant) {
  return (await listed(as.admin, path, { limit: 1 })).meta.total;
}

export function printCsv(columns: string[], rows: Body[], end = "\r\n"): string {
  return [columns, ...rows.map((row) => columns.map((name) => quoted(String(row[name] ?? ""))))]
    .map((cells) => cells.join(","))
    .join(end);
}

let lastNumber = 0;

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
