import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInstance } from '@sluice/acceptance/instance';
import { type Door, doors, type Told } from './doors.ts';
import type { Json } from './json.ts';
import { startProvider } from './provider.ts';
import type { Recording } from './recording.ts';

/** The outcome of one recording in one way of replaying it. */
export interface Verdict {
  readonly name: string;
  /** Differences between the recording and the answer, in sentences. None: it passed. */
  readonly findings: readonly string[];
}

type Mode = 'whole' | 'streamed' | 'in pieces';
const modes: readonly Mode[] = ['whole', 'streamed', 'in pieces'];

/** Nano-USD of a token. Cached tokens cost the same, so that only the counts decide. */
const inputNanoUsd = 1_000;
const outputNanoUsd = 2_000;
const usd = (nanoUsd: number) => (nanoUsd / 1e9).toFixed(9);

/** Lets a running Sluice answer with each recording, in each form that it has, through each door. */
export async function replay(
  recordings: readonly Recording[],
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<readonly Verdict[]> {
  const provider = await startProvider((model) => {
    const [, place = '', mode] = model.split('--');
    const recording = recordings[Number(place)];
    if (!recording) throw new Error(`no recording is named ${model}`);
    return { recording, inPieces: mode === 'pieces' };
  });
  const folder = await mkdtemp(join(tmpdir(), 'sluice-replay-'));
  const catalog = join(folder, 'catalog.json');
  await writeFile(catalog, JSON.stringify(catalogOf(recordings, provider.url)));
  try {
    const instance = await startInstance({
      SLUICE_CATALOG: catalog,
      SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
      REPLAY_KEY: 'replay',
    });
    const { base_url: url, api_key: key } = instance.bootstrap;
    try {
      const verdicts: Verdict[] = [];
      for (const [place, recording] of recordings.entries())
        for (const mode of modes.filter((one) => hasForm(recording, one)))
          for (const door of doors) {
            const one = { url, key, recording, place, mode, door };
            const findings = await findingsOf(one).catch(unreadable);
            const verdict = { name: `${recording.name} ${mode} by ${door.path}`, findings };
            verdicts.push(verdict);
            onVerdict(verdict);
          }
      return verdicts;
    } finally {
      await instance.dispose();
    }
  } finally {
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function hasForm({ body, events }: Recording, mode: Mode): boolean {
  return (mode === 'whole' ? body : events) !== undefined;
}

function catalogOf(recordings: readonly Recording[], url: string): object {
  const dialects = [...new Set(recordings.map(({ dialect }) => dialect))];
  const pricing = {
    prompt: usd(inputNanoUsd),
    completion: usd(outputNanoUsd),
    input_cache_read: usd(inputNanoUsd),
    input_cache_write: usd(inputNanoUsd),
  };
  return {
    providers: dialects.map((dialect) => ({
      slug: dialect,
      name: `Recordings of ${dialect}`,
      dialect,
      base_url: url,
      api_key_env: 'REPLAY_KEY',
    })),
    models: recordings.flatMap(({ dialect }, place) =>
      ['plain', 'pieces'].map((mode) => ({
        id: `replay/${String(place)}-${mode}`,
        context_length: 4_000_000,
        max_output_tokens: 128_000,
        endpoints: [
          { provider: dialect, upstream_model: `replay--${String(place)}--${mode}`, pricing },
        ],
      })),
    ),
  };
}

interface Case {
  readonly url: string;
  readonly key: string;
  readonly recording: Recording;
  readonly place: number;
  readonly mode: Mode;
  readonly door: Door;
}

async function findingsOf(one: Case): Promise<readonly string[]> {
  const { recording, place, mode, door } = one;
  const question = {
    model: `replay/${String(place)}-${mode === 'in pieces' ? 'pieces' : 'plain'}`,
    // The input is as long as the recorded one, so that its hold covers the provider's count.
    input: 'a'.repeat(Math.max(2, recording.telling.inputTokens)),
    stream: mode !== 'whole',
  };
  const response = await fetch(one.url + door.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(door.body(question)),
  });
  const text = await response.text();
  if (response.status !== 200) return [`the status is ${String(response.status)}: ${text}`];
  if (mode === 'whole') return differences(recording, door.whole(JSON.parse(text) as Json));
  return differences(recording, door.streamed(eventsOf(text)));
}

function unreadable(error: unknown): readonly string[] {
  return [`the answer cannot be read: ${String(error)}`];
}

function eventsOf(stream: string): readonly Json[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

const contents = ['text', 'thoughts', 'calls'] as const;
const counts = ['inputTokens', 'outputTokens'] as const;

function differences({ telling }: Recording, told: Told): readonly string[] {
  const findings: string[] = [];
  const names = telling.isCounted ? ([...contents, ...counts] as const) : contents;
  for (const name of names) {
    const [recorded, answered] = [telling[name], told.telling[name]].map((value) =>
      JSON.stringify(value),
    );
    if (recorded !== answered)
      findings.push(`${name} is ${answered ?? ''}, where the recording has ${recorded ?? ''}`);
  }
  if (!telling.isCounted) return findings;
  const owed = telling.inputTokens * inputNanoUsd + telling.outputTokens * outputNanoUsd;
  if (told.costUsd !== undefined && usd(told.costUsd * 1e9) !== usd(owed))
    findings.push(`cost is ${String(told.costUsd)}, where the recording makes ${usd(owed)}`);
  return findings;
}
