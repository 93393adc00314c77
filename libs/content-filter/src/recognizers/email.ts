import { patternRecognizer } from '../pattern-recognizer.ts';
import { hasBefore } from '../words-before.ts';

/** Names of files look like domains: `logo@2x.png`. */
const fileEnding = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|ts|tsx|html?|json|md|map)$/iu;
const doubledSign = /\.\.|^\.|\.@|-\.|\.-|@-/u;
/** `user:password@host` of an address is a secret, and `git@host:path` an address of a repository. */
const urlUserInfo = /:\/\/[^\s/@]{0,200}:$/u;
const repositoryPath = /^:[\w~/-]/u;

/** Finds addresses of e-mail, also with names in other scripts, and those written `name (at) host (dot) tld`. */
export const email = patternRecognizer([
  {
    name: 'email',
    needs: /@/u,
    pattern: new RegExp(
      [
        String.raw`(?<![\p{L}\p{N}.%+_-])[\p{L}\p{N}_+][\p{L}\p{N}.%+_'-]{0,63}@`,
        String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,24}|`,
        String.raw`xn--[a-z0-9-]{2,40})(?![\p{L}\p{N}_@]|-[\p{L}\p{N}])`,
      ].join(''),
      'giu',
    ),
    score(match, text, start) {
      if (doubledSign.test(match) || fileEnding.test(match)) return 0;
      if (hasBefore(text, start, urlUserInfo, 220)) return 0;
      if (match.startsWith('git@') && repositoryPath.test(text.slice(start + match.length)))
        return 0;
      return 0.95;
    },
  },
  {
    name: 'written_email',
    needs: /[([]\s?at\s?[)\]]/iu,
    pattern: new RegExp(
      [
        String.raw`(?<![\p{L}\p{N}._+-])[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}\s{0,2}[([]\s?at\s?[)\]]\s{0,2}[\p{L}`,
        String.raw`\p{N}][\p{L}\p{N}-]{0,62}(?:\s{0,2}(?:[([]\s?dot\s?[)\]]|`,
        String.raw`\.)\s{0,2}[\p{L}\p{N}][\p{L}\p{N}-]{0,62}){1,4}`,
      ].join(''),
      'giu',
    ),
    score: () => 0.8,
  },
]);
