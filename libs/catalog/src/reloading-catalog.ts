import type { Logger } from '@sluice/logging';
import type { Catalog } from './catalog.ts';
import { catalogVersion } from './catalog-version.ts';

export interface ReloadingCatalog extends Catalog {
  /** See `catalogVersion`. */
  readonly version: number;
  /** True if the file of the last look was wrong. */
  readonly isRefused: boolean;
  /**
   * Takes what is there now for the next requests; what cannot be read or is wrong changes nothing. Resolves when
   * what was there at the call, or something newer, was looked at.
   */
  reload(): Promise<void>;
}

export type ReloadOutcome = 'taken' | 'refused';

/**
 * A catalog that is replaced as a whole: a running request keeps the model that it found. `load` reads it at
 * the start, before any request; `loadAgain` reads it while requests run.
 */
export async function reloadingCatalog(
  load: () => Promise<Catalog>,
  loadAgain: () => Promise<Catalog>,
  logger: Pick<Logger, 'info' | 'error'>,
  onReload: (outcome: ReloadOutcome) => void = () => {},
): Promise<ReloadingCatalog> {
  let current = await load();
  let version = catalogVersion(current);
  let isRefused = false;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function readAgain(): Promise<void> {
    next = undefined;
    try {
      current = await loadAgain();
      version = catalogVersion(current);
      isRefused = false;
      logger.info('the catalog was read again', { count: current.listed.length });
    } catch (error) {
      isRefused = true;
      logger.error('the catalog is as it was: what is there now cannot be used', { error });
    }
    onReload(isRefused ? 'refused' : 'taken');
  }

  return {
    find: (id) => current.find(id),
    get listed() {
      return current.listed;
    },
    get providers() {
      return current.providers;
    },
    get toolPrices() {
      return current.toolPrices;
    },
    get routers() {
      return current.routers;
    },
    get version() {
      return version;
    },
    get isRefused() {
      return isRefused;
    },
    reload() {
      // Run reloads one after the other, so that the newest wins. Calls during a reload share the next one.
      next ??= running = running.then(readAgain);
      return next;
    },
  };
}
