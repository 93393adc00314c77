import { equal, match, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describe, inject, onTestFinished, test } from 'vitest';
import { connectBus } from './connect-bus.ts';
import {
  creditStream,
  failureStream,
  guardrailStream,
  nameStream,
  subjects,
  usageStream,
} from './subjects.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {} };
const denied = /permissions violation|timeout/i;

/** Asks for the first message of a subject from a place on; the client knows it, its types do not. */
const firstFrom = (seq: number, subject: string) => ({ seq, next_by_subj: subject });

async function fixture() {
  const url = inject('natsUrl');
  const bus = await connectBus({ url, token: inject('natsToken'), name: 'spec', logger });
  onTestFinished(() => bus.stop());
  for (const stream of [usageStream, failureStream, guardrailStream, nameStream, creditStream])
    await bus.ensureStream(stream);
  const connection = await connect({
    servers: url,
    user: 'reader',
    pass: inject('natsReaderPassword'),
    inboxPrefix: '_INBOX_reader',
  });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2_000 });
  return { bus, connection, manager, accountId: `spec_${randomUUID()}` };
}

describe('the user for consumers', () => {
  test('reads facts of each stream that others may read, by their place', async () => {
    const { bus, manager, accountId } = await fixture();
    for (const [stream, subject] of [
      [usageStream, subjects.usageRecorded(accountId)],
      [failureStream, subjects.generationFailed(accountId)],
      [failureStream, subjects.requestRefused(accountId)],
      [guardrailStream, subjects.guardrailDetected(accountId)],
      [nameStream, subjects.entityNamed(`key_${accountId}`)],
      [creditStream, subjects.creditRecorded(accountId)],
    ] as const) {
      const { sequence } = await bus.publishFact(subject, randomUUID(), { is: subject });
      const found = await manager.streams.getMessage(stream.name, firstFrom(1, subject));
      equal(found?.seq, sequence);
      equal(found.json<{ is: string }>().is, subject);
    }
  });

  test('publishes nothing', async () => {
    const { bus, connection, manager, accountId } = await fixture();
    const subject = subjects.usageRecorded(accountId);
    const { sequence } = await bus.publishFact(subject, randomUUID(), {});
    connection.publish(subject, '{}');
    await connection.flush();
    const next = firstFrom(sequence + 1, subject);
    equal(await manager.streams.getMessage(usageStream.name, next), null);
  });

  test('makes, changes, pulls from and removes no consumer, and no stream', async () => {
    const { connection, manager } = await fixture();
    const { name } = usageStream;
    await rejects(manager.consumers.add(name, { durable_name: 'mine' }), denied);
    await rejects(manager.consumers.info(name, 'ledger-count-usage'), denied);
    await rejects(manager.consumers.delete(name, 'ledger-count-usage'), denied);
    await rejects(manager.streams.purge(name), denied);
    await rejects(manager.streams.delete(name), denied);
    const pull = `$JS.API.CONSUMER.MSG.NEXT.${name}.ledger-count-usage`;
    await rejects(connection.request(pull, '', { timeout: 500 }), denied);
  });

  test.each(['>', '_INBOX.>', 'changed.v1.>', 'directory.v1.>', '$JS.>'])(
    'does not listen to %s',
    async (subject) => {
      const { connection } = await fixture();
      const refused = Promise.withResolvers<string>();
      connection.subscribe(subject, {
        callback: (error) => refused.resolve(error ? error.message : 'a message'),
      });
      match(await refused.promise, denied);
    },
  );
});
