export {
  createWorkerPool,
  type JobFailure,
  type Outcome,
  type PoolJob,
  type PoolOptions,
  type WorkerPool,
} from './worker-pool.ts';
