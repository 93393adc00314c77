export {
  LoadShedder,
  type LoadShedderOptions,
  type EventLoop,
  type Overload,
} from './load-shedder.ts';
