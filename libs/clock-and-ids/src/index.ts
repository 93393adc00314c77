export { answerWithin } from './answer-within.ts';
export { steadyMsOf, systemClock, type Clock } from './clock.ts';
export { isKeyHash, isPlainId, isUuid } from './id-forms.ts';
export { derivedId, eventId, systemIds, type Ids } from './ids.ts';
export { retryPause } from './retry-pause.ts';
