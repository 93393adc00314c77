import { count, type Json, list, object, text } from '../json.ts';
import type { Telling } from '../telling.ts';
import { geminiCalls } from './gemini-calls.ts';

/** Reads the pieces of a Gemini answer, or one whole answer. */
export function geminiTelling(pieces: readonly Json[]): Telling {
  const parts = pieces.flatMap((piece) =>
    list(object((list(piece['candidates'])[0] ?? {})['content'])['parts']),
  );
  const usage = object(pieces.findLast((piece) => piece['usageMetadata'])?.['usageMetadata']);
  const said = (isThought: boolean) =>
    parts
      .filter((part) => (part['thought'] === true) === isThought)
      .map((part) => text(part['text']))
      .join('');
  return {
    text: said(false),
    thoughts: said(true),
    calls: geminiCalls(
      parts
        .filter((part) => part['functionCall'] !== undefined)
        .map((part) => object(part['functionCall'])),
    ),
    isCounted: Object.keys(usage).length > 0,
    inputTokens: count(usage['promptTokenCount']) + count(usage['toolUsePromptTokenCount']),
    outputTokens: count(usage['candidatesTokenCount']) + count(usage['thoughtsTokenCount']),
  };
}
