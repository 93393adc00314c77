import { join } from 'node:path';
import type { InferenceRequest } from '@sluice/inference';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { inParallel, time } from '../timings.ts';
import { scriptedUpstream } from './scripted-upstream.ts';
import { openWorld, type World } from './world.ts';

const steps = 10;
/** The two sides are measured in turns, so that both meet the same machine. */
const rounds = 6;
const loopsAtOnce = 50;
/** A fast model. Loops without a model's time would only show how many fit on the processor. */
const modelMs = 200;
const plainEveryMs = 20;
/** Plain requests of a round. The 99 % of 100 would be the one request that comes when the loops begin. */
const plainCount = 300;

const tool = { type: 'service:datetime' };
const question = [{ role: 'user', content: 'What time is it in Kolkata?' }];
const loop = { input: question, tools: [tool], max_tool_calls: steps };
/** A tool that the client runs itself, of the size of the server tool as the model sees it. */
const clientTool = {
  type: 'function',
  name: 'service_datetime',
  description: 'Returns the current date and time in a time zone.',
  parameters: { type: 'object', properties: { timezone: { type: 'string' } } },
};
const result = JSON.stringify({ datetime: '2026-11-26T22:10:00.000+05:30', timezone: 'UTC' });

/** The requests of the same conversation whose client runs the tool: a turn of the loop is one of these. */
const requests = Array.from({ length: steps + 1 }, (_, turn) => ({
  tools: [clientTool],
  input: [
    ...question,
    ...Array.from({ length: turn }, (__, number) => {
      const call_id = `call_${number}`;
      return [
        { type: 'function_call', call_id, name: clientTool.name, arguments: '{}' },
        { type: 'function_call_output', call_id, output: result },
      ];
    }).flat(),
  ],
}));

/** Measures so many loops of a free tool beside the same requests without one, on this machine, in one run. */
export async function measureTools(loops: number): Promise<readonly Measure[]> {
  return await withScratch('tools', async (directory) => {
    let answerMs = 0;
    const callsOf = ({ items }: InferenceRequest) => (items.length > 0 ? steps : 0);
    const upstream = scriptedUpstream({ callsOf, answerMs: () => answerMs });
    const world = await openWorld(join(directory, 'spool'), upstream);
    try {
      const costs = await measureCosts(world, loops);
      answerMs = modelMs;
      return [...costs, ...(await measureNeighbors(world))];
    } finally {
      await world.stop();
    }
  });
}

async function measureCosts(world: World, loops: number): Promise<readonly Measure[]> {
  const all = async () => {
    for (const request of requests) await world.ask(request);
  };
  const work = { inFlight: 1, count: Math.ceil(loops / rounds) };
  showProgress('loops, and the same requests one by one');
  const inLoops: number[] = [];
  const alone: number[] = [];
  const stepMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofLoops = await cpuOf(() => time({ ...work, act: () => world.ask(loop) }));
    const ofRequests = await cpuOf(() => time({ ...work, act: all }));
    inLoops.push(ofLoops.cpuMs);
    alone.push(ofRequests.cpuMs);
    stepMs.push(ofLoops.value.p50Ms / steps);
  }
  const ratios = inLoops.map((ms, round) => ms / (alone[round] ?? Number.NaN));
  const turns = `a loop of ${steps + 1} turns`;
  const stepCpuMs = percentile(inLoops, 0.5) / (runsOf(work.count) * steps);
  const clockMs = percentile(stepMs, 0.5);
  return [
    measured(
      `processor time of ${turns}, times that of its requests`,
      percentile(ratios, 0.5),
      '×',
      { atMost: 1.1 },
    ),
    measured('processor time of a step of the loop (a turn and its tool), median', stepCpuMs, 'ms'),
    measured('a step of the loop in the service on the clock, median', clockMs, 'ms', {
      atMost: 2,
    }),
  ];
}

async function measureNeighbors(world: World): Promise<readonly Measure[]> {
  const plain = { input: 'hello', tools: [] };
  showProgress('plain requests alone, and beside loops');
  const idleMs: number[] = [];
  const besideMs: number[] = [];
  const firstMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    idleMs.push(...(await openLoop(world, plain, plainCount)));
    const loads = new AbortController();
    const load = inParallel(loopsAtOnce, loopsAtOnce, async () => {
      while (!loads.signal.aborted) await world.ask(loop);
    });
    const took = await openLoop(world, plain, plainCount);
    besideMs.push(...took);
    firstMs.push(...took.slice(0, 1));
    loads.abort();
    await load;
  }
  // The model's own time is in both.
  const [idle, beside] = [percentile(idleMs, 0.99), percentile(besideMs, 0.99)];
  return [
    measured('plain request, 99 %, alone', idle - modelMs, 'ms'),
    measured(
      `plain request, 99 %, beside ${loopsAtOnce} loops, times that alone`,
      (beside - modelMs) / (idle - modelMs),
      '×',
      {
        atMost: 2,
        note: `${(beside - modelMs).toFixed(1)} ms without the model's ${modelMs} ms`,
      },
    ),
    measured(
      `plain request in the moment in which ${loopsAtOnce} loops begin, median`,
      percentile(firstMs, 0.5) - modelMs,
      'ms',
    ),
  ];
}

/** Sends requests at a rate, whatever becomes of the earlier ones. Returns how long each took. */
async function openLoop(world: World, body: object, count: number): Promise<readonly number[]> {
  const took = Array.from({ length: count }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * plainEveryMs));
    const beganMs = performance.now();
    await world.ask(body);
    return performance.now() - beganMs;
  });
  return await Promise.all(took);
}

/** The unmeasured runs of `time` cost processor time, too. */
function runsOf(count: number): number {
  return count + Math.ceil(count / 10);
}

async function cpuOf<Value>(work: () => Promise<Value>): Promise<{ value: Value; cpuMs: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, cpuMs: (user + system) / 1_000 };
}
