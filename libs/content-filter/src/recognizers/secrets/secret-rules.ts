import { isRandom, isVaried } from './entropy.ts';

/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** A kind of credential and the text that gives it away. */
export interface SecretRule {
  /** The name of the kind, such as `github_token`. */
  readonly kind: string;
  /** In lower case. The pattern runs only where one of them stands. */
  readonly gate: readonly string[];
  /**
   * Bounded, and begins at a gate. The group `secret` ends the match; without the group, the match
   * is the secret. The group `left`, of a lookbehind, belongs to the secret as well.
   */
  readonly pattern: RegExp;
  readonly score: number;
  /** Returns a cheap check of whether the pattern can match at a place. It is asked in the order of the places. */
  readonly opensIn?: (text: string) => (place: number) => boolean;
  readonly isValid?: (secret: string, groups: Groups) => boolean;
}

export const scores = { prefix: 0.9, context: 0.7, generic: 0.6 } as const;

type Options = Partial<Pick<SecretRule, 'score' | 'isValid'>>;

/** No letter or digit stands before, other than the end of `\n` or `%20`. */
export const begin = String.raw`(?<!(?<!\\|%[0-9A-Fa-f])[A-Za-z0-9])`;
/** Like `begin`, but no hyphen or underscore stands before either. Many words end with such a prefix. */
export const lone = String.raw`${begin}(?<![_-])`;
export const end = '(?![A-Za-z0-9])';

/** Describes a credential that begins with one of the prefixes. */
export function prefixed(
  kind: string,
  prefix: string | readonly string[],
  body: string,
  { score = scores.prefix, isValid }: Options = {},
): SecretRule {
  const prefixes = typeof prefix === 'string' ? [prefix] : prefix;
  const source = prefixes.map(quoted).join('|');
  return {
    kind,
    gate: prefixes.map((one) => one.toLowerCase()),
    pattern: new RegExp(`${lone}(?<secret>(?:${source})(?<body>${body}))${end}`, 'uy'),
    score,
    isValid: isValid ?? ((_secret, { body: found = '' }) => isVaried(found)),
  };
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}

/** Between a name and its value, in code, settings, headers and prose. */
export const between = [
  String.raw`["'${'`'}\])]{0,2}[ \t]{0,4}`,
  String.raw`(?::=|=>|[:=,]|is\b)?\s{0,4}(?:Bearer )?["'${'`'}(]{0,2}`,
].join('');

const credentialNames = 'key|token|secret|passw|credential|auth|pat|dsn';

/** Describes a credential without a mark of its own, behind the name of its owner. */
export function near(
  kind: string,
  owner: string | readonly string[],
  value: string,
  { isOwnerEnough = false, ...options }: Options & { readonly isOwnerEnough?: boolean } = {},
): SecretRule {
  const owners = typeof owner === 'string' ? [owner] : owner;
  const tail = isOwnerEnough ? '' : `(?:${credentialNames})[A-Za-z0-9_-]{0,16}`;
  const name = String.raw`(?:${owners.map(quoted).join('|')})[\w\s.:"'{-]{0,30}?${tail}`;
  const secret = `(?<![A-Za-z0-9])(?<secret>${value})(?![A-Za-z0-9_-])`;
  return {
    kind,
    gate: owners,
    pattern: new RegExp(`(?<![A-Za-z0-9])${name}${between}${secret}`, 'iuy'),
    score: scores.context,
    isValid: isRandom,
    ...options,
  };
}

/** Describes a credential with a mark in its middle, where the pattern begins. */
export function marked(
  kind: string,
  mark: string | readonly string[],
  left: string,
  right: string,
): SecretRule {
  return {
    kind,
    gate: typeof mark === 'string' ? [mark] : mark,
    pattern: new RegExp(`(?<=${begin}(?<left>${left}))${right}`, 'uy'),
    score: scores.prefix,
    isValid: isVaried,
  };
}

export const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
