export { createRemoteCache } from './cached-answers.ts';
export { lastKnownMsDefault } from './lifetimes.ts';
export { followChanges } from './follow-changes.ts';
export type { RemoteCache, RemoteCacheOptions } from './remote-cache.ts';
