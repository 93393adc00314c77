import { setTimeout as delay } from 'node:timers/promises';
import { type KeyManagement, rewrap, UnreadableEnvelope } from '@sluice/envelope';
import { loggedRecordId } from '../domain/logged-contents.ts';
import {
  contentsUnderOtherKeys,
  droppedMax,
  dropExpired,
  dropOrphans,
  rewrapContents,
} from '../store/contents.ts';
import type { LogContentsDeps } from './log-contents.ts';

export interface RetainContentsDeps extends LogContentsDeps {
  readonly keys: KeyManagement;
}

const intervalMs = 60_000;
/** Contents of a deleted workspace may come as long as the bus keeps them. */
const deletedMs = 7 * 24 * 3_600_000;
const pageRows = 100;

/** Deletes contents at the end of their retention until the signal aborts. Puts them under the newest key at first. */
export async function retainContents(deps: RetainContentsDeps): Promise<void> {
  const { signal, logger } = deps;
  await rewrapAll(deps).catch((error: unknown) =>
    logger.warn('stored contents are not all under the newest key', { error }),
  );
  while (!signal.aborted) {
    try {
      if ((await dropOnce(deps)) >= droppedMax) continue;
    } catch (error) {
      logger.warn('contents cannot be deleted now', { error });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

async function dropOnce({
  database,
  clock,
  contentBounds,
  metrics,
}: LogContentsDeps): Promise<number> {
  const nowMs = clock.now().getTime();
  const expired = await dropExpired(database, new Date(nowMs - contentBounds.ageMsMax));
  metrics.observerContents.add(expired, { outcome: 'expired' });
  const orphans = await dropOrphans(database, new Date(nowMs - deletedMs));
  metrics.observerContents.add(orphans, { outcome: 'deleted' });
  return Math.max(expired, orphans);
}

/** Rewraps the data keys of contents that an earlier key wraps. Contents that cannot be opened stay as they are. */
async function rewrapAll({ database, keys, logger, signal }: RetainContentsDeps): Promise<void> {
  const keyVersion = await keys.newestVersion();
  let after = { accountId: '', generationId: '' };
  while (!signal.aborted) {
    const page = await contentsUnderOtherKeys(database, { keyVersion, after, limit: pageRows });
    for (const one of page) {
      const { accountId, generationId, sealed } = one;
      const owner = { accountId, recordId: loggedRecordId(generationId) };
      try {
        const again = await rewrap(keys, owner, sealed);
        if (again) await rewrapContents(database, { accountId, generationId, sealed: again });
      } catch (error) {
        if (!(error instanceof UnreadableEnvelope)) throw error;
        logger.error('stored contents cannot be opened', { generationId, error });
      }
    }
    const last = page.at(-1);
    if (!last) return;
    after = last;
  }
}
