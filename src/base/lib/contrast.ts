/** The colour of links and buttons, and of the text on a button. */
export type Accent = { accent: string; onAccent: string };

/** A shop's colour, darkened for light pages and lightened for dark ones until it can be read. Null, or no colour: a green. */
export function accentsOf(color: string | null): { light: Accent; dark: Accent } {
  const accent = color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color : neutral;
  return {
    light: { accent: readable(accent, lightSurface, [0, 0, 0]), onAccent: white },
    dark: { accent: readable(accent, darkSurface, [255, 255, 255]), onAccent: ink },
  };
}

/** The colour mixed with black or white until its contrast with the surface is enough. */
function readable(color: string, surface: string, towards: Rgb): string {
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
/** The darkest surface that the colour stands on in a light page or mail, and the lightest in a dark one. */
const [lightSurface, darkSurface] = ["#f2f2ef", "#26292e"];
const [white, ink] = ["#ffffff", "#101214"];

type Rgb = [number, number, number];

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
