import { request } from 'undici';
import { pinSubjects, type Surroundings } from '../comparison/surroundings.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { startWatch } from '../streams/watch.ts';
import type { Subject } from '../subjects/subject.ts';

/** The most inputs of a request, and the longest vectors of OpenAI. */
const largest = { inputs: 2_048, dimensions: 3_072 };
const rounds = 5;
const mebibyte = 1024 * 1024;

type Format = 'float' | 'base64';

interface Answer {
  readonly bytes: number;
  readonly tookMs: number;
  /** The longest that a request took that waits for nothing but its event loop tick. */
  readonly longestTickMs: number;
}

/** The largest answers of vectors, one at a time: how long they block the process. */
export async function vectorsBench(
  surroundings: Surroundings,
  onProgress: (line: string) => void,
): Promise<readonly Measure[]> {
  const { upstream, subjects } = surroundings;
  const subject = subjects.find(({ door }) => door.makesVectors);
  if (!subject) throw new Error('There is nothing to ask for vectors');
  await pinSubjects(surroundings);
  await upstream.behave({ ...plainBehaviour, vectors: largest });
  const measures: Measure[] = [];
  for (const format of ['float', 'base64'] as const) {
    const answers: Answer[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      onProgress(`${largest.inputs} × ${largest.dimensions} as ${format}, ${round} of ${rounds}`);
      answers.push(await ask(subject, format));
    }
    // The first one waits for the compiler.
    measures.push(...measuresOf(format, answers.slice(1)));
  }
  return measures;
}

async function ask(subject: Subject, format: Format): Promise<Answer> {
  const watch = startWatch(subject, (await subject.pids()).measured);
  const askedMs = performance.now();
  const input = Array.from({ length: largest.inputs }, () => 'a');
  const { statusCode, body } = await request(`http://127.0.0.1:${subject.port}${subject.path}`, {
    method: 'POST',
    headers: { ...subject.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model: subject.model, input, encoding_format: format }),
  });
  let bytes = 0;
  let end = '';
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    end = piece.toString('latin1', Math.max(0, piece.byteLength - 1));
  }
  const tookMs = performance.now() - askedMs;
  const { turns } = await watch.stop();
  if (statusCode !== 200 || end !== '}') throw new Error(`status ${statusCode}, ${bytes} bytes`);
  return { bytes, tookMs, longestTickMs: turns.mostMs };
}

function measuresOf(format: Format, answers: readonly Answer[]): readonly Measure[] {
  const median = (figure: (answer: Answer) => number) => percentile(answers.map(figure), 0.5);
  const what = `${largest.inputs} vectors of ${largest.dimensions} as ${format}`;
  return [
    {
      name: `${what}: whole answer`,
      value: median(({ tookMs }) => tookMs),
      unit: 'ms',
      note: `${(median(({ bytes }) => bytes) / mebibyte).toFixed(0)} MiB`,
    },
    {
      name: `${what}: longest event loop tick`,
      value: median(({ longestTickMs }) => longestTickMs),
      unit: 'ms',
      note: 'asked of /livez, which waits for nothing else',
    },
  ];
}
