export { BrokenRule } from './checked-stream/broken-rule.ts';
export { streamRules, type StreamRule } from './response-stream/rules.ts';
export type { StreamEvent } from './response-stream/event-shapes.ts';
export { EventChecker, type StreamExpectation } from './response-stream/event-checker.ts';
export { checkedBody, readStream } from './response-stream/checked-body.ts';
export { checkedFetch } from './response-stream/checked-fetch.ts';
