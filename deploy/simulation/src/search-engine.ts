import { seededRandom } from '@sluice/testing/random';
import type { CalledTool, RanTool } from '@sluice/routing/testing';
import type { Provider, ProviderCall } from './provider.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

/** The end of a search. */
type Fate = 'found' | 'free error' | 'charged error' | 'silent';

const stepMsMax = 200;

/** Answers searches, now and then fails in each of the ways, and writes what it charges into the provider's books. */
export class SearchEngine {
  readonly #time: VirtualTime;
  readonly #provider: Provider;
  readonly #life: Life;

  constructor(time: VirtualTime, provider: Provider, life: Life) {
    this.#time = time;
    this.#provider = provider;
    this.#life = life;
  }

  /** Every draw comes from the name of the call, so that the rest of a seed stays as it is. */
  async search(
    callId: string,
    requestId: string,
    { worstNanoUsd, credentialId }: Pick<CalledTool, 'worstNanoUsd' | 'credentialId'>,
  ): Promise<RanTool<string>> {
    if (this.#life.isOver) await new Promise(() => {});
    const random = seededRandom(hashOf(callId));
    const fate = chooseFate(random.next());
    const costNanoUsd = BigInt(random.between(1, Number(worstNanoUsd)));
    const mayCharge = fate !== 'free error' && (fate !== 'silent' || random.next() < 0.5);
    const call: ProviderCall = {
      requestId,
      attempt: callId,
      inputTokens: 0,
      outputTokensMax: 0,
      arrivedMs: this.#time.nowMs,
      life: this.#life,
      isStreamed: true,
      isOwn: credentialId !== undefined,
      search: { costNanoUsd, worstNanoUsd },
      cachedTokens: 0,
      servedTokens: 0,
      hasFailed: fate !== 'found',
      state: 'open',
    };
    this.#provider.book(call);
    await this.#time.sleep(random.next() * stepMsMax);
    this.#provider.end(call, mayCharge ? 'charged' : 'free');
    await this.#time.sleep(random.next() * stepMsMax);
    const counts = { searches: 1, searchResults: random.below(9) };
    switch (fate) {
      case 'found':
        return { result: fate, isFailed: false, charge: { costNanoUsd, counts } };
      case 'charged error':
        return { result: fate, isFailed: true, charge: { costNanoUsd, counts } };
      case 'free error':
        return { result: fate, isFailed: true, charge: { costNanoUsd: 0n } };
      case 'silent':
        return { result: fate, isFailed: true, charge: { costNanoUsd: 'unknown' } };
    }
  }
}

function chooseFate(chance: number): Fate {
  if (chance < 0.08) return 'silent';
  if (chance < 0.14) return 'charged error';
  return chance < 0.2 ? 'free error' : 'found';
}

function hashOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 1;
  return hash;
}
