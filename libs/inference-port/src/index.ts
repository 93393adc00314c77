export { applicationName, knownApplication } from './application-name.ts';
export { abortSignalOf, CallAbort, type CallSignal } from './call-signal.ts';
export { clientApplication, decodeClient, encodeClient } from './client-header.ts';
export {
  catalogCategories,
  catalogSorts,
  catalogFormats,
  catalogViews,
  modelParameters,
  type CatalogQuestion,
  type CatalogSort,
  type CatalogView,
} from './catalog-question.ts';
export {
  type ClientApplication,
  type ClientDialectName,
  type CacheWish,
  clientDialects,
  type InferenceCall,
  type InferencePort,
  type InferenceReply,
  isStream,
  wholeText,
} from './port.ts';
export type { Principal } from './principal.ts';
export { decodePrincipal, encodePrincipal, internalHttp } from './principal-header.ts';
