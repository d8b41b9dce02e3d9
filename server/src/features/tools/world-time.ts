import { ToolFailed } from './tools.define.ts';

/** Popular places that don't name a time zone. */
const ALSO = new Map<string, string>([
  ['utc', 'UTC'],
  ['gmt', 'UTC'],
  ['san francisco', 'America/Los_Angeles'],
  ['seattle', 'America/Los_Angeles'],
  ['boston', 'America/New_York'],
  ['washington', 'America/New_York'],
  ['miami', 'America/New_York'],
  ['munich', 'Europe/Berlin'],
  ['hamburg', 'Europe/Berlin'],
  ['barcelona', 'Europe/Madrid'],
  ['milan', 'Europe/Rome'],
  ['geneva', 'Europe/Zurich'],
  ['cape town', 'Africa/Johannesburg'],
  ['pretoria', 'Africa/Johannesburg'],
  ['mumbai', 'Asia/Kolkata'],
  ['delhi', 'Asia/Kolkata'],
  ['beijing', 'Asia/Shanghai'],
  ['osaka', 'Asia/Tokyo'],
  ['rio de janeiro', 'America/Sao_Paulo'],
  ['germany', 'Europe/Berlin'],
  ['france', 'Europe/Paris'],
  ['norway', 'Europe/Oslo'],
  ['japan', 'Asia/Tokyo'],
  ['india', 'Asia/Kolkata'],
  ['south africa', 'Africa/Johannesburg'],
]);

/** The date and time in a zone or city; throws ToolFailed for an unknown place. */
export function timeIn(place: string, now: Date) {
  const zone = zoneOf(place.trim());
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(now);
  return {
    place,
    timeZone: zone,
    date: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    time: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    offset: format({ timeZoneName: 'longOffset' }).replace(/^.*,\s*/, ''),
    utc: now.toISOString(),
  };
}

function zoneOf(place: string): string {
  const wanted = place.toLowerCase().replaceAll('_', ' ');
  const alias = ALSO.get(wanted);
  if (alias !== undefined) return alias;
  const zones = Intl.supportedValuesOf('timeZone');
  const city = (zone: string) => zone.toLowerCase().replaceAll('_', ' ').split('/').at(-1);
  const match = zones.find((zone) => city(zone) === wanted || zone.toLowerCase().replaceAll('_', ' ') === wanted);
  if (match !== undefined) return match;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: place }).resolvedOptions().timeZone;
  } catch {
    throw new ToolFailed(`“${place}” is not a time zone or city known here. Use a name such as Europe/Oslo.`);
  }
}
