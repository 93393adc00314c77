import { Type } from 'typebox';
import {
  anything,
  flag,
  integer,
  isObject,
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
    type: oneOf('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
    key: text(),
    value: anything,
  }),
  Type.Object({ type: oneOf('and', 'or'), filters: listOf(anything) }),
]);

const fileSearch = Type.Object({
  type: Type.Literal('file_search'),
  vector_store_ids: listOf(word, { min: 1 }),
  filters: optional(fileFilter),
  max_num_results: optional(integer(1)),
  ranking_options: optional(
    Type.Object({
      ranker: optional(oneOf('auto', 'default-2024-11-15')),
      score_threshold: optional(number(0)),
    }),
  ),
});

const computerPreview = Type.Object({
  type: Type.Literal('computer_use_preview'),
  display_width: integer(1),
  display_height: integer(1),
  environment: oneOf('windows', 'mac', 'linux', 'ubuntu', 'browser'),
});

const codeInterpreter = Type.Object({
  type: Type.Literal('code_interpreter'),
  container: Type.Union([
    text(),
    Type.Object({
      type: oneOf('auto'),
      file_ids: optional(listOf(word)),
      memory_limit: optional(oneOf('1g', '4g', '16g', '64g')),
    }),
  ]),
});

const named = Type.Object({ tool_names: optional(listOf(word)) });

const mcp = Type.Object(
  {
    type: Type.Literal('mcp'),
    server_label: word,
    server_url: optional(word),
    connector_id: optional(oneOf(...connectors)),
    authorization: optional(text()),
    headers: optional(mapOf(text())),
    server_description: optional(text()),
    allowed_tools: optional(
      Type.Union([
        listOf(word),
        Type.Object({ tool_names: optional(listOf(word)), read_only: optional(flag) }),
      ]),
    ),
    require_approval: optional(
      Type.Union([
        oneOf('always', 'never'),
        Type.Object({ always: optional(named), never: optional(named) }),
      ]),
    ),
  },
  withOneOf('server_url', 'connector_id'),
);

const imageGeneration = Type.Object({
  type: Type.Literal('image_generation'),
  model: optional(word),
  background: optional(oneOf('transparent', 'opaque', 'auto')),
  input_fidelity: optional(oneOf('high', 'low')),
  input_image_mask: optional(
    Type.Object({ image_url: optional(text()), file_id: optional(text()) }),
  ),
  moderation: optional(oneOf('auto', 'low')),
  output_compression: optional(integer(0, 100)),
  output_format: optional(oneOf('png', 'webp', 'jpeg')),
  partial_images: optional(integer(0)),
  quality: optional(oneOf('low', 'medium', 'high', 'auto')),
  size: optional(word),
});

/** Tools that one provider's language alone has: forwarded as they came to endpoints that speak it. */
export const nativeTools = [
  fileSearch,
  computerPreview,
  codeInterpreter,
  mcp,
  imageGeneration,
  // The client's screen and shell: the tools have no settings that are ours to know.
  Type.Object({ type: oneOf('computer', 'local_shell', 'shell', 'apply_patch') }),
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

/** Tells what is wrong with the filters inside a filter of files. */
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
