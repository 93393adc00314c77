export { eventually, type Patience, until } from './eventually.ts';
export { type Stalls, watchStalls } from './stalls.ts';
