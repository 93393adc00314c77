import { request } from 'undici';
import type { Expectation } from '../harness/load/expectation.ts';
import { deltaMark, textOf } from '../harness/upstream/answers.ts';
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
    body: bodyOf(subject.model, shape),
  });
  const text = await body.text();
  const fault = statusCode === 200 ? faultIn(text, shape, deltas) : `status ${statusCode}`;
  if (fault !== undefined) throw new Error(`${subject.name}: ${fault}: ${text.slice(0, 300)}`);
  const bodyBytes = Buffer.byteLength(text);
  const leeway = leewayBytes + (shape.isStreaming ? leewayOfStream * bodyBytes : 0);
  return {
    bodyBytesMin: bodyBytes - leeway,
    bodyBytesMax: bodyBytes + leeway,
    deltas: shape.isStreaming ? deltas : 0,
  };
}

function faultIn(text: string, { isStreaming }: RequestShape, deltas: number): string | undefined {
  const said = JSON.stringify(textOf(deltas));
  if (!text.includes(said)) return 'the text is not there';
  if (!isStreaming) return undefined;
  const marks = text.split(deltaMark).length - 1;
  if (marks !== deltas) return `${marks} deltas instead of ${deltas}`;
  return text.includes('event: response.completed\n') ? undefined : 'the stream does not end';
}
