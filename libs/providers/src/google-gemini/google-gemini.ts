import type { StreamPart } from '@sluice/inference';
import { streamReader, type Translator } from '../translation.ts';
import { geminiEmbeddings } from './embeddings.ts';
import { geminiError } from './errors.ts';
import { geminiBody, geminiPath } from './request.ts';
import { geminiEnd, geminiStep, initialGeminiState } from './stream.ts';
import { readGeminiBody, readGeminiEvent } from './wire.ts';

/** Google's `generateContent`. */
export const googleGeminiTranslator: Translator = {
  path: geminiPath,
  headers: (apiKey) => (apiKey === undefined ? {} : { 'x-goog-api-key': apiKey }),
  body: geminiBody,
  stream: () =>
    streamReader({
      initial: initialGeminiState,
      read: readGeminiEvent,
      step: geminiStep,
      end: geminiEnd,
    }),
  whole: geminiParts,
  embeddings: geminiEmbeddings,
  error: geminiError,
  emulatesCustomTools: true,
};

/** Reads a whole body as a stream of one event, so that both use the same code. */
function geminiParts(body: unknown): readonly StreamPart[] {
  const [state, parts] = geminiStep(initialGeminiState, readGeminiBody(body));
  const [, rest] = geminiEnd(state);
  return [...parts, ...rest];
}
