import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { dialects } from '@sluice/providers';
import { parse } from 'yaml';

const closed = { additionalProperties: false };
const decimal = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,18})?$' });
const slug = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });
const count = Type.Integer({ minimum: 1, maximum: 100_000_000 });

const pricingSchema = Type.Object(
  {
    prompt: decimal,
    completion: decimal,
    request: Type.Optional(decimal),
    input_cache_read: Type.Optional(decimal),
    input_cache_write: Type.Optional(decimal),
    input_cache_write_1h: Type.Optional(decimal),
    internal_reasoning: Type.Optional(decimal),
    image: Type.Optional(decimal),
    image_token: Type.Optional(decimal),
    image_output: Type.Optional(decimal),
    audio: Type.Optional(decimal),
    input_audio_cache: Type.Optional(decimal),
    audio_output: Type.Optional(decimal),
  },
  closed,
);

const endpointFields = {
  provider: slug,
  upstream_model: Type.String({ minLength: 1, maxLength: 256 }),
  pricing: pricingSchema,
};

const chatSchema = Type.Object(
  {
    output_limit_field: Type.Union([
      Type.Literal('max_completion_tokens'),
      Type.Literal('max_tokens'),
    ]),
    developer_role: Type.Union([Type.Literal('developer'), Type.Literal('system')]),
  },
  closed,
);

const catalogFileSchema = Type.Object(
  {
    providers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            slug,
            name: Type.String({ minLength: 1, maxLength: 128 }),
            dialect: Type.Enum([...dialects], { type: 'string' }),
            base_url: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_048 }),
            api_key_env: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,127}$' })),
            chat: Type.Optional(chatSchema),
            keeps_answers: Type.Optional(Type.Boolean()),
            byok_only: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
        { maxItems: 100 },
      ),
    ),
    models: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({ pattern: '^[a-z0-9-]{1,64}/[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$' }),
            name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
            description: Type.Optional(Type.String({ maxLength: 4_096 })),
            created: Type.Optional(Type.Integer({ minimum: 0 })),
            context_length: Type.Optional(count),
            max_output_tokens: Type.Optional(count),
            reasoning: Type.Optional(Type.Boolean()),
            hidden: Type.Optional(Type.Boolean()),
            endpoints: Type.Array(Type.Object(endpointFields, closed), {
              minItems: 1,
              maxItems: 10,
            }),
          },
          closed,
        ),
        { maxItems: 10_000 },
      ),
    ),
  },
  closed,
);

export type CatalogFile = Static<typeof catalogFileSchema>;
export type FileProvider = NonNullable<CatalogFile['providers']>[number];
export type FileModel = NonNullable<CatalogFile['models']>[number];

/** The catalogue is not what it should be; the message names every place. */
export class InvalidCatalog extends Error {
  override readonly name = 'InvalidCatalog';

  constructor(problems: readonly string[]) {
    super(`Catalogue: ${problems.join('; ')}`);
  }
}

const problemsShownMax = 20;

/** YAML text → rows. A model's `provider`, `upstream_model`, `pricing` stand for its one endpoint. */
export function parseCatalogFile(text: string): CatalogFile {
  const file = withEndpoints(parseYaml(text));
  if (Value.Check(catalogFileSchema, file)) return file;
  const problems = Value.Errors(catalogFileSchema, file).map(({ instancePath, message }) => {
    const isUnknownField = message === 'schema is false';
    return `${pathOf(instancePath)}: ${isUnknownField ? 'there is no such field' : message}`;
  });
  throw new InvalidCatalog([...new Set(problems)].slice(0, problemsShownMax));
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new InvalidCatalog([error instanceof Error ? error.message : 'it is not YAML']);
  }
}

function withEndpoints(file: unknown): unknown {
  if (!isObject(file) || !Array.isArray(file['models'])) return file;
  const models = file['models'].map((model: unknown) => {
    if (!isObject(model) || 'endpoints' in model) return model;
    const { provider, upstream_model, pricing, ...rest } = model;
    return { ...rest, endpoints: [{ provider, upstream_model, pricing }] };
  });
  return { ...file, models };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `/models/0/id` → `models[0].id` */
function pathOf(pointer: string): string {
  const path = pointer
    .slice(1)
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  return path === '' ? 'the file' : path;
}
