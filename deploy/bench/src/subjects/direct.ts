import type { Upstream } from '../harness/upstream/upstream.ts';
import { responsesDoor } from './door.ts';
import type { Subject } from './subject.ts';

/** Nothing in between: what the others add is the difference to it. What is measured is the upstream. */
export function directSubject(upstream: Upstream): Subject {
  return {
    name: 'direct',
    port: upstream.port,
    path: '/v1/responses',
    door: responsesDoor,
    model: 'echo',
    headers: {},
    pids: async () => ({ measured: [upstream.pid], others: [] }),
    stop: async () => {},
  };
}
