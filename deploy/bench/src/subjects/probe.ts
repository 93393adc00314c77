import { request } from 'undici';
import type { Expectation } from '../harness/load/expectation.ts';
import { deltaText, textOf, vectorText } from '../harness/upstream/answers.ts';
import { plainVectors } from '../harness/upstream/upstream-server.ts';
import type { Door } from './door.ts';
import { bodyOf, type RequestShape } from './request.ts';
import type { Subject } from './subject.ts';

/** Ids, times and amounts of one answer are a little longer than those of another. */
const leewayBytes = 64;
const leewayOfStream = 0.02;

/**
 * Asks once and looks at all of the answer: it must say what the upstream said. What counts as an answer
 * from then on is one like it. Throws when this one is not right.
 */
export async function probe(
  subject: Subject,
  shape: RequestShape,
  deltas: number,
): Promise<Expectation> {
  const { statusCode, body } = await request(`http://127.0.0.1:${subject.port}${subject.path}`, {
    method: 'POST',
    headers: { ...subject.headers, 'content-type': 'application/json' },
    body: bodyOf(subject.model, shape, subject.door),
  });
  const text = await body.text();
  const fault =
    statusCode === 200 ? faultIn(text, shape, deltas, subject.door) : `status ${statusCode}`;
  if (fault !== undefined) throw new Error(`${subject.name}: ${fault}: ${text.slice(0, 300)}`);
  const bodyBytes = Buffer.byteLength(text);
  const leeway = leewayBytes + (shape.isStreaming ? leewayOfStream * bodyBytes : 0);
  return {
    bodyBytesMin: bodyBytes - leeway,
    bodyBytesMax: bodyBytes + leeway,
    deltas: shape.isStreaming ? deltas : 0,
    deltaMark: subject.door.deltaMark,
  };
}

function faultIn(
  text: string,
  { isStreaming }: RequestShape,
  deltas: number,
  { deltaMark, endMark, makesVectors }: Door,
): string | undefined {
  if (makesVectors)
    return text.includes(vectorText(plainVectors.dimensions))
      ? undefined
      : 'the vector is not there';
  if (!isStreaming)
    return text.includes(JSON.stringify(textOf(deltas))) ? undefined : 'the text is not there';
  const marks = text.split(`${deltaMark}${deltaText}"`).length - 1;
  if (marks !== deltas) return `${marks} deltas instead of ${deltas}`;
  return text.includes(endMark) ? undefined : 'the stream does not end';
}
