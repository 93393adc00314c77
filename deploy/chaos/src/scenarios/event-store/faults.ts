import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectEventStore } from '@sluice/eventstore';
import { noFaults } from '@sluice/eventstore-server';
import { type Ability, foreignType, type Store } from '../../parts/event-store/store.ts';
import type { Back } from '../../parts/outage.ts';
import type { Gaps } from './gaps.ts';

/** Gives a fault that passes its store and its tools. */
export interface FaultScene {
  readonly store: Store;
  readonly gaps: Gaps;
  readonly awayMs: number;
  /** A key that the load does not use. */
  readonly keyHash: string;
  /** Resolves after this many further commands were acknowledged. */
  readonly untilAcknowledged: (count: number) => Promise<void>;
  /** Resolves after each kind of request that came from now on was answered. */
  readonly untilAnswered: () => Promise<void>;
}

/** A fault that the store recovers from by itself, with the same log. */
export interface PassingFault {
  readonly name: string;
  readonly needs: Ability | undefined;
  /** The word by which Sluice must report the fault. */
  readonly said?: RegExp;
  happen(scene: FaultScene): Promise<void>;
}

/** The store has another log afterwards. */
export interface LogFault {
  readonly name: string;
  readonly needs: 'data' | 'growth';
  readonly log: 'restored' | 'outgrown' | 'emptied';
}

export type Fault = PassingFault | LogFault;

/** A cluster was seen to elect in 0.6–2.1 s. */
const electionMs = 1_300;
/** A real node gives up after 2 s. */
const serverTimeoutMs = 2_000;
const answersKept = 12;
const foreignStreams = ['apiKey-evil', 'workspace-7', 'member-4711', 'account-evil'] as const;

const killed = async (store: Store): Promise<Back> => {
  await store.kill();
  return () => store.start();
};
const ended = async (store: Store): Promise<Back> => {
  await store.exit();
  return () => store.start();
};

const election = (electionRefusal: 'not_ready' | 'busy' | 'no_leader'): PassingFault => ({
  name: `election (${electionRefusal.replace('_', ' ')})`,
  needs: 'switches',
  async happen({ store, untilAcknowledged }) {
    await store.switchTo({ electionRefusal, electionUntilMs: Date.now() + electionMs });
    await delay(electionMs);
    await untilAcknowledged(1);
  },
});

const timedOut = { timedOutAppends: answersKept, timedOutAppendMs: serverTimeoutMs };

export const faults: readonly Fault[] = [
  { name: 'killed', needs: 'process', happen: (scene) => away(scene, killed, 0) },
  {
    name: 'killed and away for long',
    needs: 'process',
    happen: (scene) => away(scene, killed, scene.awayMs),
  },
  { name: 'ended with status 0', needs: 'process', happen: (scene) => away(scene, ended, 0) },
  {
    name: 'frozen',
    needs: 'freeze',
    happen: (scene) => away(scene, (store) => store.freeze(), scene.awayMs),
  },
  election('not_ready'),
  election('busy'),
  election('no_leader'),
  {
    name: 'another leader',
    needs: 'switches',
    async happen({ store, untilAcknowledged }) {
      const [host = '', port] = new URL(store.url).host.split(':');
      for (let times = 0; times < 3; times++) {
        await store.switchTo({ notLeader: { host, port: Number(port) } });
        await untilAcknowledged(3);
      }
    },
  },
  {
    name: 'answers lost with their call',
    needs: 'switches',
    happen: (scene) => answers(scene, { lostResponses: answersKept }),
  },
  {
    name: 'written without an answer',
    needs: 'switches',
    happen: (scene) => answers(scene, { unansweredAppends: answersKept }),
  },
  {
    name: 'written with a timeout',
    needs: 'switches',
    happen: (scene) => answers(scene, timedOut),
  },
  { name: 'foreign events in our streams', needs: undefined, said: /foreign/i, happen: foreign },
  { name: 'restored from an older copy', needs: 'data', log: 'restored' },
  { name: 'restored and outgrown', needs: 'growth', log: 'outgrown' },
  { name: 'emptied', needs: 'data', log: 'emptied' },
];

/**
 * Takes the store away. A store that is away for a while stays away until requests were answered that came at the end:
 * neither inference nor GETs need it.
 */
async function away(
  { store, gaps, untilAnswered }: FaultScene,
  take: (store: Store) => Promise<Back>,
  forMs: number,
): Promise<void> {
  gaps.awayBegins();
  const back = await take(store);
  await delay(forMs);
  try {
    if (forMs > 0) await untilAnswered();
  } finally {
    await back();
    gaps.awayEnds();
  }
}

/** Withholds answers while clients send commands. */
async function answers(
  { store, untilAcknowledged }: FaultScene,
  switches: Parameters<Store['switchTo']>[0],
): Promise<void> {
  await store.switchTo(switches);
  await untilAcknowledged(answersKept);
  await store.switchTo(noFaults());
}

/** Appends events without our metadata to foreign streams of our namespace, and to one of ours. */
async function foreign({ store, keyHash }: FaultScene): Promise<void> {
  const connected = await connectEventStore({ url: store.url });
  try {
    for (const stream of [...foreignStreams, `apiKey-${keyHash}`]) {
      const event = { id: randomUUID(), type: `${foreignType}Noise`, data: { n: 1 } };
      // Foreign metadata: the type of the port only allows ours.
      const appended = { ...event, metadata: {} as never };
      await connected.append(stream, [appended], 'any');
    }
  } finally {
    await connected.stop();
  }
}
