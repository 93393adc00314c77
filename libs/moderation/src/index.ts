export { localModerator, type LocalModeratorOptions } from './local-moderator.ts';
export type { CheckOptions, Confidence, Moderator, Verdict } from './moderator.ts';
export { remoteModerator, type RemoteModeratorOptions } from './remote-moderator.ts';
