import { Type, type Static } from 'typebox';
import { closed, nullable } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';

const nameCharactersMax = 100;
const slugLengthMax = 50;
const descriptionCharactersMax = 500;
const modelLengthMax = 256;
const providerSorts = ['price', 'throughput', 'latency', 'exacto'] as const;
const uuid = '[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}';
const slug = '[a-z0-9]+(?:-[a-z0-9]+)*';

export const workspaceView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: nullable(Type.String()),
  default_text_model: nullable(Type.String()),
  default_image_model: nullable(Type.String()),
  default_provider_sort: nullable(Type.String()),
  default_guardrail_id: Type.String(),
  include_byok_in_budgets: Type.Boolean(),
  is_observability_io_logging_enabled: Type.Boolean(),
  io_logging_sampling_rate: Type.Number(),
  io_logging_api_key_ids: nullable(Type.Array(Type.Integer())),
  is_observability_broadcast_enabled: Type.Boolean(),
  is_data_discount_logging_enabled: Type.Boolean(),
  disabled_server_tools: nullable(Type.Array(Type.String())),
  created_by: nullable(Type.String()),
  created_at: Type.String(),
  updated_at: nullable(Type.String()),
});
export type WorkspaceView = Static<typeof workspaceView>;

export const workspaceReply = Type.Object({ data: workspaceView });
export const workspaceListReply = Type.Object({
  data: Type.Array(workspaceView),
  total_count: Type.Integer(),
});
export const deletedReply = Type.Object({ deleted: Type.Boolean() });

const workspaceName = Type.String({
  minLength: 1,
  maxLength: nameCharactersMax,
  pattern: String.raw`^[^\p{Cc}\p{Cs}]*$`,
  mustBe: `a text of 1 to ${nameCharactersMax} characters without control characters`,
});
const workspaceSlug = Type.String({
  minLength: 1,
  maxLength: slugLengthMax,
  pattern: `^${slug}$`,
  mustBe: `1 to ${slugLengthMax} of a-z, 0-9 and single -`,
});
const model = nullable(
  Type.String({
    maxLength: modelLengthMax,
    pattern: '^[!-~]+$',
    mustBe: 'the slug of a model, or null',
  }),
);

/** Settings without effect yet take their default alone: nothing is accepted and ignored. */
const only = <Value extends boolean | number>(value: Value) =>
  Type.Optional(Type.Literal(value, { mustBe: `${value}: it has no effect yet` }));
const nothing = { const: null, mustBe: 'null: it has no effect yet' };
const onlyNull = Type.Optional(Type.Unsafe<null>(nothing));
const onlyNone = Type.Optional(
  Type.Unsafe<readonly [] | null>({
    anyOf: [nothing, { type: 'array', maxItems: 0, mustBe: nothing.mustBe }],
  }),
);

const settings = {
  description: Type.Optional(
    nullable(
      Type.String({
        maxLength: descriptionCharactersMax,
        pattern: String.raw`^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$`,
        mustBe: `a text of at most ${descriptionCharactersMax} characters, or null`,
      }),
    ),
  ),
  default_text_model: Type.Optional(model),
  default_image_model: onlyNull,
  default_provider_sort: Type.Optional(nullable(Type.Enum(providerSorts, { type: 'string' }))),
  is_observability_io_logging_enabled: only(false),
  io_logging_sampling_rate: only(1),
  io_logging_api_key_ids: onlyNull,
  is_observability_broadcast_enabled: only(false),
  is_data_discount_logging_enabled: only(false),
  disabled_server_tools: onlyNone,
};

export const createWorkspaceBody = Type.Object(
  { name: workspaceName, slug: workspaceSlug, ...settings },
  { ...closed, examples: [{ name: 'Research', slug: 'research' }] },
);
export type CreateWorkspaceBody = Static<typeof createWorkspaceBody>;

export const updateWorkspaceBody = Type.Object(
  { name: Type.Optional(workspaceName), slug: Type.Optional(workspaceSlug), ...settings },
  { ...closed, examples: [{ mustBe: 'What comes next' }] },
);
export type UpdateWorkspaceBody = Static<typeof updateWorkspaceBody>;

export const listWorkspacesQuery = Type.Object(pageFields, closed);
export const deleteWorkspaceQuery = Type.Object(
  {
    confirm_default_workspace_deletion: Type.Optional(
      Type.Enum(['true', 'false'] as const, { type: 'string' }),
    ),
  },
  closed,
);

/** A workspace is named by its UUID or its slug. */
export const workspaceRef = Type.String({
  maxLength: slugLengthMax,
  pattern: `^(?:${uuid}|${slug})$`,
  mustBe: 'the UUID of a workspace, or its slug',
});
export const wellFormedWorkspace = Type.Object({ id: workspaceRef });
/** Takes any text: the contract lists no 400 here, so a malformed name is not found. */
export const anyWorkspace = Type.Object({ id: Type.String() });
