import { headerText } from '../header-text.ts';
import { type OtlpOptions, otlpSender, tracesUrl } from '../otlp/otlp-sender.ts';
import type { Sender } from '../sender.ts';
import { setting } from '../setting.ts';
import { braintrustDialect, langfuseDialect, langsmithDialect, openInference } from './dialects.ts';

type Config = (name: string) => string;

/** A receiver of OTLP: where it takes traces, how it knows who sends them, and what it reads beside the conventions. */
interface Vendor extends Pick<OtlpOptions, 'dialect'> {
  readonly url: (config: Config) => string;
  readonly headers: (config: Config) => Readonly<Record<string, string>>;
  readonly resource?: (config: Config) => Readonly<Record<string, string>>;
}

const newRelicHosts: Readonly<Record<string, string>> = {
  us: 'https://otlp.nr-data.net',
  eu: 'https://otlp.eu01.nr-data.net',
};

const vendors: Readonly<Record<string, Vendor>> = {
  arize: {
    url: (config) => config('baseUrl'),
    headers: (config) => ({ space_id: config('spaceKey'), api_key: config('apiKey') }),
    resource: (config) => ({
      model_id: config('modelId'),
      'openinference.project.name': config('modelId'),
    }),
    dialect: openInference,
  },
  braintrust: {
    url: (config) => under(config('baseUrl'), 'otel'),
    headers: (config) => ({
      authorization: `Bearer ${config('apiKey')}`,
      'x-bt-parent': headerText(`project_id:${config('projectId')}`),
    }),
    dialect: braintrustDialect,
  },
  // Datadog takes no OTLP at the host that the setting names, but at the one of the same site that begins with `otlp`.
  datadog: {
    url: (config) => config('url').replace('://api.', '://otlp.'),
    headers: (config) => ({ 'dd-api-key': config('apiKey'), 'dd-otlp-source': 'llmobs' }),
    resource: (config) => ({ 'service.name': config('mlApp') }),
  },
  grafana: {
    url: (config) => under(config('baseUrl'), 'otlp'),
    headers: (config) => ({ authorization: basic(config('instanceId'), config('apiKey')) }),
  },
  langfuse: {
    url: (config) => under(config('baseUrl'), 'api/public/otel'),
    headers: (config) => ({ authorization: basic(config('publicKey'), config('secretKey')) }),
    dialect: langfuseDialect,
  },
  langsmith: {
    url: (config) => under(config('endpoint'), 'otel'),
    headers: (config) => ({
      'x-api-key': config('apiKey'),
      'langsmith-project': headerText(config('project')),
      ...(config('workspaceId') !== '' && { 'x-tenant-id': headerText(config('workspaceId')) }),
    }),
    dialect: langsmithDialect,
  },
  newrelic: {
    url: (config) => newRelicHosts[config('region')] ?? '',
    headers: (config) => ({ 'api-key': config('licenseKey') }),
  },
  opik: {
    url: () => 'https://www.comet.com/opik/api/v1/private/otel',
    headers: (config) => ({
      authorization: config('apiKey'),
      'comet-workspace': headerText(config('workspace')),
      projectname: headerText(config('projectName')),
    }),
  },
  sentry: {
    url: (config) => config('otlpEndpoint'),
    headers: (config) => ({
      'x-sentry-auth': `sentry sentry_version=7, sentry_key=${new URL(config('dsn')).username}`,
    }),
  },
  weave: {
    url: (config) => under(config('baseUrl'), 'otel'),
    headers: (config) => ({
      authorization: basic('api', config('apiKey')),
      project_id: headerText(`${config('entity')}/${config('project')}`),
    }),
    resource: (config) => ({
      'wandb.entity': config('entity'),
      'wandb.project': config('project'),
    }),
  },
};

/** The senders of receivers that take OTLP and differ in their URL, headers, resource and further attributes only. */
export const otlpVendors: Readonly<Record<string, Sender>> = Object.fromEntries(
  Object.entries(vendors).map(([type, vendor]) => [type, senderOf(vendor)]),
);

function senderOf({ url, headers, resource, dialect }: Vendor): Sender {
  return otlpSender({
    ...(dialect && { dialect }),
    target(destination) {
      const config = (name: string) => setting(destination, name);
      return {
        url: tracesUrl(url(config)),
        headers: headers(config),
        ...(resource && { resource: resource(config) }),
      };
    },
  });
}

function under(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path}`;
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
