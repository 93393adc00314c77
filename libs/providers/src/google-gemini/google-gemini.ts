import type { StreamPart } from '@sluice/inference';
import { MachineReader, type StreamMachine } from '../stream-reader.ts';
import type { Translator } from '../translation.ts';
import { wholeFailure } from '../whole-failure.ts';
import { geminiEmbeddings } from './embeddings.ts';
import { geminiReasoningFormat } from './contents.ts';
import { geminiCounting } from './counting.ts';
import { geminiError } from './errors.ts';
import { geminiBody, geminiPath } from './request.ts';
import { geminiEnd, geminiStep, initialGeminiState, type GeminiState } from './stream.ts';
import { geminiUsage } from './usage.ts';
import { isGeminiEvent, parseGenerated, readGeminiBody, type GeminiEvent } from './wire.ts';

/** Gemini refuses a name that begins with a digit or a dash. */
const geminiNames = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const geminiMachine: StreamMachine<GeminiState, GeminiEvent> = {
  initial: initialGeminiState,
  parse: parseGenerated,
  isEvent: isGeminiEvent,
  read: readGeminiBody,
  malformed: { type: 'malformed' },
  step: geminiStep,
  end: geminiEnd,
  usage: ({ usage }) => geminiUsage(usage),
};

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
  stream: (onStray) => new MachineReader(geminiMachine, onStray),
  parse: parseGenerated,
  whole: geminiParts,
  embeddings: geminiEmbeddings,
  counting: geminiCounting,
  error: geminiError,
};

/** Reads a whole body as a stream of one event, so that both use the same code. */
function geminiParts(body: unknown): readonly StreamPart[] {
  const failure = wholeFailure(body, isGeminiEvent);
  if (failure) return failure;
  const [state, parts] = geminiStep(initialGeminiState, readGeminiBody(body));
  const [, rest] = geminiEnd(state);
  return [...parts, ...rest];
}
