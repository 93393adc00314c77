import { type TProperties, Type } from 'typebox';
import { basicUser, formed, hidden, identifier, secret, text, url } from './fields.ts';
import { headers } from './headers.ts';

const optional = Type.Optional;

/** The settings of a type. Each takes headers for its requests. */
const config = <Fields extends TProperties>(fields: Fields) =>
  Type.Object({ ...fields, headers: optional(headers) }, { additionalProperties: false });

/** Settings that have a value when they are left out, which is their example. */
const urlOr = (description: string, value: string) => optional(url(description, value, value));
const textOr = (description: string, value: string) => optional(text(description, value, value));
const identifierOr = (description: string, value: string) =>
  optional(identifier(description, value, value));

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
  arize: config({
    apiKey: secret('API key of Arize.'),
    spaceKey: secret('Key of the space.'),
    modelId: text('Id of the model in Arize.', 'gateway'),
    baseUrl: urlOr('Base URL of OTLP.', 'https://otlp.arize.com'),
  }),
  braintrust: config({
    apiKey: secret('API key of Braintrust.'),
    projectId: text('Id of the project.', 'project-7'),
    baseUrl: urlOr('Base URL of the API.', 'https://api.braintrust.dev'),
  }),
  clickhouse: config({
    host: url('URL of the HTTP interface.', 'https://clickhouse.example.com:8443'),
    database: identifier('Name of the database.', 'traces'),
    username: basicUser('Name of the user.', 'sluice'),
    password: hidden(text('Password of the user.', 'a-password')),
    table: identifierOr('Name of the table.', 'SERVICE_TRACES'),
  }),
  datadog: config({
    apiKey: secret('API key of Datadog.'),
    mlApp: text('Name of the application.', 'gateway'),
    url: urlOr('URL of the API of the site.', 'https://api.us5.datadoghq.com'),
  }),
  grafana: config({
    apiKey: secret('Access policy token of Grafana Cloud.'),
    instanceId: basicUser('Id of the instance.', '123456'),
    baseUrl: urlOr('URL of the OTLP gateway.', 'https://otlp-gateway-prod-us-west-0.grafana.net'),
  }),
  langfuse: config({
    publicKey: basicUser('Public key of the project.', 'pk-lf-1234'),
    secretKey: secret('Secret key of the project.'),
    baseUrl: urlOr('Base URL of Langfuse.', 'https://us.cloud.langfuse.com'),
  }),
  langsmith: config({
    apiKey: secret('API key of LangSmith.'),
    endpoint: urlOr('URL of the API.', 'https://api.smith.langchain.com'),
    project: textOr('Name of the project.', 'main'),
    workspaceId: optional(text('Id of the workspace in LangSmith.', 'workspace-7')),
  }),
  newrelic: config({
    licenseKey: secret('License key of New Relic.'),
    region: optional(
      Type.Enum(['us', 'eu'] as const, {
        type: 'string',
        default: 'us',
        description: 'Region of the account.',
        examples: ['us'],
      }),
    ),
  }),
  opik: config({
    apiKey: secret('API key of Opik.'),
    workspace: text('Name of the workspace in Opik.', 'default'),
    projectName: text('Name of the project.', 'gateway'),
  }),
  'otel-collector': config({
    endpoint: url('URL of the OTLP/HTTP receiver.', 'https://collector.example.com:4318'),
  }),
  posthog: config({
    apiKey: secret('Project API key of PostHog.'),
    endpoint: urlOr('URL of the API.', 'https://us.i.posthog.com'),
  }),
  ramp: config({
    apiKey: secret('API key of Ramp.'),
    baseUrl: url('URL of the API.', 'https://api.ramp.example.com'),
  }),
  s3: config({
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
    prefix: textOr('First part of the names.', 'service-traces'),
    pathTemplate: optional(pathTemplate),
    sessionToken: optional(secret('Token of a temporary access key.')),
  }),
  sentry: config({
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
  }),
  snowflake: config({
    account: formed({
      description: 'Identifier of the account.',
      pattern: String.raw`^[a-zA-Z0-9_]+(?:[.-][a-zA-Z0-9_]+)*$`,
      mustBe: 'the identifier of an account: letters, digits and _, with . or - between them',
      example: 'organization-account',
      charactersMax: 255,
    }),
    token: secret('Programmatic access token.'),
    warehouse: identifierOr('Name of the warehouse.', 'COMPUTE_WH'),
    database: optional(
      identifier('Name of the database.', 'SNOWFLAKE_LEARNING_DB', 'SNOWFLAKE_LEARNING_DB'),
    ),
    schema: identifierOr('Name of the schema.', 'PUBLIC'),
    table: identifierOr('Name of the table.', 'SERVICE_TRACES'),
  }),
  weave: config({
    apiKey: secret('API key of Weights & Biases.'),
    entity: text('Name of the entity.', 'team'),
    project: text('Name of the project.', 'gateway'),
    baseUrl: urlOr('URL of the trace server.', 'https://trace.wandb.ai'),
  }),
  webhook: config({
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
      secret('Secret of the HMAC-SHA256 signature of each request. Without it nothing is signed.'),
    ),
  }),
} as const;

export type DestinationType = keyof typeof configSchemas;

/** The settings of a destination of an unknown type. */
export type AnyConfig = Readonly<Record<string, unknown>>;

export const destinationTypes = Object.keys(configSchemas) as readonly DestinationType[];

export function isDestinationType(word: string): word is DestinationType {
  return Object.hasOwn(configSchemas, word);
}
