import { entropyOf, isPlaceholder, isRandom, isVaried } from './entropy.ts';
import { begin, type Groups, scores, type SecretRule } from './secret-rules.ts';

const label = '(?:[A-Z0-9]{1,12} ){0,3}';
const keyHead = String.raw`-----BEGIN ${label}PRIVATE KEY(?: BLOCK)?-----`;
const keyTail = String.raw`-----END ${label}PRIVATE KEY(?: BLOCK)?-----`;
/** The next five hyphens end the body: many heads without a tail cost no more than their text. */
const keyBody = '(?:[^-]|-(?!----)){0,20000}';
const keyRun = String.raw`(?:(?:\s|\\[nr]){0,4}[A-Za-z0-9+/=]{16,128}){1,160}`;
const keyDataMin = 24;

/** Says whether there is key data between the lines: a source that only names them has none. */
function hasKeyData(block: string): boolean {
  const data = block
    .replaceAll(/-----[A-Z0-9 ]{0,80}-----/gu, '')
    .replaceAll(/\\[nr]|^[A-Za-z-]{3,20}: .{0,80}$/gmu, ' ');
  const runs = data.match(/[A-Za-z0-9+/=]{12,128}/gu) ?? [];
  const key = runs.join('');
  return key.length >= keyDataMin && entropyOf(key) >= 3.2 && /[0-9+/]/u.test(key);
}

