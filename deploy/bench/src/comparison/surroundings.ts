import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withGarbage } from '../harness/garbage/garbage.ts';
import type { Load } from '../harness/load/load.ts';
import { startLoad } from '../harness/load/load.ts';
import { choosePinning, type Pinning } from '../harness/machine/pinning.ts';
import { startUpstream, type Upstream } from '../harness/upstream/upstream.ts';
import { benchFolder, showProgress } from '../program.ts';
import { chatDoor, type Door, embeddingsDoor, messagesDoor } from '../subjects/door.ts';
import { startFloor } from '../subjects/floor/subject.ts';
import { directSubject, mayBeMissing, startPeer } from '../subjects/peers.ts';
import {
  doorOf,
  type SluiceOptions,
  startSluice,
  startSluiceTwo,
} from '../subjects/sluice/subject.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';

export interface SurroundingsOptions {
  /** On the disk that is measured with; scratch folders in it are removed again. `benchFolder` if absent. */
  readonly folder?: string;
  readonly names: readonly SubjectName[];
  /** Settings of Sluice on top of those of the bench. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder of the checkout that `sluice-before` runs. */
  readonly checkout?: string | undefined;
  readonly onProgress?: (line: string) => void;
}

/** Everything that runs while it is measured. */
export interface Surroundings {
  readonly upstream: Upstream;
  readonly load: Load;
  readonly subjects: readonly Subject[];
  readonly pinning: Pinning;
  /** The folder in which each process of Sluice keeps sums of its garbage. */
  readonly garbageFolder: string;
  /** A sentence that names the requested subjects that are missing. */
  readonly leftOut: string | undefined;
  stop(): Promise<void>;
}

/** Starts all of it and puts each where it belongs. What was started is stopped when something fails. */
export async function startSurroundings(options: SurroundingsOptions): Promise<Surroundings> {
  const { folder = benchFolder, names, checkout, onProgress = showProgress } = options;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    process.off('SIGINT', stopAndExit).off('SIGTERM', stopAndExit);
    for (const one of stops.splice(0).toReversed()) await one();
  };
  const stopAndExit = () => void stop().finally(() => process.exit(1));
  process.once('SIGINT', stopAndExit).once('SIGTERM', stopAndExit);
  try {
    const pinning = await choosePinning();
    const scratch = join(folder, 'scratch');
    await mkdir(scratch, { recursive: true });
    const garbageFolder = await mkdtemp(join(scratch, 'garbage-'));
    stops.push(() => rm(garbageFolder, { recursive: true, force: true }));
    const environment = withGarbage(options.settings ?? {}, garbageFolder);
    const upstream = await startUpstream();
    stops.push(() => upstream.stop());
    const load = await startLoad();
    stops.push(() => load.stop());
    await pinning.pin('upstream', [upstream.pid]);
    await pinning.pin('load', [load.pid]);
    const subjects: Subject[] = [];
    let leftOut: string | undefined;
    const given = { upstream, folder: scratch, environment, checkout, subjects };
    for (const name of names) {
      onProgress(`${name} starts`);
      try {
        const subject = await starts[name](given);
        stops.push(() => subject.stop());
        subjects.push(subject);
      } catch (error) {
        if (!mayBeMissing(name)) throw error;
        leftOut = `${name} is left out, it cannot be started: ${firstLineOf(error)}`;
        onProgress(leftOut);
      }
    }
    // After the subjects: each inherits the processors of the process that starts it.
    await pinning.pin('load', [process.pid]);
    return { upstream, load, subjects, pinning, garbageFolder, leftOut, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts all of it for the work and stops it afterwards. */
export async function withSurroundings<Result>(
  options: SurroundingsOptions,
  work: (surroundings: Surroundings) => Promise<Result>,
): Promise<Result> {
  const surroundings = await startSurroundings(options);
  try {
    return await work(surroundings);
  } finally {
    await surroundings.stop();
  }
}

const firstLineOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

interface Given extends SluiceOptions {
  /** The subjects that have started before. */
  readonly subjects: readonly Subject[];
}

/** Starts each subject. */
const starts: Readonly<Record<SubjectName, (given: Given) => Subject | Promise<Subject>>> = {
  direct: ({ upstream }) => directSubject(upstream),
  bare: ({ upstream }) => startPeer('bare', upstream),
  portkey: ({ upstream }) => startPeer('portkey', upstream),
  floor: startFloor,
  sluice: (given) => startSluice({ ...given, checkout: undefined }),
  'sluice-chat': ({ subjects }) => otherDoor(subjects, 'sluice-chat', chatDoor),
  'sluice-messages': ({ subjects }) => otherDoor(subjects, 'sluice-messages', messagesDoor),
  'sluice-embeddings': ({ subjects }) => otherDoor(subjects, 'sluice-embeddings', embeddingsDoor),
  'sluice-strict': (given) => {
    const environment = { ...given.environment, SLUICE_DURABILITY: 'strict' };
    return startSluice({ ...given, environment, checkout: undefined }, 'sluice-strict');
  },
  'sluice-before': (given) => {
    if (given.checkout === undefined) throw new Error('CHECKOUT names the folder of sluice-before');
    return startSluice(given, 'sluice-before');
  },
  'sluice-two': (given) => startSluiceTwo({ ...given, checkout: undefined }),
};

function otherDoor(subjects: readonly Subject[], name: SubjectName, door: Door): Subject {
  const sluice = subjects.find((each) => each.name === 'sluice');
  if (!sluice) throw new Error('sluice must come first: its other doors are measured on it');
  return doorOf(sluice, name, door);
}

/** One processor for what is measured, the others for what works for it. */
export async function pinSubjects({ pinning, subjects }: Surroundings): Promise<void> {
  for (const subject of subjects) {
    if (subject.name === 'direct') continue;
    const { measured, others } = await subject.pids();
    await pinning.pin('subject', measured);
    await pinning.pin('others', others);
  }
}
