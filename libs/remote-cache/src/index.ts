export { createRemoteCache, lastKnownMsDefault } from './cached-answers.ts';
export { followChanges } from './follow-changes.ts';
export type { RemoteCache, RemoteCacheOptions } from './remote-cache.ts';
