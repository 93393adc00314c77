import { Type } from 'typebox';

const headersMax = 32;
const valueCharactersMax = 4_096;
const namePattern = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$";

/** The headers that belong to a connection or to its body: the sender sets them. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of each request to the receiver. Their values may be secrets, so all of them are treated as secrets. */
export const headers = Type.Unsafe<Readonly<Record<string, string>>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.String({
        maxLength: valueCharactersMax,
        pattern: String.raw`^[\x20-\x7e]*$`,
        mustBe: `a text of at most ${valueCharactersMax} printable ASCII characters`,
      }),
      propertyNames: Type.String({ pattern: namePattern, mustBe: 'the name of a header' }),
      maxProperties: headersMax,
      mustBe: `an object of at most ${headersMax} headers`,
      description: 'Headers of each request to the receiver. Their values are masked in answers.',
      examples: [{ 'X-Team': 'platform' }],
    },
  ),
);

/** Names the headers that a destination may not set. */
export function reservedHeaders(given: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(given).filter((name) => reserved.has(name.toLowerCase()));
}

/** Names the headers that stand in the map twice, in different cases. */
export function repeatedHeaders(given: Readonly<Record<string, string>>): readonly string[] {
  const seen = new Set<string>();
  return Object.keys(given).filter((name) => {
    const lower = name.toLowerCase();
    if (seen.has(lower)) return true;
    seen.add(lower);
    return false;
  });
}
