import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@sluice/patience';
import type { Random } from '@sluice/testing/random';
import type { Given as Surroundings } from '../../perform.ts';
import { settled, untilMore } from '../../waiting.ts';
import { auditDestination, auditOrder } from '../../audit/deliveries/audit-destination.ts';
import { lossesOf } from '../../audit/deliveries/positions.ts';
import { destinations, wantedOf } from './chosen.ts';
import { type Given, generationOf, startPublisher } from './generations.ts';
import { countTaken, readTaken } from './taken.ts';
import { type Part, startWorld, type World } from './world.ts';

const parts: readonly Part[] = ['observer', 'nats', 'receiver'];
/** Generations of a step that must have come before the next kill: the kill hits work. */
const workingShare = 0.2;
const gapMsMax = 500;
/** A lease of a killed process ends, and a batch that failed is tried again, within much less. */
const patience = { everyMs: 50, sameLooksMax: 1_200 };

/**
 * Kills the observer, the broker and the receiver in turn while generations flow. Then compares what each destination
 * got with what it must get.
 */
export async function destinationsUnderKills({
  settings,
  random,
  seed,
  folder,
  say,
  seconds,
}: Surroundings) {
  const generations = settings.wholeNumber('GENERATIONS', 10_000, 100);
  const kills = settings.wholeNumber('KILLS', 30);
  await using world = await startWorld(folder);
  const { taken: takenFolder } = world;
  await eventually(async () => {
    const known = await world.status();
    if (known.length < destinations.length) throw new Error(`${known.length} destinations known`);
  }, patience);
  await using publisher = await startPublisher(world.broker, world.keys);
  const published = Array.from({ length: generations }, (_, number) => generationOf(number));
  const killed = await flow({ world, published, kills, random, say, publish: publisher.publish });
  say('what came is compared');
  const counts = () => destinations.map(({ name }) => countTaken(takenFolder, name));
  const expected = destinations.map(({ expects }) => published.filter(expects).length);
  await settled(
    async () => ({ counts: counts(), distinct: distinctOf(takenFolder) }),
    ({ distinct }) => distinct.every((count, index) => count >= (expected[index] ?? 0)),
    patience,
  );
  const taken = destinations.map(({ name }) => ({ name, taken: readTaken(takenFolder, name) }));
  const audited = destinations.map((one, index) =>
    auditDestination(wantedOf(one, published), taken[index]?.taken ?? []),
  );
  const status = await world.status();
  const [first, ...others] = taken;
  const findings = [
    ...audited.flatMap((one) => one.findings),
    ...others.flatMap((other) => (first ? auditOrder(first, other) : [])),
    ...lossesOf(status),
  ];
  const numbers = {
    test: 'destinations',
    ok: findings.length === 0,
    seed,
    seconds: seconds(),
    generations,
    kills: killed,
    expected: sumOf(expected),
    delivered: sumOf(audited.map(({ delivered }) => delivered)),
    repeated: sumOf(audited.map(({ repeated }) => repeated)),
    findings: findings.length,
  };
  return { findings, numbers };
}

interface Flow {
  readonly world: World;
  readonly published: readonly Given[];
  readonly kills: number;
  readonly random: Random;
  readonly publish: (generations: readonly Given[]) => Promise<void>;
  readonly say: (line: string) => void;
}

/** Publishes a step of generations for each kill, which hits while they are on their way. Returns the kills. */
async function flow({ world, published, kills, random, publish, say }: Flow): Promise<number> {
  const [{ name }] = destinations;
  const count = () => countTaken(world.taken, name);
  const perStep = Math.ceil(published.length / (kills + 1));
  let sent = Promise.resolve();
  for (let step = 0; step <= kills; step++) {
    const some = published.slice(step * perStep, (step + 1) * perStep);
    sent = Promise.all([sent, publish(some)]).then(() => undefined);
    if (step === kills) break;
    await untilMore(count, Math.ceil(some.length * workingShare), 'deliveries', patience);
    await delay(random.below(gapMsMax));
    const part = parts[step % parts.length] ?? 'observer';
    await world.kill(part);
    say(`kill ${step + 1} of ${kills}: ${part}, ${count()} of ${published.length} taken`);
  }
  await sent;
  return kills;
}

const distinctOf = (folder: string) =>
  destinations.map(({ name }) => new Set(readTaken(folder, name).map(({ id }) => id)).size);

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
