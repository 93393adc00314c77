export { LoadShedder, type LoadShedderOptions, type Overload } from './load-shedder.ts';
export { Refusals } from './refusals.ts';
export { type EventLoop } from './starts.ts';
