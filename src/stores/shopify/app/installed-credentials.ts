import { z } from "zod";

const text = z.string().min(1);

/** The credentials that an installation with OAuth has left: tokens of the deployment's app (app.ts), which has the secret. */
export const installedSchema = z.strictObject({
  app_id: text,
  access_token: text,
  expires_at: z.string(),
  refresh_token: text,
  refresh_expires_at: z.string(),
});

export type InstalledCredentials = z.output<typeof installedSchema>;
