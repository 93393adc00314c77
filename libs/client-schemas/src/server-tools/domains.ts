import { parseDomain } from '@sluice/domain-lists';
import { Type } from 'typebox';
import { formed, listOf } from '../fields.ts';

const domainsMax = 100;
const mustBe = 'a domain such as example.com, *.example.com or example.com/blog';
const label = String.raw`(?:\*|[^\s/?#@:*.\[\]]{1,63})`;

const written = formed(
  String.raw`^(?=[^]{1,300}$)(?:[Hh][Tt][Tt][Pp][Ss]?://)?${label}(?:\.${label}){1,20}\.?(?:/[^\s?#]{0,200})?$`,
  mustBe,
  'example.com',
);

/** A list of domains that the search or the pages of the web are bound to, or kept from. */
export const domains = listOf(
  Type.Refine(
    written,
    (text) => parseDomain(text) !== undefined,
    () => `must be ${mustBe}`,
  ),
  { max: domainsMax },
);
