import type { StreamPart } from '@sluice/inference';
import { streamReader, type Translator } from '../translation.ts';
import { geminiEmbeddings } from './embeddings.ts';
import { geminiReasoningFormat } from './contents.ts';
import { geminiError } from './errors.ts';
import { geminiBody, geminiPath } from './request.ts';
import { geminiEnd, geminiStep, initialGeminiState } from './stream.ts';
import { readGeminiBody, readGeminiEvent } from './wire.ts';

/** Gemini refuses a name that begins with a digit or a dash. */
const geminiNames = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Google's `generateContent`. */
export const googleGeminiTranslator: Translator = {
  path: geminiPath,
  headers: (apiKey) => (apiKey === undefined ? {} : { 'x-goog-api-key': apiKey }),
  history: {
    textsFirst: false,
    hasModelPictures: true,
    tellsFailuresInText: true,
    thoughtFormat: geminiReasoningFormat,
  },
  names: geminiNames,
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
};

/** Reads a whole body as a stream of one event, so that both use the same code. */
function geminiParts(body: unknown): readonly StreamPart[] {
  const [state, parts] = geminiStep(initialGeminiState, readGeminiBody(body));
  const [, rest] = geminiEnd(state);
  return [...parts, ...rest];
}
