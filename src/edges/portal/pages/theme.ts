import type { PortalSettings } from "../../../base/accounts/portal-settings.ts";
import { accentsOf } from "../../../base/lib/contrast.ts";

/** The shop's colour as custom properties (public/assets/portal.css). */
export function themeOf({ accent_color }: Pick<PortalSettings, "accent_color">): string {
  const { light, dark } = accentsOf(accent_color);
  return `:root{--accent:${light.accent};--on-accent:${light.onAccent}}
@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--on-accent:${dark.onAccent}}}
`;
}
