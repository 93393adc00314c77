/** Formatters by zone: a new one costs more than the rest of the tool. The IANA database has about 600 names. */
const known = new Map<string, Intl.DateTimeFormat>();
const knownMax = 600;

/** Formats a time in ISO 8601, with milliseconds and the offset of an IANA time zone. */
export function isoTime(time: Date, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(time);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const date = `${of('year')}-${of('month')}-${of('day')}`;
  const offset = of('timeZoneName').replace('GMT', '');
  const clock = `${of('hour')}:${of('minute')}:${of('second')}.${of('fractionalSecond')}`;
  return `${date}T${clock}${offset === '' ? 'Z' : offset}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const before = known.get(timeZone);
  if (before) return before;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'longOffset',
  });
  // Clients may write one name in many cases.
  if (known.size >= knownMax) known.clear();
  known.set(timeZone, format);
  return format;
}
