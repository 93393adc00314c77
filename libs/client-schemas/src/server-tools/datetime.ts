import { type Static, Type } from 'typebox';
import { field, kind, optional, text } from '../fields.ts';

const zoneCharactersMax = 64;
/** The names of the IANA database. The runtime knows offsets, too, which are no names. */
const zonePattern = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

const timezone = Type.Refine(
  text({ max: zoneCharactersMax }),
  (name) => isTimeZone(name),
  () => 'must be the name of a time zone, such as Europe/Berlin',
);

/** `service:datetime`: tells the model the time. */
export const datetimeTool = Type.Object({
  type: kind('service:datetime'),
  parameters: optional(
    Type.Object({
      timezone: field(optional(timezone), 'IANA name of the time zone.', 'Europe/Berlin'),
    }),
    'Settings of the tool.',
    {},
  ),
});

export type DatetimeSettings = NonNullable<Static<typeof datetimeTool>['parameters']>;

/** The names that were asked for: the runtime needs long for the answer. The IANA database has about 600. */
const known = new Set<string>();
const knownMax = 600;

/** Returns true for the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true;
  if (name.length > zoneCharactersMax || !zonePattern.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  } catch {
    return false;
  }
  // Clients may write one name in many cases.
  if (known.size >= knownMax) known.clear();
  known.add(name);
  return true;
}
