import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { dialects, nativeToolKinds } from '@sluice/providers';
import {
  inputModalities,
  outputModalities,
  quantizations,
  reasoningEfforts,
  serviceTiers,
} from './catalog.ts';
import { modelFacts } from './model-facts-schema.ts';
import { parseYaml } from './parse-yaml.ts';
import { pricingSchema } from './pricing-schema.ts';
import { parameterNames } from './rows.ts';

const closed = { additionalProperties: false };
const slug = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });
const count = Type.Integer({ minimum: 1, maximum: 100_000_000 });

const word = (values: readonly string[]) => Type.Enum([...values], { type: 'string' });
const words = (values: readonly string[]) =>
  Type.Array(word(values), { minItems: 1, maxItems: 20, uniqueItems: true });

const effort = word(reasoningEfforts);
/** The ways to configure its reasoning, by the names in the price lists. */
const reasoningSchema = Type.Object(
  {
    mandatory: Type.Optional(Type.Boolean()),
    supported_efforts: Type.Optional(words(reasoningEfforts)),
    default_effort: Type.Optional(effort),
    default_enabled: Type.Optional(Type.Boolean()),
    supports_max_tokens: Type.Optional(Type.Boolean()),
  },
  closed,
);

const dataPolicySchema = Type.Object(
  { retains: Type.Boolean(), trains: Type.Boolean(), publishes: Type.Boolean() },
  closed,
);

const endpointFields = {
  provider: slug,
  upstream_model: Type.String({ minLength: 1, maxLength: 256 }),
  pricing: pricingSchema,
  /** `provider/<variant>`: a region, or what else tells it from its siblings. */
  variant: Type.Optional(slug),
  tier: Type.Optional(word(serviceTiers)),
  quantization: Type.Optional(word(quantizations)),
  context_length: Type.Optional(count),
  max_prompt_tokens: Type.Optional(count),
  max_output_tokens: Type.Optional(count),
  input_modalities: Type.Optional(words(inputModalities)),
  output_modalities: Type.Optional(words(outputModalities)),
  supported_parameters: Type.Optional(words(parameterNames)),
  /** The tools that the endpoint has itself: in their place the service runs none. */
  native_tools: Type.Optional(
    Type.Array(word(nativeToolKinds), { maxItems: 20, uniqueItems: true }),
  ),
  data_policy: Type.Optional(dataPolicySchema),
  data_region: Type.Optional(word(['global', 'europe', 'us'])),
  hidden: Type.Optional(Type.Boolean()),
  moderated: Type.Optional(Type.Boolean()),
};

const countryCode = Type.String({ pattern: '^[A-Z]{2}$' });
const link = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_048 });

const oneOf = <One extends string, Other extends string>(one: One, other: Other) =>
  Type.Union([Type.Literal(one), Type.Literal(other)]);

const chatSchema = Type.Object(
  {
    output_limit_field: Type.Optional(oneOf('max_completion_tokens', 'max_tokens')),
    developer_role: Type.Optional(oneOf('developer', 'system')),
    one_system_message: Type.Optional(Type.Boolean()),
    thoughts_field: Type.Optional(oneOf('reasoning_content', 'reasoning')),
  },
  closed,
);

const usd = Type.String({ pattern: String.raw`^\d{1,6}(?:\.\d{1,18})?$` });
const name = Type.String({ pattern: '^[a-z0-9_-]{1,64}$' });

/** The price of one call of a server tool. An absent price is 0. */
const toolPriceSchema = Type.Object(
  {
    tool: Type.String({ pattern: '^(?:service:[a-z_]{1,64}|plugin:[a-z-]{1,64})$' }),
    engine: Type.Optional(name),
    modes: Type.Optional(Type.Array(name, { minItems: 1, maxItems: 20, uniqueItems: true })),
    call: Type.Optional(usd),
    included_results: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    result: Type.Optional(usd),
    second: Type.Optional(usd),
    page: Type.Optional(usd),
  },
  closed,
);

const modelName = Type.String({ minLength: 1, maxLength: 256 });

/** The operator's models for the routers that ask a judge. */
const routersSchema = Type.Object(
  {
    judge: Type.Optional(modelName),
    switchyard: Type.Optional(Type.Object({ efficient: modelName, capable: modelName }, closed)),
    jev: Type.Optional(
      Type.Array(
        Type.Object(
          { model: modelName, cost_tier: slug, efforts: Type.Optional(words(reasoningEfforts)) },
          closed,
        ),
        { minItems: 1, maxItems: 20 },
      ),
    ),
  },
  closed,
);

const catalogFileSchema = Type.Object(
  {
    tool_prices: Type.Optional(Type.Array(toolPriceSchema, { maxItems: 200 })),
    routers: Type.Optional(routersSchema),
    providers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            slug,
            name: Type.String({ minLength: 1, maxLength: 128 }),
            dialect: Type.Enum([...dialects], { type: 'string' }),
            base_url: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_048 }),
            api_key_env: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,127}$' })),
            ca_file: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
            chat: Type.Optional(chatSchema),
            keeps_answers: Type.Optional(Type.Boolean()),
            cancels_streams: Type.Optional(Type.Boolean()),
            functions_only: Type.Optional(Type.Boolean()),
            data_policy: Type.Optional(dataPolicySchema),
            privacy_policy_url: Type.Optional(link),
            terms_of_service_url: Type.Optional(link),
            status_page_url: Type.Optional(link),
            headquarters: Type.Optional(countryCode),
            datacenters: Type.Optional(Type.Array(countryCode, { maxItems: 100 })),
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
            reasoning: Type.Optional(Type.Union([Type.Boolean(), reasoningSchema])),
            hidden: Type.Optional(Type.Boolean()),
            ...modelFacts,
            endpoints: Type.Array(Type.Object(endpointFields, closed), {
              minItems: 1,
              maxItems: 50,
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

/** The catalog is not what it should be; the message names every place. */
export class InvalidCatalog extends Error {
  override readonly name = 'InvalidCatalog';

  constructor(problems: readonly string[]) {
    super(`Catalog: ${problems.join('; ')}`);
  }
}

const problemsShownMax = 20;
const rows = Compile(catalogFileSchema);

/** YAML text → rows. A model's `provider`, `upstream_model`, `pricing` stand for its one endpoint. */
export function parseCatalogFile(text: string): CatalogFile {
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (error) {
    throw new InvalidCatalog([error instanceof Error ? error.message : 'it is not YAML']);
  }
  return checkCatalogFile(value);
}

/** Checks the content of a file. Throws InvalidCatalog. */
export function checkCatalogFile(value: unknown): CatalogFile {
  const file = withEndpoints(value);
  if (rows.Check(file)) return file;
  const problems = rows.Errors(file).map(({ instancePath, message }) => {
    const isUnknownField = message === 'schema is false';
    return `${pathOf(instancePath)}: ${isUnknownField ? 'there is no such field' : message}`;
  });
  throw new InvalidCatalog([...new Set(problems)].slice(0, problemsShownMax));
}

function withEndpoints(file: unknown): unknown {
  if (!isObject(file) || !Array.isArray(file['models'])) return file;
  const models = file['models'].map((model: unknown) => {
    if (!isObject(model) || 'endpoints' in model) return model;
    const { provider, upstream_model, pricing, data_policy, ...rest } = model;
    const policy = data_policy === undefined ? {} : { data_policy };
    return { ...rest, endpoints: [{ provider, upstream_model, pricing, ...policy }] };
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
