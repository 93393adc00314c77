import type { KeyCaller } from './key-caller.ts';

/**
 * The caller of a request. Each kind is a file beside this one that answers `CallerFacts`, and a member here.
 * `http/plugins/authenticate.ts` finds it.
 */
export type Caller = KeyCaller;
