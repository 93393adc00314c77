import { Type } from 'typebox';
import {
  anything,
  field,
  flag,
  integer,
  isObject,
  kind,
  kindOf,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  text,
  withOneOf,
  word,
} from '../fields.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { anyPictureUrl } from '../service-fields/media.ts';

const connectors = [
  'connector_dropbox',
  'connector_gmail',
  'connector_googlecalendar',
  'connector_googledrive',
  'connector_microsoftteams',
  'connector_outlookcalendar',
  'connector_outlookemail',
  'connector_sharepoint',
] as const;

/** One level of a filter of files. `fileFilterProblems` looks at those inside it. */
const fileFilter = Type.Union([
  Type.Object({
    type: kindOf('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
    key: field(text(), 'Name of the attribute.', 'team'),
    value: field(anything, 'The value of the attribute.', 'research'),
  }),
  Type.Object({
    type: kindOf('and', 'or'),
    filters: field(listOf(anything), 'The comparisons.'),
  }),
]);

const fileSearch = Type.Object({
  type: kind('file_search'),
  vector_store_ids: field(listOf(word, { min: 1 }), 'Ids of vector stores at the provider.', [
    'vs_1',
  ]),
  filters: optional(fileFilter, 'A comparison of the attributes of files, or several.'),
  max_num_results: optional(integer(1), 'Number of results that the search may have.', 10),
  ranking_options: optional(
    Type.Object({
      ranker: optional(oneOf('auto', 'default-2024-11-15'), 'The ranker of the results.'),
      score_threshold: optional(number(0), 'The lowest score of a result.', 0.5),
    }),
    'How results are ranked.',
    {},
  ),
});

const computerPreview = Type.Object({
  type: kind('computer_use_preview'),
  display_width: field(integer(1), 'Width of the screen in pixels.', 1024),
  display_height: field(integer(1), 'Height of the screen in pixels.', 768),
  environment: field(
    oneOf('windows', 'mac', 'linux', 'ubuntu', 'browser'),
    'The system that the screen belongs to.',
    'browser',
  ),
});

const codeInterpreter = Type.Object({
  type: kind('code_interpreter'),
  container: field(
    Type.Union([
      text(),
      Type.Object({
        type: kindOf('auto'),
        file_ids: optional(listOf(word), 'Ids of files at the provider.', ['file-1']),
        memory_limit: optional(oneOf('1g', '4g', '16g', '64g'), 'Memory of the container.'),
      }),
    ]),
    'The container that code runs in.',
    { type: 'auto' },
  ),
});

const named = Type.Object({ tool_names: optional(listOf(word), 'Names of tools.', ['search']) });

const mcp = Type.Object(
  {
    type: kind('mcp'),
    server_label: field(word, 'Name of the server.', 'tickets'),
    server_url: optional(word, 'Address of the server.', 'https://example.com/mcp'),
    connector_id: optional(
      oneOf(...connectors),
      'A connector of the provider, in place of a server.',
      'connector_gmail',
    ),
    authorization: optional(text(), 'The OAuth token for the server.', 'token'),
    headers: optional(mapOf(text()), 'Headers for the server.', { 'x-team': 'research' }),
    server_description: optional(text(), 'A description of the server.', 'Tickets'),
    allowed_tools: optional(
      Type.Union([
        listOf(word),
        Type.Object({
          tool_names: optional(listOf(word), 'Names of tools.', ['search']),
          read_only: optional(flag, 'Whether only tools without side effects may be called.'),
        }),
      ]),
      'The tools of the server that may be called.',
      ['search'],
    ),
    require_approval: optional(
      Type.Union([
        oneOf('always', 'never'),
        Type.Object({
          always: optional(named, 'Tools whose calls a person always approves.', {}),
          never: optional(named, 'Tools whose calls nobody has to approve.', {}),
        }),
      ]),
      'Whether a person approves calls.',
      'never',
    ),
  },
  withOneOf('server_url', 'connector_id'),
);

const imageGeneration = Type.Object({
  type: kind('image_generation'),
  model: optional(word, 'The model that makes the picture.', 'gpt-image-1'),
  background: optional(oneOf('transparent', 'opaque', 'auto'), 'The background of the picture.'),
  input_fidelity: optional(oneOf('high', 'low'), 'How closely the input picture is kept.'),
  input_image_mask: optional(
    Type.Object({
      image_url: optional(anyPictureUrl),
      file_id: optional(text(), 'Id of a file at the provider.', 'file-1'),
    }),
    'The part of the picture that may change.',
    { file_id: 'file-1' },
  ),
  moderation: optional(oneOf('auto', 'low'), 'How strictly pictures are moderated.'),
  output_compression: optional(integer(0, 100), 'Compression of the picture, 0 to 100.', 100),
  output_format: optional(oneOf('png', 'webp', 'jpeg'), 'File format of the picture.'),
  partial_images: optional(integer(0), 'Number of pictures that show the progress.'),
  quality: optional(oneOf('low', 'medium', 'high', 'auto'), 'Quality of the picture.', 'high'),
  size: optional(word, 'Size of the picture.', '1024x1024'),
});

/** Tools that one provider's language alone has: forwarded as they came to endpoints that speak it. */
export const nativeTools = [
  fileSearch,
  computerPreview,
  codeInterpreter,
  mcp,
  imageGeneration,
  // The client's screen and shell: the tools have no settings that are ours to know.
  Type.Object({ type: kindOf('computer', 'local_shell', 'shell', 'apply_patch') }),
] as const;

/** The kinds of such tools. */
export const nativeToolKinds = [
  'file_search',
  'computer_use_preview',
  'code_interpreter',
  'mcp',
  'image_generation',
  'computer',
  'local_shell',
  'shell',
  'apply_patch',
] as const;

const nativeKinds: ReadonlySet<unknown> = new Set(nativeToolKinds);

/** Returns true for a kind that an endpoint may have. */
export function isNativeToolKind(kind: unknown): boolean {
  return nativeKinds.has(kind);
}

const filterDepthMax = 16;

/** Lists what is wrong with the filters inside a filter of files. */
export function fileFilterProblems(filter: unknown, path: string, depth = 1): readonly Problem[] {
  if (!isObject(filter) || !Array.isArray(filter['filters'])) return [];
  return filter['filters'].flatMap((inner: unknown, index) => {
    const at = `${path}.filters[${String(index)}]`;
    if (depth === filterDepthMax)
      return [{ path: at, message: `must be at most ${String(filterDepthMax)} levels deep` }];
    const own = problemsOf(fileFilter, inner, { path: at, max: 1 });
    return [...own, ...fileFilterProblems(inner, at, depth + 1)];
  });
}
