import { dayMs, minuteMs } from "./durations.ts";

/** Since then each of these zones has kept its rule. Of all other times the platform is asked, as of other zones. */
const [knownFrom, knownUntil] = [Date.UTC(2025, 0, 1), Date.UTC(2125, 0, 1)];

/**
 * The offset of a zone whose rule is written down here; undefined for others. The platform knows all of them, but it takes 25 ms of CPU to
 * load what it knows when it is first asked, which is a quarter of a new isolate's first answer.
 */
export function offsetByRule(atMs: number, timezone: string): number | undefined {
  const known = zones.get(timezone);
  if (!known || !(atMs >= knownFrom && atMs < knownUntil)) return undefined;
  const { offset, summer } = known;
  return offset + (summer && isSummer(atMs, offset, summer) ? 60 * minuteMs : 0);
}

/** The Sunday on or after a day of a month, and the minute of it at which clocks are changed. */
type Turn = [month: number, day: number, minute: number];
/** `inUtc`: the minutes are those of UTC; else of the zone's standard time. */
type Summer = { from: Turn; until: Turn; inUtc?: true };
type Zone = { offset: number; summer: Summer | undefined };

/** Standard time, in minutes from UTC, and the zones that have it. */
type Offsets = Record<number, string>;

const europe: [Summer, Offsets] = [
  { from: [2, 25, 60], until: [9, 25, 60], inUtc: true },
  {
    [-60]: "Atlantic/Azores",
    0: "Europe/London Europe/Dublin Europe/Lisbon Atlantic/Canary Atlantic/Madeira",
    60: "Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Brussels Europe/Vienna Europe/Zurich Europe/Stockholm Europe/Oslo Europe/Copenhagen Europe/Warsaw Europe/Prague Europe/Budapest Europe/Belgrade Europe/Bratislava Europe/Ljubljana Europe/Luxembourg Europe/Malta Europe/Monaco Europe/Sarajevo Europe/Skopje Europe/Tirane Europe/Zagreb Europe/Andorra Europe/Vaduz",
    120: "Europe/Athens Europe/Bucharest Europe/Helsinki Europe/Riga Europe/Sofia Europe/Tallinn Europe/Vilnius Europe/Kyiv Europe/Kiev Asia/Nicosia",
  },
];
const northAmerica: [Summer, Offsets] = [
  { from: [2, 8, 120], until: [10, 1, 60] },
  {
    [-540]: "America/Anchorage America/Juneau",
    [-480]: "America/Los_Angeles America/Tijuana",
    [-420]: "America/Denver America/Boise",
    [-360]: "America/Chicago America/Winnipeg",
    [-300]:
      "America/New_York America/Toronto America/Detroit America/Indianapolis America/Indiana/Indianapolis America/Kentucky/Louisville America/Louisville",
    [-240]: "America/Halifax America/Moncton Atlantic/Bermuda",
    [-210]: "America/St_Johns",
  },
];
const australia: [Summer, Offsets] = [
  { from: [9, 1, 120], until: [3, 1, 120] },
  { 570: "Australia/Adelaide", 600: "Australia/Sydney Australia/Melbourne Australia/Hobart" },
];
const newZealand: [Summer, Offsets] = [
  { from: [8, 24, 120], until: [3, 1, 120] },
  { 720: "Pacific/Auckland" },
];
const withoutSummer: [undefined, Offsets] = [
  undefined,
  {
    [-600]: "Pacific/Honolulu",
    [-420]: "America/Phoenix",
    [-360]: "America/Mexico_City America/Monterrey America/Costa_Rica America/Guatemala America/Regina",
    [-300]: "America/Bogota America/Lima America/Panama America/Jamaica America/Guayaquil",
    [-240]: "America/Puerto_Rico America/Santo_Domingo America/La_Paz America/Caracas",
    [-180]: "America/Sao_Paulo America/Buenos_Aires America/Argentina/Buenos_Aires America/Montevideo",
    0: "UTC Atlantic/Reykjavik Africa/Abidjan Africa/Accra Africa/Dakar",
    60: "Africa/Lagos Africa/Algiers Africa/Tunis",
    120: "Africa/Johannesburg",
    180: "Europe/Istanbul Europe/Moscow Africa/Nairobi Asia/Riyadh Asia/Kuwait Asia/Qatar Asia/Baghdad",
    240: "Asia/Dubai Asia/Tbilisi Asia/Yerevan Asia/Baku",
    300: "Asia/Karachi Asia/Tashkent",
    330: "Asia/Kolkata Asia/Calcutta Asia/Colombo",
    345: "Asia/Kathmandu Asia/Katmandu",
    360: "Asia/Dhaka",
    420: "Asia/Bangkok Asia/Jakarta Asia/Ho_Chi_Minh Asia/Saigon",
    480: "Asia/Singapore Asia/Hong_Kong Asia/Shanghai Asia/Taipei Asia/Manila Asia/Kuala_Lumpur Australia/Perth",
    540: "Asia/Tokyo Asia/Seoul",
    570: "Australia/Darwin",
    600: "Australia/Brisbane Pacific/Guam",
  },
];

const zones = new Map(
  [europe, northAmerica, australia, newZealand, withoutSummer].flatMap(([summer, offsets]) =>
    Object.entries(offsets).flatMap(([minutes, names]) =>
      names.split(" ").map((name): [string, Zone] => [name, { offset: Number(minutes) * minuteMs, summer }]),
    ),
  ),
);

function isSummer(atMs: number, offset: number, { from, until, inUtc }: Summer): boolean {
  const clock = inUtc ? atMs : atMs + offset;
  const year = new Date(clock).getUTCFullYear();
  const [begins, ends] = [turnIn(year, from), turnIn(year, until)];
  return begins < ends ? clock >= begins && clock < ends : clock >= begins || clock < ends;
}

function turnIn(year: number, [month, day, minute]: Turn): number {
  const earliest = Date.UTC(year, month, day);
  const daysToSunday = (7 - new Date(earliest).getUTCDay()) % 7;
  return earliest + daysToSunday * dayMs + minute * minuteMs;
}
