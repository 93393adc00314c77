import { numericIdEnd } from '@sluice/api-key';
import { field, type JsonObject, pluginIds } from '@sluice/client-schemas';
import { Type, type Static } from 'typebox';
import * as examples from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  nullable,
  number,
  oneOf,
  text,
  truth,
  updatedAt,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const nameCharactersMax = 100;
const slugLengthMax = 50;
const descriptionCharactersMax = 500;
const modelLengthMax = 256;
const samplingRateMin = 0.0001;
const apiKeyIdsMax = 1_000;
const uuid = '[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}';
const slug = '[a-z0-9]+(?:-[a-z0-9]+)*';

/** Each plugin has settings of its own beside these. */
const pluginDefaultView = Type.Unsafe<JsonObject>(
  Type.Object(
    {
      id: text('The plugin.', 'moderation'),
      prevent_overrides: flag('Whether requests may not replace the settings.', false),
    },
    { additionalProperties: true },
  ),
);

export const workspaceView = Type.Object({
  id: text('Id of the workspace.', examples.uuid),
  name: text('A name for people.', 'Nightly reports'),
  slug: text('The name in addresses.', 'research'),
  description: nullable(text('A text for people.', 'Requests of the research team')),
  default_text_model: nullable(text('The model of text requests that name none.', 'sim/echo')),
  default_image_model: nullable(text('The model of image requests that name none.', 'sim/echo')),
  default_provider_sort: nullable(
    text('How providers are ordered when a request does not say.', 'price'),
  ),
  default_guardrail_id: text(
    'Id of the guardrail that holds for the whole workspace.',
    examples.uuid,
  ),
  include_byok_in_budgets: flag(
    'Whether spend on own credentials counts against the budgets.',
    false,
  ),
  is_observability_io_logging_enabled: flag('Whether inputs and outputs are stored.', false),
  io_logging_sampling_rate: number(
    'The share of sessions that is stored, and of requests without one.',
    1,
  ),
  io_logging_api_key_ids: field(
    nullable(Type.Array(Type.Integer())),
    'Numeric ids of the keys whose requests are stored; null: all.',
    [1],
  ),
  is_observability_broadcast_enabled: flag('Whether traces are sent to destinations.', false),
  is_data_discount_logging_enabled: flag(
    'Whether the operator may use the contents of requests, for a discount of 1 %.',
    false,
  ),
  disabled_server_tools: field(
    nullable(Type.Array(Type.String())),
    'Server tools that requests may not use.',
    ['service:web_search'],
  ),
  default_plugins: field(
    nullable(Type.Array(pluginDefaultView)),
    'The settings of plugins in requests that do not name them.',
    [{ id: 'response-healing', prevent_overrides: false }],
  ),
  created_by: nullable(text('Id of the user who created it.', 'user_1')),
  created_at: createdAt,
  updated_at: nullable(updatedAt),
});
export type WorkspaceView = Static<typeof workspaceView>;

export const workspaceReply = reply(workspaceView);
export const workspaceListReply = pageReply(workspaceView);

const workspaceName = Type.String({
  minLength: 1,
  maxLength: nameCharactersMax,
  pattern: String.raw`^[^\p{Cc}\p{Cs}]*$`,
  mustBe: `a text of 1 to ${nameCharactersMax} characters without control characters`,
  description: 'A name for people.',
  examples: ['Nightly reports'],
});
const workspaceSlug = Type.String({
  minLength: 1,
  maxLength: slugLengthMax,
  pattern: `^${slug}$`,
  mustBe: `1 to ${slugLengthMax} of a-z, 0-9 and single -`,
  description: 'The name in addresses.',
  examples: ['research'],
});
const model = nullable(
  Type.String({
    maxLength: modelLengthMax,
    pattern: '^[!-~]+$',
    mustBe: 'the slug of a model, or null',
    description: 'The model of text requests that name none.',
    examples: ['sim/echo'],
  }),
);

/** Settings without effect yet take their default alone: nothing is accepted and ignored. */
const mustBe = 'null: it has no effect yet';
const nothing = { const: null, mustBe, description: `Must be ${mustBe}.` };
const onlyNull = Type.Optional(Type.Unsafe<null>(nothing));

