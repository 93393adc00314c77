import assert from 'node:assert/strict';
import { type AnswerPart, isLast, type LastPart, type StreamPart } from '@sluice/inference';
import type { Settlement, StreamWriter } from '../dialect.ts';
import { usageReport } from '../../request/usage-report.ts';

/** 1 USD for a million input tokens, 0.1 for cached ones, 2 for output; 1 nano-USD a request. */
export const settlement: Settlement = {
  last: { type: 'finish', reason: 'stop', nativeReason: undefined, usage: undefined },
  usage: usageReport(
    { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2 },
    {
      inputTokenAttoUsd: 1_000_000_000_000n,
      cachedTokenAttoUsd: 100_000_000_000n,
      outputTokenAttoUsd: 2_000_000_000_000n,
      requestAttoUsd: 1_000_000_000_000n,
    },
    { isByok: false, costNanoUsd: 17_400n, feeNanoUsd: 0n },
  ),
  completedAt: 1_760_000_009,
};

/** Writes a whole stream. Each batch has `size` parts. */
export function writeStream(
  writer: StreamWriter,
  parts: readonly StreamPart[],
  size = parts.length,
): string {
  const [answer, last] = splitAnswer(parts);
  const written = [writer.begin([])];
  for (let at = 0; at < answer.length; at += size)
    written.push(writer.write(answer.slice(at, at + size)));
  return Buffer.concat([...written, writer.end({ ...settlement, last })]).toString();
}

/** A writer of a whole answer. */
interface AnswerWriter<Body> {
  write(parts: readonly AnswerPart[]): void;
  end(settlement: Settlement): Body;
}

/** Writes a whole answer. */
export function writeWhole<Body>(writer: AnswerWriter<Body>, parts: readonly StreamPart[]): Body {
  const [answer, last] = splitAnswer(parts);
  writer.write(answer);
  return writer.end({ ...settlement, last });
}

/** Returns the parts before the last one, and the last one. */
function splitAnswer(parts: readonly StreamPart[]): readonly [readonly AnswerPart[], LastPart] {
  const last = parts.at(-1);
  assert(last && isLast(last), 'an answer ends with its last part');
  return [parts.filter((part) => !isLast(part)), last];
}
