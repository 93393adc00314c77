/** One kind of credential. */
export interface SecretRule {
  readonly kind: string;
  /** A text without one of these has no such credential. */
  readonly gates: readonly string[];
  /** With the flag `d` and a group `secret` if the credential is a part of the match. */
  readonly pattern: RegExp;
  /** What texts with such a credential look like: tests draw from it. */
  readonly example: RegExp;
  readonly score: number;
  readonly isValid: (secret: string) => boolean;
}

interface RuleOptions {
  /** Gates other than the prefix. */
  readonly gates?: readonly string[];
  readonly isValid?: (secret: string) => boolean;
  readonly score?: number;
}

const boundary = String.raw`(?<![A-Za-z0-9_-])`;
const end = String.raw`(?![A-Za-z0-9_-])`;

/** A credential that begins with a prefix of its own; `body` is a bounded pattern. */
export function prefixed(
  kind: string,
  prefix: string,
  body: string,
  { gates = [prefix], isValid = isRandom, score = 0.9 }: RuleOptions = {},
): SecretRule {
  const escaped = prefix.replaceAll(/[.$+*?()[\]{}|\\^/]/gu, String.raw`\$&`);
  const pattern = new RegExp(`${boundary}(?<secret>${escaped}${body})${end}`, 'dg');
  return { kind, gates, pattern, example: new RegExp(`^${escaped}${body}$`), score, isValid };
}

/** A credential that any text could be: it counts behind words that name it. */
export function named(
  kind: string,
  words: string,
  body: string,
  { gates = [words], isValid = isRandom, score = 0.7 }: RuleOptions = {},
): SecretRule {
  const name = String.raw`(?:${words})[A-Za-z0-9_ .-]{0,24}["'\`]?\s{0,3}(?::=|=>|[:=]|\bis\b)\s{0,3}["'\`]?`;
  const pattern = new RegExp(`${name}(?<secret>${body})${end}`, 'dgi');
  return {
    kind,
    gates,
    pattern,
    example: new RegExp(`^(?:${words})=(?:${body})$`),
    score,
    isValid,
  };
}

const placeholder = new RegExp(
  [
    String.raw`x{4}|\*{3}|\.{3}|0{6}|1234567|abcdef(?!\d)|example|sample|your|change-?me|placeholder|`,
    String.raw`redacted|dummy|insert|replace`,
  ].join(''),
  'iu',
);

/** Not a placeholder, and as varied as what is drawn at random. */
export function isRandom(secret: string): boolean {
  if (placeholder.test(secret)) return false;
  const letters = new Set(secret);
  return letters.size >= Math.min(8, secret.length / 2);
}

/** Bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