function isWebToken(token: string): boolean {
  const [head = '', body = ''] = token.split('.');
  try {
    const header: unknown = JSON.parse(Buffer.from(head, 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header && body !== '';
  } catch {
    return false;
  }
}

/**
 * Returns a check of whether three parts with points between them begin at a place. Each run of characters is measured
 * once, and so many places in it as `openingsMax` says are looked at.
 */
function threeParts(text: string): (place: number) => boolean {
  const part = /[\w-]*/uy;
  const endOf = (from: number) => {
    part.lastIndex = from;
    part.test(text);
    return part.lastIndex;
  };
  let end = -1;
  let isOpening = false;
  let openings = 0;
  return (place) => {
    if (place >= end) {
      openings = 0;
      end = endOf(place);
      const second = text[end] === '.' ? endOf(end + 1) : end;
      isOpening = second > end && text[second] === '.';
    }
    if (!isOpening || end - place > webTokenHeadMax) return false;
    openings++;
    return openings <= openingsMax;
  };
}

const webTokenHeadMax = 2_003;
/** Each opening costs a look at the whole token. */
const openingsMax = 32;

const blocks: readonly SecretRule[] = [
  {
    kind: 'private_key',
    gate: ['-----begin '],
    pattern: new RegExp(`${keyHead}(?:${keyBody}${keyTail}|${keyRun})`, 'uy'),
    score: scores.prefix,
    isValid: hasKeyData,
  },
  {
    kind: 'putty_private_key',
    gate: ['private-lines:'],
    pattern: /Private-Lines: [0-9]{1,4}\s{1,4}(?<secret>(?:[A-Za-z0-9+/=]{4,64}\s{0,2}){2,400})/uy,
    score: scores.prefix,
    isValid: isVaried,
  },
  {
    kind: 'json_web_token',
    gate: ['eyj'],
    pattern: new RegExp(
      String.raw`${begin}(?<secret>eyJ[\w-]{10,2000}\.[\w-]{2,16000}\.[\w-]{10,2000})(?![\w-])`,
      'uy',
    ),
    score: scores.prefix,
    opensIn: threeParts,
    isValid: isWebToken,
  },
];

const commonPasswords = new RegExp(
  [
    String.raw`^(?:pass|passwd|password|passw?o?r?d?[0-9]{0,4}|pwd?|secret|user|username|token|key|`,
    String.raw`p4ssw0rd|hunter2|admin|root|guest|postgres|test|x{1,10}|\*{1,20}|[0-9]{1,4}|.)$`,
  ].join(''),
  'iu',
);

function isPassword(secret: string): boolean {
  return !commonPasswords.test(secret) && !isPlaceholder(secret);
}

const addresses: readonly SecretRule[] = [
  {
    kind: 'url_password',
    gate: ['://'],
    pattern: new RegExp(
      [
        String.raw`(?<=[A-Za-z][A-Za-z0-9+.-]{0,30}):\/\/(?<user>[^\s:/?#@"'\x60<>(){}]{0,100}):(?<secret>[^\s/`,
        String.raw`?#@"'\x60<>]{3,200})(?=@[A-Za-z0-9[_])`,
      ].join(''),
      'uy',
    ),
    score: scores.context,
    isValid: (secret, { user = '' }) => isPassword(secret) && isPassword(`${user}-user`),
  },
  {
    kind: 'connection_string_password',
    gate: ['password=', 'pwd='],
    pattern: new RegExp(
      [
        String.raw`(?<=[;?&"' ](?:[A-Za-z ]{2,30}=[^;\n"']{0,120}; ?))(?:password|`,
        String.raw`pwd)=(?<secret>[^;\s"'<>&]{6,128})(?=[;"'\s]|$)`,
      ].join(''),
      'iuy',
    ),
    score: scores.context,
    isValid: isPassword,
  },
  {
    kind: 'jdbc_password',
    gate: ['jdbc:'],
    pattern:
      /jdbc:[a-z0-9:]{2,40}\/\/[^\s"']{1,200}?[?&;]password=(?<secret>[^\s"'&;<>]{6,128})/iuy,
    score: scores.context,
    isValid: isPassword,
  },
];

const headers: readonly SecretRule[] = [
  {
    kind: 'bearer_token',
    gate: ['bearer '],
    pattern:
      /(?<![A-Za-z0-9])bearer (?<secret>[A-Za-z0-9._~+/-]{20,2000}={0,2})(?![A-Za-z0-9(])/iuy,
    score: scores.generic,
    isValid: (secret) => isValue(secret),
  },
  {
    kind: 'basic_authorization',
    gate: ['basic '],
    pattern: /(?<![A-Za-z0-9])basic (?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9])/iuy,
    score: scores.generic,
    isValid: isBasic,
  },
  {
    kind: 'command_password',
    gate: ['curl ', 'sshpass '],
    pattern:
      /(?:curl\b[^\n]{0,200}?\s(?:-u|--user)\s?["']?[\w.@-]{1,64}:|sshpass\s-p\s?["']?)(?<secret>[^\s"']{6,128})/iuy,
    score: scores.context,
    isValid: isPassword,
  },
];

function isBasic(secret: string): boolean {
  const text = Buffer.from(secret, 'base64').toString('latin1');
  const [, password] = /^[\x20-\x7e]{1,200}?:([\x20-\x7e]{3,200})$/u.exec(text) ?? [];
  return password !== undefined && isPassword(password);
}

const names =
  'password|passwd|passphrase|passcode|pwd|secret|token|credential|' +
  '(?:api|access|auth|private|encryption|signing|client)[_ -]?key';
const assign = String.raw`["'${'`'}\])]{0,2}[ \t]{0,4}(?::=|=>|[:=]|\bis\b:?)[ \t]{0,4}`;

const gatesOfNames: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'secret',
  'token',
  'credential',
  ...['api', 'access', 'auth', 'private', 'encryption', 'signing', 'client'].flatMap((word) =>
    ['', '_', '-', ' '].map((separator) => `${word}${separator}key`),
  ),
];

const assignments: readonly SecretRule[] = [
  {
    kind: 'assigned_secret',
    gate: gatesOfNames,
    pattern: new RegExp(
      [
        String.raw`(?:${names})[\w-]{0,24}${assign}(?:(?<quote>["'${'`'}])(?<quoted>[^"'${'`'}\s]{8,256})(?=\k<`,
        String.raw`quote>)|(?<bare>[^\s"'${'`'},;<>(){}[\]|]{8,256})(?=[\s,;"'${'`'}]|$))`,
      ].join(''),
      'iuy',
    ),
    score: scores.generic,
    isValid: isAssigned,
  },
];

function isAssigned(_match: string, { quoted, bare = '' }: Groups): boolean {
  const value = quoted ?? bare;
  return isValue(value) && (quoted !== undefined || isNoExpression(value));
}

/** Says whether a value is no path, no name and no sentence of code. */
function isValue(value: string): boolean {
  if (
    !isRandom(value) ||
    /^(?:https?|file|urn|data|arn|sha[0-9]+)[:-]|^[./@#~]|^[0-9]{4}-[0-9]{2}-|\.[a-z]{2,4}$/iu.test(
      value,
    )
  )
    return false;
  const words = value.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/u).filter((part) => part !== '');
  const plain = words.filter((part) =>
    /^(?:[A-Za-z]{2,}[0-9]{0,2}|[0-9]{1,4}|v[0-9]{1,3})$/u.test(part),
  );
  return plain.length < words.length || words.length === 1;
}

function isNoExpression(value: string): boolean {
  return !/^[A-Za-z_$][\w$]*(?:\??\.[\w$]+)+$|[=!&|?]{2}|^\d{1,4}$|^0x|\\/u.test(value);
}

/** Credentials without a mark of their own: keys, tokens, addresses and what stands behind a name. */
export const genericSecrets: readonly SecretRule[] = [
  ...blocks,
  ...addresses,
  ...headers,
  ...assignments,
];
