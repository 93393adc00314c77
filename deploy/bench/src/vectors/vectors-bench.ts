import { request } from 'undici';
import { pinSubjects, withSurroundings } from '../comparison/surroundings.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { startWatch } from '../streams/watch.ts';
import type { Subject } from '../subjects/subject.ts';

/** The most inputs of a request, and the longest vectors of OpenAI. */
const largest = { inputs: 2_048, dimensions: 3_072 };
const rounds = 5;
const mebibyte = 1024 * 1024;

/** Measures the largest answers of vectors, one at a time: how long they block the process. */
export async function vectorsBench(): Promise<readonly Measure[]> {
  return await withSurroundings({ names: ['sluice', 'sluice-embeddings'] }, async (all) => {
    const subject = all.subjects.find(({ door }) => door.makesVectors);
    if (!subject) throw new Error('There is nothing to ask for vectors');
    await pinSubjects(all);
    await all.upstream.behave({ ...plainBehaviour, vectors: largest });
    const measures: Measure[] = [];
    for (const format of ['float', 'base64'] as const) {
      const what = `${largest.inputs} vectors of ${largest.dimensions} as ${format}`;
      const answers: Awaited<ReturnType<typeof ask>>[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        showProgress(`${what}, ${round} of ${rounds}`);
        answers.push(await ask(subject, format));
      }
      // The first one waits for the compiler.
      const median = (figure: 'bytes' | 'tookMs' | 'longestTickMs') =>
        percentile(
          answers.slice(1).map((answer) => answer[figure]),
          0.5,
        );
      measures.push(
        measured(`${what}: whole answer`, median('tookMs'), 'ms', {
          note: `${(median('bytes') / mebibyte).toFixed(0)} MiB`,
        }),
        measured(`${what}: longest event loop tick`, median('longestTickMs'), 'ms', {
          note: 'asked of /livez, which waits for nothing else',
        }),
      );
    }
    return measures;
  });
}

/** Returns the size and time of an answer, and the longest request that waited for nothing but its event loop tick. */
async function ask(subject: Subject, format: 'float' | 'base64') {
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
