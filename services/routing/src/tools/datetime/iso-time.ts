/** Formats a time in ISO 8601, with milliseconds and the offset of an IANA time zone. */
export function isoTime(time: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
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
  }).formatToParts(time);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const date = `${of('year')}-${of('month')}-${of('day')}`;
  const offset = of('timeZoneName').replace('GMT', '');
  const clock = `${of('hour')}:${of('minute')}:${of('second')}.${of('fractionalSecond')}`;
  return `${date}T${clock}${offset === '' ? 'Z' : offset}`;
}
