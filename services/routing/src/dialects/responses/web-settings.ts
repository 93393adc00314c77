import { isObject } from './fields.ts';
import {
  both,
  type Check,
  flag,
  formed,
  inside,
  integer,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  text,
} from './shape.ts';

/** Settings that the tools and the plugins of the web share. */
const handlesMax = 20;
const domainsMax = 1_000;
const domainCharactersMax = 1_024;
const resultsMax = 25;

/** The modes of all engines. An engine ignores a mode that it does not know. */
const modes = [
  'instant',
  'fast',
  'auto',
  'deep-lite',
  'deep',
  'deep-reasoning',
  'turbo',
  'basic',
  'advanced',
];

export const domains: Check = listOf(text({ min: 1, max: domainCharactersMax }), {
  max: domainsMax,
});

const handles = listOf(text({ min: 1 }), { max: handlesMax });
const date = formed(/^\d{4}-\d{2}-\d{2}/, 'must be a date such as 2026-01-31');

/** Only one of the two lists: they cannot both be meant. */
const oneListOfHandles: Check = (value, { path, issues }) => {
  if (isObject(value) && value['allowed_x_handles'] && value['excluded_x_handles'])
    issues.add(
      `${path}.excluded_x_handles`,
      'cannot be used together with allowed_x_handles',
      'unprocessable',
    );
};

const xSearch = both(
  objectOf({
    allowed_x_handles: handles,
    excluded_x_handles: handles,
    from_date: date,
    to_date: date,
    enable_image_understanding: flag,
    enable_video_understanding: flag,
  }),
  oneListOfHandles,
);

const place: Shape = {
  city: text(),
  region: text(),
  country: text(),
  timezone: text(),
};

/** `user_location` of the tools and the plugin. */
export const location = objectOf({ ...place, type: oneOf('approximate') });
/** Older tools must say what kind of a location it is. */
export const previewLocation = objectOf({ ...place, 'type*': oneOf('approximate') });

/** The settings of every web search. */
export const search: Shape = {
  mode: oneOf(...modes),
  max_results: integer(1, resultsMax),
  max_uses: integer(1),
  user_location: location,
  x_search: xSearch,
};

/** The engines that take one list of domains. */
const engines = ['firecrawl', 'parallel'];

/** Both lists of domains are understood by some engines, and by others not. */
export function oneListOfDomains(allowed: string, excluded: string): Check {
  return (value, at) => {
    if (!isObject(value) || !value[allowed] || !value[excluded]) return;
    const { engine } = value;
    if (typeof engine === 'string' && engines.includes(engine))
      at.issues.add(
        inside(at, excluded).path,
        `cannot be used together with ${allowed} and the engine ${engine}`,
      );
  };
}
