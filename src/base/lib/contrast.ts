/** The colour of links and buttons, and of the text on a button. */
export type Accent = { accent: string; onAccent: string };

/** A shop's colour, darkened for light pages and lightened for dark ones until it can be read. Null, or no colour: a green. */
export function accentsOf(color: string | null): { light: Accent; dark: Accent } {
  const accent = color?.match(/^#[0-9a-f]{6}$/i)?.[0] ?? neutral;
  return {
    light: { accent: readable(accent, lightSurface, darken), onAccent: white },
    dark: { accent: readable(accent, darkSurface, lighten), onAccent: ink },
  };
}

type Move = (color: Rgb, share: number) => Rgb;

/** The colour, moved by hundredths until its contrast with the surface is enough: white and black have it at the latest. */
function readable(color: string, surface: string, move: Move): string {
  for (let step = 0; ; step++) {
    const moved = hexOf(move(rgbOf(color), step / 100));
    if (contrast(moved, surface) >= contrastMin) return moved;
  }
}

/** Mixing with black keeps a colour's hue and saturation. */
function darken(color: Rgb, share: number): Rgb {
  return color.map((channel) => channel * (1 - share)) as Rgb;
}

/** Raises HSL's lightness. Mixing with white would make a shop's colour grey. */
function lighten(color: Rgb, share: number): Rgb {
  const [max, min] = [Math.max(...color), Math.min(...color)];
  const lightness = (max + min) / 510;
  const lighter = lightness + (1 - lightness) * share;
  const scale = room(lighter) / (room(lightness) || 1);
  return color.map((channel) => 255 * lighter + (channel - 255 * lightness) * scale) as Rgb;
}

/** The distance that a colour's channels can lie apart at a lightness: for black and white not at all. */
function room(lightness: number): number {
  return 1 - Math.abs(2 * lightness - 1);
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
