import {
  type Check,
  flag,
  inside,
  integer,
  kindOf,
  listOf,
  mapOf,
  number,
  objectOf,
  oneOf,
  refuse,
  type Shape,
  text,
  textOr,
  anything,
} from './shape.ts';
import { isObject } from './fields.ts';

const filterDepthMax = 16;
const id = text({ min: 1 });

/** A comparison, or several of them. */
function filter(depth: number): Check {
  if (depth === filterDepthMax)
    return (_, place) => refuse(place, `must be at most ${String(filterDepthMax)} levels deep`);
  const comparison: Shape = { 'key*': text(), 'value*': anything };
  // Made when it is needed: it is a tree without an end.
  const compound: Shape = {
    'filters*': (value, place) => listOf(filter(depth + 1))(value, place),
  };
  return kindOf({
    ...Object.fromEntries(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'].map((type) => [type, comparison])),
    and: compound,
    or: compound,
  });
}

const toolNames = listOf(text({ min: 1 }));
const connectors = [
  'dropbox',
  'gmail',
  'googlecalendar',
  'googledrive',
  'microsoftteams',
  'outlookcalendar',
  'outlookemail',
  'sharepoint',
].map((name) => `connector_${name}`);

const serverAddress: Check = (value, place) => {
  if (isObject(value) && !value['server_url'] && !value['connector_id'])
    refuse(inside(place, 'server_url'), 'is required, or connector_id');
};

const allowedTools: Check = (value, place) => {
  const check = Array.isArray(value)
    ? toolNames
    : objectOf({ tool_names: toolNames, read_only: flag });
  check(value, place);
};

const approval: Check = (value, place) => {
  const some = objectOf({ tool_names: toolNames });
  const check =
    typeof value === 'string' ? oneOf('always', 'never') : objectOf({ always: some, never: some });
  check(value, place);
};

const mcp: Check = (value, place) => {
  const shape: Shape = {
    'server_label*': id,
    server_url: text({ min: 1 }),
    connector_id: oneOf(...connectors),
    authorization: text(),
    headers: mapOf(text()),
    server_description: text(),
    allowed_tools: allowedTools,
    require_approval: approval,
  };
  objectOf(shape)(value, place);
  serverAddress(value, place);
};

/** Tools that one dialect alone has: forwarded as they are to endpoints that speak it. */
const nativeTools: ReadonlyMap<unknown, Check> = new Map<string, Check>([
  [
    'file_search',
    objectOf({
      'vector_store_ids*': listOf(id, { min: 1 }),
      filters: filter(0),
      max_num_results: integer(1),
      ranking_options: objectOf({
        ranker: oneOf('auto', 'default-2024-11-15'),
        score_threshold: number(0),
      }),
    }),
  ],
  // The screen is the client's: the tool says nothing of it.
  ['computer', anything],
  [
    'computer_use_preview',
    objectOf({
      'display_width*': integer(1),
      'display_height*': integer(1),
      'environment*': oneOf('windows', 'mac', 'linux', 'ubuntu', 'browser'),
    }),
  ],
  [
    'code_interpreter',
    objectOf({
      'container*': textOr(
        objectOf({
          'type*': oneOf('auto'),
          file_ids: listOf(id),
          memory_limit: oneOf('1g', '4g', '16g', '64g'),
        }),
      ),
    }),
  ],
  ['mcp', mcp],
  [
    'image_generation',
    objectOf({
      model: id,
      background: oneOf('transparent', 'opaque', 'auto'),
      input_fidelity: oneOf('high', 'low'),
      input_image_mask: objectOf({ image_url: text(), file_id: text() }),
      moderation: oneOf('auto', 'low'),
      output_compression: integer(0, 100),
      output_format: oneOf('png', 'webp', 'jpeg'),
      partial_images: integer(0),
      quality: oneOf('low', 'medium', 'high', 'auto'),
      size: text({ min: 1 }),
    }),
  ],
  ['local_shell', anything],
  ['shell', anything],
  ['apply_patch', anything],
]);

export function isNativeTool(type: unknown): boolean {
  return nativeTools.has(type);
}

/** The checks of a native tool; undefined: it is none. */
export function nativeToolCheck(type: unknown): Check | undefined {
  return nativeTools.get(type);
}
