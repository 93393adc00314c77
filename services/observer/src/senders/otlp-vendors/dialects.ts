import type { Contents } from '@sluice/generation-contents';
import type { FinishedGeneration } from '../../domain/generation.ts';
import type { TraceFields } from '../otlp/ids.ts';
import type { Attributes } from '../otlp/span.ts';
import type { Dialect } from '../otlp/spans.ts';
import { inputOf, outputOf } from '../views/said.ts';

const metadataMax = 50;
const metadataCharactersMax = 2_048;

/** OpenInference, which Arize reads. */
export const openInference: Dialect = {
  request: ({ generation }) => ({
    'openinference.span.kind': 'CHAIN',
    'session.id': generation.sessionId,
    'user.id': generation.externalUser,
  }),
  generation: ({ generation, contents }) => ({
    'openinference.span.kind': operationKinds[generation.apiType] ?? 'LLM',
    'llm.model_name': generation.model,
    'llm.provider': generation.provider,
    ...tokenCounts(generation),
    ...valuesOf(contents),
  }),
};

const operationKinds: Readonly<Record<string, string>> = {
  embeddings: 'EMBEDDING',
  rerank: 'RERANKER',
};

function tokenCounts({ tokens }: FinishedGeneration): Attributes {
  return {
    'llm.token_count.prompt': tokens.input,
    'llm.token_count.completion': tokens.output,
    'llm.token_count.total': tokens.input + tokens.output,
  };
}

/** `braintrust.*` has the contents as JSON that its pages show. */
export const braintrustDialect: Dialect = {
  generation: ({ contents }) =>
    contents
      ? {
          'braintrust.input_json': JSON.stringify(inputOf(contents)),
          'braintrust.output_json': JSON.stringify(outputOf(contents)),
        }
      : {},
};

export const langfuseDialect: Dialect = {
  request: ({ generation }, { traceName, metadata }) => ({
    'langfuse.trace.name': traceName,
    'langfuse.session.id': generation.sessionId,
    'langfuse.user.id': generation.externalUser,
    ...metadataOf('langfuse.trace.metadata', metadata),
  }),
  generation: ({ contents }) => ({
    'langfuse.observation.type': 'generation',
    ...(contents && {
      'langfuse.observation.input': JSON.stringify(inputOf(contents)),
      'langfuse.observation.output': JSON.stringify(outputOf(contents)),
    }),
  }),
};

export const langsmithDialect: Dialect = {
  request: ({ generation }, { traceName, metadata }) => ({
    'langsmith.span.kind': 'chain',
    'langsmith.trace.name': traceName,
    'langsmith.trace.session_id': generation.sessionId,
    ...metadataOf('langsmith.metadata', metadata),
  }),
  generation: ({ contents }) => ({
    'langsmith.span.kind': 'llm',
    ...(contents && {
      'gen_ai.prompt': JSON.stringify({ messages: inputOf(contents) }),
      'gen_ai.completion': JSON.stringify({ messages: outputOf(contents) }),
    }),
  }),
};

function valuesOf(contents: Contents | undefined): Attributes {
  if (!contents) return {};
  return {
    'input.value': JSON.stringify({ messages: inputOf(contents) }),
    'input.mime_type': 'application/json',
    'output.value': JSON.stringify({ messages: outputOf(contents) }),
    'output.mime_type': 'application/json',
  };
}

function metadataOf(prefix: string, metadata: TraceFields['metadata']): Attributes {
  return Object.fromEntries(
    metadata.slice(0, metadataMax).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [`${prefix}.${name.slice(0, 128)}`, text.slice(0, metadataCharactersMax)];
    }),
  );
}
