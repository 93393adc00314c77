import { type Static, Type } from 'typebox';
import { basicUser, formed, hidden, identifier, secret, text, url } from './fields.ts';
import { headers } from './headers.ts';

const optional = Type.Optional;
const closed = { additionalProperties: false } as const;

/** The template of the names of objects, without the file name, which is appended. */
const pathTemplate = formed({
  description:
    'Template of the folder in the bucket. Variables: prefix, date, year, month, day, apiKeyName.',
  pattern: String.raw`^(?:[^{}\\\p{Cc}\p{Cs}]|\{(?:prefix|date|year|month|day|apiKeyName)\})+$`,
  mustBe: 'a path whose variables are of prefix, date, year, month, day, apiKeyName in braces',
  example: '{prefix}/{date}',
  default: '{prefix}/{date}',
});

/**
 * The settings of each type of destination. `isSecret` marks a field whose value is masked, `isUrl` one that names an
 * address that the service calls.
 */
export const configSchemas = {
  arize: Type.Object(
    {
      apiKey: secret('API key of Arize.'),
      spaceKey: secret('Key of the space.'),
      modelId: text('Id of the model in Arize.', 'gateway'),
      baseUrl: optional(
        url('Base URL of OTLP.', 'https://otlp.arize.com', 'https://otlp.arize.com'),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  braintrust: Type.Object(
    {
      apiKey: secret('API key of Braintrust.'),
      projectId: text('Id of the project.', 'project-7'),
      baseUrl: optional(
        url('Base URL of the API.', 'https://api.braintrust.dev', 'https://api.braintrust.dev'),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  clickhouse: Type.Object(
    {
      host: url('URL of the HTTP interface.', 'https://clickhouse.example.com:8443'),
      database: identifier('Name of the database.', 'traces'),
      username: basicUser('Name of the user.', 'sluice'),
      password: hidden(text('Password of the user.', 'a-password')),
      table: optional(identifier('Name of the table.', 'SERVICE_TRACES', 'SERVICE_TRACES')),
      headers: optional(headers),
    },
    closed,
  ),
  datadog: Type.Object(
    {
      apiKey: secret('API key of Datadog.'),
      mlApp: text('Name of the application.', 'gateway'),
      url: optional(
        url(
          'URL of the API of the site.',
          'https://api.us5.datadoghq.com',
          'https://api.us5.datadoghq.com',
        ),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  grafana: Type.Object(
    {
      apiKey: secret('Access policy token of Grafana Cloud.'),
      instanceId: basicUser('Id of the instance.', '123456'),
      baseUrl: optional(
        url(
          'URL of the OTLP gateway.',
          'https://otlp-gateway-prod-us-west-0.grafana.net',
          'https://otlp-gateway-prod-us-west-0.grafana.net',
        ),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  langfuse: Type.Object(
    {
      publicKey: basicUser('Public key of the project.', 'pk-lf-1234'),
      secretKey: secret('Secret key of the project.'),
      baseUrl: optional(
        url(
          'Base URL of Langfuse.',
          'https://us.cloud.langfuse.com',
          'https://us.cloud.langfuse.com',
        ),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  langsmith: Type.Object(
    {
      apiKey: secret('API key of LangSmith.'),
      endpoint: optional(
        url(
          'URL of the API.',
          'https://api.smith.langchain.com',
          'https://api.smith.langchain.com',
        ),
      ),
      project: optional(text('Name of the project.', 'main', 'main')),
      workspaceId: optional(text('Id of the workspace in LangSmith.', 'workspace-7')),
      headers: optional(headers),
    },
    closed,
  ),
  newrelic: Type.Object(
    {
      licenseKey: secret('License key of New Relic.'),
      region: optional(
        Type.Enum(['us', 'eu'] as const, {
          type: 'string',
          default: 'us',
          description: 'Region of the account.',
          examples: ['us'],
        }),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  opik: Type.Object(
    {
      apiKey: secret('API key of Opik.'),
      workspace: text('Name of the workspace in Opik.', 'default'),
      projectName: text('Name of the project.', 'gateway'),
      headers: optional(headers),
    },
    closed,
  ),
  'otel-collector': Type.Object(
    {
      endpoint: url('URL of the OTLP/HTTP receiver.', 'https://collector.example.com:4318'),
      headers: optional(headers),
    },
    closed,
  ),
  posthog: Type.Object(
    {
      apiKey: secret('Project API key of PostHog.'),
      endpoint: optional(
        url('URL of the API.', 'https://us.i.posthog.com', 'https://us.i.posthog.com'),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  ramp: Type.Object(
    {
      apiKey: secret('API key of Ramp.'),
      baseUrl: url('URL of the API.', 'https://api.ramp.example.com'),
      headers: optional(headers),
    },
    closed,
  ),
  s3: Type.Object(
    {
      bucketName: formed({
        description: 'Name of the bucket.',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$',
        mustBe: 'the name of a bucket: 3 to 255 letters, digits, dots, hyphens and underscores',
        example: 'service-traces',
      }),
      accessKeyId: formed({
        description: 'Id of the access key.',
        pattern: String.raw`^[\x21-\x2e\x30-\x7e]{1,256}$`,
        mustBe: 'the id of an access key',
        example: 'AKIAEXAMPLE',
      }),
      secretAccessKey: secret('The secret of the access key.'),
      region: optional(
        formed({
          description: 'Region of the bucket.',
          pattern: '^[A-Za-z0-9-]{1,64}$',
          mustBe: 'the name of a region',
          example: 'us-east-1',
        }),
      ),
      endpoint: optional(
        url('URL of a store that is compatible with S3.', 'https://storage.example.com'),
      ),
      prefix: optional(text('First part of the names.', 'service-traces', 'service-traces')),
      pathTemplate: optional(pathTemplate),
      sessionToken: optional(secret('Token of a temporary access key.')),
      headers: optional(headers),
    },
    closed,
  ),
  sentry: Type.Object(
    {
      dsn: hidden(
        formed({
          description: 'DSN of the project.',
          pattern: String.raw`^https://[A-Za-z0-9]+@[A-Za-z0-9.:-]+/(?:[A-Za-z0-9._-]+/)*[0-9]+/?$`,
          mustBe: 'a DSN: https://key@host/project',
          example: 'https://key@o1.ingest.sentry.example.com/7',
        }),
      ),
      otlpEndpoint: url(
        'URL of the OTLP endpoint of the project.',
        'https://o1.ingest.sentry.example.com/api/7/integration/otlp',
      ),
      headers: optional(headers),
    },
    closed,
  ),
  snowflake: Type.Object(
    {
      account: formed({
        description: 'Identifier of the account.',
        pattern: String.raw`^[a-zA-Z0-9_]+(?:[.-][a-zA-Z0-9_]+)*$`,
        mustBe: 'the identifier of an account: letters, digits and _, with . or - between them',
        example: 'organization-account',
        charactersMax: 255,
      }),
      token: secret('Programmatic access token.'),
      warehouse: optional(identifier('Name of the warehouse.', 'COMPUTE_WH', 'COMPUTE_WH')),
      database: optional(
        identifier('Name of the database.', 'SNOWFLAKE_LEARNING_DB', 'SNOWFLAKE_LEARNING_DB'),
      ),
      schema: optional(identifier('Name of the schema.', 'PUBLIC', 'PUBLIC')),
      table: optional(identifier('Name of the table.', 'SERVICE_TRACES', 'SERVICE_TRACES')),
      headers: optional(headers),
    },
    closed,
  ),
  weave: Type.Object(
    {
      apiKey: secret('API key of Weights & Biases.'),
      entity: text('Name of the entity.', 'team'),
      project: text('Name of the project.', 'gateway'),
      baseUrl: optional(
        url('URL of the trace server.', 'https://trace.wandb.ai', 'https://trace.wandb.ai'),
      ),
      headers: optional(headers),
    },
    closed,
  ),
  webhook: Type.Object(
    {
      url: url('URL that receives the traces.', 'https://hooks.example.com/traces'),
      method: optional(
        Type.Enum(['POST', 'PUT'] as const, {
          type: 'string',
          default: 'POST',
          description: 'Method of the requests.',
          examples: ['POST'],
        }),
      ),
      signingSecret: optional(
        secret(
          'Secret of the HMAC-SHA256 signature of each request. Without it nothing is signed.',
        ),
      ),
      headers: optional(headers),
    },
    closed,
  ),
} as const;

export type DestinationType = keyof typeof configSchemas;

/** The settings of each type. An optional field with a default is absent in what was stored before it. */
export type DestinationConfigs = {
  readonly [Name in DestinationType]: Static<(typeof configSchemas)[Name]>;
};

/** The settings of a destination of an unknown type. */
export type AnyConfig = Readonly<Record<string, unknown>>;

export const destinationTypes = Object.keys(configSchemas) as readonly DestinationType[];

export function isDestinationType(word: string): word is DestinationType {
  return Object.hasOwn(configSchemas, word);
}
