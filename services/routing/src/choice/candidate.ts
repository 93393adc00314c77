import type { CatalogEndpoint, Model } from '../catalog/catalog.ts';

/** One that could answer. */
export interface Candidate {
  readonly model: Model;
  readonly endpoint: CatalogEndpoint;
}
