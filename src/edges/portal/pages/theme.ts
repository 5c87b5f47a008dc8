import type { PortalSettings } from "../../../base/accounts/portal-settings.ts";

type Rgb = [number, number, number];

/** The shop's colour as custom properties: darkened for light pages and lightened for dark ones until it can be read. */
export function themeOf({ accent_color }: Pick<PortalSettings, "accent_color">): string {
  const accent = accent_color ?? neutral;
  const onLight = readable(accent, lightSurface, [0, 0, 0]);
  const onDark = readable(accent, darkSurface, [255, 255, 255]);
  return `:root{--accent:${onLight};--on-accent:${white}}
@media (prefers-color-scheme:dark){:root{--accent:${onDark};--on-accent:${ink}}}
`;
}

/** The colour mixed with black or white until its contrast with the surface is enough. */
export function readable(color: string, surface: string, towards: Rgb): string {
  const from = rgbOf(color);
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = hexOf(
      from.map((channel, index) => channel + ((towards[index] ?? 0) - channel) * share) as Rgb,
    );
    if (contrast(mixed, surface) >= contrastMin) return mixed;
  }
  return hexOf(towards);
}

/** The contrast ratio of two colours as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const neutral = "#1f5f4a";
/** WCAG 2.2, success criterion 1.4.3: text against what is behind it. A little more, as browsers round. */
const contrastMin = 4.6;
/** The darkest surface that the colour stands on in a light page, and the lightest in a dark one (public/assets/portal.css). */
const [lightSurface, darkSurface] = ["#f2f2ef", "#26292e"];
const [white, ink] = ["#ffffff", "#101214"];

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function rgbOf(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}