/** The tools that a workspace may disable (contract management.md 8.1). */
const serverToolTypes = [
  'service:advisor',
  'service:apply_patch',
  'service:bash',
  'service:datetime',
  'service:fusion',
  'service:image_generation',
  'service:experimental__search_models',
  'service:shell',
  'service:subagent',
  'service:tool_search',
  'service:web_fetch',
  'service:web_search',
] as const;

const pluginsMax = 32;
/** The workspace service checks the settings of each plugin. */
const pluginDefault = Type.Object(
  {
    id: oneOf([...pluginIds], 'The plugin.', 'moderation'),
    prevent_overrides: Type.Optional(
      flag('Whether the entry of a request for this plugin has no effect.', false),
    ),
  },
  {
    description: 'An entry of `plugins` of a request, and whether requests may replace it.',
    mustBe: 'an entry of plugins',
  },
);

const settings = {
  description: Type.Optional(
    nullable(
      Type.String({
        maxLength: descriptionCharactersMax,
        pattern: String.raw`^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$`,
        mustBe: `a text of at most ${descriptionCharactersMax} characters, or null`,
        description: 'A text for people.',
        examples: ['Requests of the research team'],
      }),
    ),
  ),
  default_text_model: Type.Optional(model),
  default_image_model: onlyNull,
  default_provider_sort: Type.Optional(
    nullable(
      oneOf(
        ['price', 'throughput', 'latency', 'exacto'],
        'How providers are ordered when a request does not say.',
      ),
    ),
  ),
  is_observability_io_logging_enabled: Type.Optional(
    flag('Whether inputs and outputs are stored.', true),
  ),
  io_logging_sampling_rate: Type.Optional(
    Type.Number({
      minimum: samplingRateMin,
      maximum: 1,
      mustBe: `a number from ${samplingRateMin} to 1`,
      description: 'The share of sessions that is stored, and of requests without one.',
      examples: [0.25],
    }),
  ),
  io_logging_api_key_ids: Type.Optional(
    field(
      nullable(
        Type.Array(Type.Integer({ minimum: 0, maximum: numericIdEnd - 1 }), {
          maxItems: apiKeyIdsMax,
          uniqueItems: true,
        }),
      ),
      'Numeric ids of the keys whose requests are stored: the first 48 bits of their hashes. null: all keys.',
      [1],
    ),
  ),
  is_observability_broadcast_enabled: Type.Optional(
    flag('Whether traces are sent to destinations.', true),
  ),
  is_data_discount_logging_enabled: Type.Optional(
    flag('Whether the operator may use the contents of requests, for a discount of 1 %.', true),
  ),
  disabled_server_tools: Type.Optional(
    nullable(
      field(
        Type.Array(oneOf([...serverToolTypes], 'The type of a server tool.'), {
          maxItems: serverToolTypes.length,
        }),
        'Server tools that requests may not use.',
        ['service:datetime'],
      ),
    ),
  ),
  default_plugins: Type.Optional(
    field(
      nullable(Type.Array(pluginDefault, { maxItems: pluginsMax })),
      'The settings of plugins in requests that do not name them.',
      [{ id: 'moderation', prevent_overrides: true }],
    ),
  ),
};

export const createWorkspaceBody = Type.Object(
  { name: workspaceName, slug: workspaceSlug, ...settings },
  { ...closed, examples: [{ name: 'Research', slug: 'research' }] },
);
export type CreateWorkspaceBody = Static<typeof createWorkspaceBody>;

export const updateWorkspaceBody = Type.Object(
  { name: Type.Optional(workspaceName), slug: Type.Optional(workspaceSlug), ...settings },
  { ...closed, examples: [{ description: 'What comes next' }] },
);
export type UpdateWorkspaceBody = Static<typeof updateWorkspaceBody>;

export const listWorkspacesQuery = Type.Object(pageFields, closed);
export const deleteWorkspaceQuery = Type.Object(
  {
    confirm_default_workspace_deletion: Type.Optional(
      truth('Must be true to delete the default workspace.'),
    ),
  },
  closed,
);

const id = text('Id or slug of the workspace.', 'research');
/** A workspace is named by its UUID or its slug. */
export const workspaceRef = Type.String({
  ...id,
  maxLength: slugLengthMax,
  pattern: `^(?:${uuid}|${slug})$`,
  mustBe: 'the UUID of a workspace, or its slug',
});
export const wellFormedWorkspace = Type.Object({ id: workspaceRef });
/** Takes any text: the contract lists no 400 here, so a malformed name is not found. */
export const anyWorkspace = Type.Object({ id });
