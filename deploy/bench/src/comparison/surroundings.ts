import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withGarbage } from '../harness/garbage/garbage.ts';
import type { Load } from '../harness/load/load.ts';
import { startLoad } from '../harness/load/load.ts';
import { choosePinning, type Pinning } from '../harness/machine/pinning.ts';
import { startUpstream, type Upstream } from '../harness/upstream/upstream.ts';
import { startBareSubject } from '../subjects/bare-proxy/subject.ts';
import { directSubject } from '../subjects/direct.ts';
import { startPortkeySubject } from '../subjects/portkey/subject.ts';
import { chatDoor, embeddingsDoor, messagesDoor } from '../subjects/door.ts';
import { doorOf, startSluice, startSluiceTwo } from '../subjects/sluice/subject.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';

export interface SurroundingsOptions {
  /** On the disk that is measured with; scratch folders in it are removed again. */
  readonly folder: string;
  readonly names: readonly SubjectName[];
  /** Settings of Sluice on top of those of the bench. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folder of the checkout that `sluice-before` runs. */
  readonly checkout?: string | undefined;
  readonly onProgress: (line: string) => void;
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
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    process.off('SIGINT', stopAndExit).off('SIGTERM', stopAndExit);
    for (const one of stops.splice(0).toReversed()) await one();
  };
  const stopAndExit = () => void stop().finally(() => process.exit(1));
  process.once('SIGINT', stopAndExit).once('SIGTERM', stopAndExit);
  try {
    const pinning = await choosePinning();
    const scratch = join(options.folder, 'scratch');
    await mkdir(scratch, { recursive: true });
    const garbageFolder = await mkdtemp(join(scratch, 'garbage-'));
    stops.push(() => rm(garbageFolder, { recursive: true, force: true }));
    const settings = withGarbage(options.settings, garbageFolder);
    const upstream = await startUpstream();
    stops.push(() => upstream.stop());
    const load = await startLoad();
    stops.push(() => load.stop());
    await pinning.pin('upstream', [upstream.pid]);
    await pinning.pin('load', [load.pid]);
    const subjects: Subject[] = [];
    let leftOut: string | undefined;
    for (const name of options.names) {
      options.onProgress(`${name} starts`);
      try {
        const subject = await startSubject(name, upstream, { ...options, settings, subjects });
        stops.push(() => subject.stop());
        subjects.push(subject);
      } catch (error) {
        // It comes from elsewhere: a machine that cannot fetch it compares with the rest.
        if (name !== 'portkey') throw error;
        leftOut = `Portkey is left out, it cannot be started: ${firstLineOf(error)}`;
        options.onProgress(leftOut);
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

const doors = {
  'sluice-chat': chatDoor,
  'sluice-messages': messagesDoor,
  'sluice-embeddings': embeddingsDoor,
} as const;

function startSubject(
  name: SubjectName,
  upstream: Upstream,
  options: SurroundingsOptions & { readonly subjects: readonly Subject[] },
): Promise<Subject> | Subject {
  const { folder, settings, checkout, onProgress, subjects } = options;
  const sluice = { upstream, folder: join(folder, 'scratch'), environment: settings };
  switch (name) {
    case 'direct':
      return directSubject(upstream);
    case 'bare':
      return startBareSubject(upstream);
    case 'portkey':
      return startPortkeySubject(upstream, onProgress);
    case 'sluice':
      return startSluice(sluice);
    case 'sluice-chat':
    case 'sluice-messages':
    case 'sluice-embeddings':
      return doorOf(named(subjects, 'sluice'), name, doors[name]);
    case 'sluice-strict': {
      const environment = { ...settings, SLUICE_DURABILITY: 'strict' };
      return startSluice({ ...sluice, environment }, name);
    }
    case 'sluice-before':
      if (checkout === undefined) throw new Error('CHECKOUT names the folder of sluice-before');
      return startSluice({ ...sluice, checkout }, name);
    case 'sluice-two':
      return startSluiceTwo(sluice);
  }
}

function named(subjects: readonly Subject[], name: SubjectName): Subject {
  const subject = subjects.find((each) => each.name === name);
  if (!subject) throw new Error(`${name} must come first: its other doors are measured on it`);
  return subject;
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
