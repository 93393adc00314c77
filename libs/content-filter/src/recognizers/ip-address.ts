import ipaddr from 'ipaddr.js';
import { patternRecognizer } from '../pattern-recognizer.ts';
import { hasBefore } from '../words-before.ts';

const version = new RegExp(
  [
    String.raw`(?:\b(?:v|ver|versions?|release|build|firmware|driver|chapter|section|clause|oid)\b[.:]?|§|`,
    String.raw`[~^@]|[=<>]=)\s?(?:is |to |from )?$`,
  ].join(''),
  'iu',
);

/** Finds addresses of IPv4, unless words say that it is a version, and of IPv6. */
export const ipAddress = patternRecognizer([
  {
    name: 'ipv4',
    needs: /\d\./u,
    pattern: new RegExp(
      [
        String.raw`(?<![\p{L}\d_]|[\d]\.|-)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|`,
        String.raw`1\d\d|[1-9]?\d)(?![\p{L}\d_]|\.\d|-[\p{L}])`,
      ].join(''),
      'gu',
    ),
    score: (_match, text, start) => (hasBefore(text, start, version, 18) ? 0 : 0.9),
  },
  {
    name: 'ipv6',
    needs: /:[0-9a-f]{0,4}:/iu,
    pattern:
      /(?<![\p{L}\d_:.])(?=[0-9a-f]{0,4}:)[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?:%[a-z0-9]{1,16})?(?![\p{L}\d_:])/giu,
    score(match) {
      const isHexadecimalWord = !/\d/u.test(match);
      return !isHexadecimalWord && ipaddr.IPv6.isValid(match) ? 0.95 : 0;
    },
  },
]);
