import { randomBytes } from 'node:crypto';
import { writtenValue } from './arguments.ts';
import { reportedUsage, type Dialect, type Frame, type Served } from './dialect.ts';
import { readContentsPrompt } from './generate-content-prompt.ts';
import { logprobsResult } from './logprobs.ts';
import { chunksOf, countOutput, type Generation, type OutputPart } from './generation.ts';

/** `POST /v1/models/<model>:generateContent` and `:streamGenerateContent`: Google's API. */
export const generateContent: Dialect = {
  name: 'generate-content',
  newId: () => `sim${randomBytes(12).toString('hex')}`,
  readPrompt: readContentsPrompt,
  body: (served) => chunk(served, served.generation.parts, { isLast: true }),
  // It keeps no answers.
  stored: () => undefined,
  frames,
  errorBody,
  failure: () => ({
    frames: data(errorBody(500, 'The simulated model broke')),
    status: 500,
    body: errorBody(500, 'The simulated model broke'),
  }),
};

const finishReasons = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
} as const;

const statusWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

function errorBody(code: number, message: string): object {
  return { error: { code, message, status: statusWords[code] ?? 'INTERNAL' } };
}

function* frames(served: Served): Iterable<Frame> {
  for (const [number, part] of served.generation.parts.entries()) {
    // A call comes whole.
    const texts = part.type === 'tool-call' ? [part.text] : chunksOf(part.text);
    for (const text of texts) {
      const bytes = data(chunk(served, [{ ...part, text }], { isLast: false }));
      yield { type: 'chunk', part: number, text, bytes };
    }
  }
  yield { type: 'terminal', bytes: data(chunk(served, [silence], { isLast: true })) };
}

const silence: OutputPart = { type: 'text', name: '', text: '' };

function partOf(part: OutputPart): object {
  switch (part.type) {
    case 'reasoning':
      return { text: part.text, thought: true };
    case 'tool-call':
      return {
        functionCall: { name: part.name, args: writtenValue(part.text) },
        thoughtSignature: 'c2ln',
      };
    case 'text':
      return part.isPicture
        ? { inlineData: { mimeType: 'image/png', data: part.text } }
        : { text: part.text };
    case 'refusal':
    case 'search':
      return { text: part.text };
  }
}

function chunk(
  served: Served,
  parts: readonly OutputPart[],
  { isLast }: { readonly isLast: boolean },
) {
  const { likeliestCount } = served.prompt;
  const said = parts.map(({ type, text }) => (type === 'text' ? text : '')).join('');
  const usage = isLast ? reportedUsage(served, usageOf) : null;
  return {
    candidates: [
      {
        content: { role: 'model', parts: parts.map(partOf) },
        ...(likeliestCount !== undefined &&
          said !== '' && { logprobsResult: logprobsResult(said, likeliestCount) }),
        index: 0,
        ...(isLast && { finishReason: finishReasons[served.generation.finish] }),
      },
    ],
    ...(usage === null ? {} : { usageMetadata: usage }),
    modelVersion: served.prompt.model,
    responseId: served.id,
  };
}

/** Thoughts are beside the candidates' tokens there. */
function usageOf({ inputTokens, cachedTokens, parts }: Generation): object {
  const { output, reasoning } = countOutput(parts);
  return {
    promptTokenCount: inputTokens,
    cachedContentTokenCount: cachedTokens,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: inputTokens + output,
  };
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}
