import type { Logger } from '@sluice/service';
import type { Catalog } from './catalog.ts';

export interface ReloadingCatalog extends Catalog {
  /** Takes what is there now for the next requests; what cannot be read or is wrong changes nothing. */
  reload(): Promise<void>;
}

/** A catalogue that can be replaced as a whole: a request keeps the model that it found. */
export async function reloadingCatalog(
  load: () => Promise<Catalog>,
  logger: Pick<Logger, 'info' | 'error'>,
): Promise<ReloadingCatalog> {
  let current = await load();
  return {
    find: (id) => current.find(id),
    get listed() {
      return current.listed;
    },
    get providers() {
      return current.providers;
    },
    async reload() {
      try {
        current = await load();
        logger.info('the catalogue was read again', { count: current.listed.length });
      } catch (error) {
        logger.error('the catalogue is as it was: what is there now cannot be used', { error });
      }
    },
  };
}
