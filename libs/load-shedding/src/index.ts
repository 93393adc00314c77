export {
  LoadShedder,
  type LoadShedderOptions,
  type EventLoop,
  type Overload,
} from './load-shedder.ts';
export { Refusals } from './refusals.ts';
