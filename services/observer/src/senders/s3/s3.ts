import { createHash } from 'node:crypto';
import { readS3Bucket, signS3Object } from '@sluice/file-store';
import type { Destination } from '../../domain/destination.ts';
import type { FinishedGeneration } from '../../domain/generation.ts';
import { traceFieldsOf } from '../otlp/ids.ts';
import type { Observed, Sender, SenderRequest } from '../sender.ts';
import { setting } from '../setting.ts';
import { generationView } from '../views/generation-view.ts';

/** Puts each generation as an object into a bucket. One that is sent again replaces itself. */
export const s3: Sender = {
  // One request for each.
  batchMax: 20,
  async requests(destination, batch, { now }) {
    const requests: SenderRequest[] = [];
    for (const observed of batch) requests.push(await putOf(destination, observed, now));
    return requests;
  },
};

async function putOf(
  destination: Destination,
  observed: Observed,
  now: Date,
): Promise<SenderRequest> {
  const body = JSON.stringify(generationView(observed, destination.shows));
  const object = {
    name: objectName(destination, observed.generation),
    mediaType: 'application/json',
    sha256: createHash('sha256').update(body).digest('hex'),
  };
  const { url, headers } = await signS3Object(readS3Bucket(destination.config), object, now);
  return { url, method: 'PUT', headers, body };
}

/** Returns `{prefix}/{date}/{traceId}-{timestamp}-{mark}.json`, by the instant of the generation: it stays the same. */
function objectName(destination: Destination, generation: FinishedGeneration): string {
  const [date = ''] = new Date(generation.completedAtMs).toISOString().split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const apiKeyName = segment(generation.keyName) || 'unnamed';
  const variables: Readonly<Record<string, string>> = {
    prefix: setting(destination, 'prefix').replace(/^\/+|\/+$/g, ''),
    date,
    year,
    month,
    day,
    apiKeyName,
  };
  const template = setting(destination, 'pathTemplate');
  const folder = template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name] ?? '')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const { traceId } = traceFieldsOf(generation);
  // Several generations of one trace may end in one millisecond.
  const mark = createHash('sha256').update(generation.generationId).digest('hex').slice(0, 8);
  return [...folder, `${traceId}-${generation.completedAtMs}-${mark}.json`].join('/');
}

/** A name of an account is one folder. */
function segment(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}]/gu, '-').slice(0, 200);
}
