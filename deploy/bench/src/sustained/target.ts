import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';

const shape = { bodyBytes: 200, isStreaming: false };
const connections = 128;

/** Returns the request of the bench to a subject. */
export async function targetOf(subject: Subject) {
  const expectation = await probe(subject, shape, plainBehaviour.deltas);
  return { port: subject.port, request: requestOf(subject, shape), expectation, connections };
}
