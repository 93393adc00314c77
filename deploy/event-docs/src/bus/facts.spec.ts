import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type BusFact, factsFrom, type ServiceSource } from './facts.ts';
import { type EventMessage, jsonForm, type MessageField } from './messages.ts';

const field = (number: number, name: string, jsonName: string): MessageField => ({
  number,
  name,
  jsonName,
  protoType: 'string',
  isRepeated: false,
  comment: '',
});
const account = (number: number) => field(number, 'account_id', 'accountId');
const message = (name: string, scope: string, comment: string, ...fields: MessageField[]) => ({
  name,
  fullName: `sluice.${scope}.v1.${name}`,
  protoFile: `protos/${scope}.proto`,
  comment,
  fields,
});

const usageId = field(1, 'usage_id', 'usageId');
const usagePart = message('UsageRecorded', 'usage', 'What one used.', usageId);
const usage = message(
  'UsageRecordedBundle',
  'usage',
  'JetStream `usage.v1.recorded.<account id>`: what was used.',
  {
    ...field(1, 'facts', 'facts'),
    protoType: 'message',
    isRepeated: true,
    itemName: usagePart.fullName,
  },
);
const creditId = field(1, 'credit_id', 'creditId');
const others = [
  message(
    'UsageCorrected',
    'usage',
    'JetStream `usage.v1.corrected.<account id>`: a correction.',
    field(1, 'correction_id', 'correctionId'),
  ),
  message(
    'CreditRecorded',
    'credit',
    'JetStream `credit.v1.recorded.<account id>`: a credit.',
    creditId,
  ),
  message(
    'GenerationFailed',
    'generation',
    'JetStream `generation.v1.failed.<account id>`: a generation failed.',
    field(1, 'generation_id', 'generationId'),
  ),
  message(
    'RequestRefused',
    'request',
    'JetStream `request.v1.refused.<account id>`: a request was refused.',
    field(1, 'refusal_id', 'refusalId'),
  ),
  message(
    'GuardrailDetected',
    'guardrail',
    'JetStream `guardrail.v1.detected.<account id>`: guardrails found content.',
    field(1, 'detection_id', 'detectionId'),
  ),
  message(
    'EntityNamed',
    'name',
    'JetStream `name.v1.named.<kind and entity>`: a name.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'KeyDeleted',
    'directory',
    'JetStream `directory.v1.key.<account id>`: a key was deleted.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'MemberDeactivated',
    'directory',
    'JetStream `directory.v1.member.<account id>`: a member was deactivated.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'WorkspaceDeleted',
    'directory',
    'JetStream `directory.v1.workspace.<account id>`: a workspace was deleted.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'WorkspaceMemberRemoved',
    'directory',
    'JetStream `directory.v1.membership.<account id>`: a member lost a workspace.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'WorkspaceChanged',
    'workspace',
    'Core NATS `changed.v1.workspace.<account id>`: a change.',
    account(1),
  ),
  message(
    'GuardrailsChanged',
    'guardrail',
    'Core NATS `changed.v1.guardrail.<account id>`: a change.',
    account(1),
  ),
  message(
    'CredentialsChanged',
    'key',
    'Core NATS `changed.v1.credential.<account id>`: a change.',
    account(1),
  ),
  message(
    'HistoryChanged',
    'key',
    'Core NATS `changed.v1.history.<number>`: a change.',
    field(1, 'history', 'history'),
  ),
  message('KeyChanged', 'key', 'Core NATS `changed.v1.key.<hash>`: a change.', account(2)),
  message(
    'SpendChanged',
    'ledger',
    'Core NATS `changed.v1.spend.<account id>`: a change.',
    account(1),
  ),
  message(
    'LimitsSet',
    'limit',
    'JetStream `limit.v1.set.<account id>`: a limit.',
    field(1, 'limit_id', 'limitId'),
  ),
  message(
    'LimitsChanged',
    'limit',
    'Core NATS `changed.v1.limit.<account id>`: a change.',
    account(1),
  ),
];
const source = (service: string, text: string): ServiceSource => ({
  service,
  file: `services/${service}/src/a.ts`,
  source: text,
});
const sources = {
  routing: `bus.publishFact(subjects.usageRecorded(fact.accountId), bundle.id, message);
    bus.publishFact(subjects.generationFailed(accountId), fact.generationId, message);
    bus.publishFact(subjects.requestRefused(accountId), fact.refusalId, message);
    bus.publishFact(subjects.guardrailDetected(accountId), fact.detectionId, message);
    bus.publishFact(subjects.entityNamed(entity), fact.factId, message);`,
  account: `const fact = { creditId: recorded.id, };
    bus.publishFact(subjects.creditRecorded(accountId), recorded.id, message);
    bus.publishFact(subjects.memberDeactivated(accountId), fact.factId, message);`,
  guardrail: `bus.publish(subjects.guardrailsChanged(accountId), message);`,
  key: `bus.publish(subjects.keyChanged(hash), message);
    bus.publish(subjects.credentialsChanged(accountId), message);
    bus.publish(subjects.historyChanged(number), message);
    bus.publishFact(subjects.limitsSet(accountId), fact.limitId, message);
    bus.publishFact(subjects.keyDeleted(accountId), fact.factId, message);`,
  workspace: `bus.publish(subjects.workspaceChanged(accountId), message);
    bus.publishFact(subjects.workspaceDeleted(accountId), fact.factId, message);
    bus.publishFact(subjects.workspaceMemberRemoved(accountId), fact.factId, message);`,
  ledger: `[{ durable: 'count', filter: subjectFilters.usageRecorded }];
    bus.publishFact(subjects.usageCorrected(accountId), one.correctionId, message);
    subjects.spendChanged(id); subjects.limitsChanged(id)`,
};

function facts(changed: {
  readonly usage?: Partial<EventMessage>;
  readonly credit?: Partial<EventMessage>;
  readonly sources?: Partial<typeof sources>;
}): readonly BusFact[] {
  const messages = [
    { ...usage, ...changed.usage },
    usagePart,
    ...others.map((one) => (one.name === 'CreditRecorded' ? { ...one, ...changed.credit } : one)),
  ];
  const texts = Object.entries({ ...sources, ...changed.sources });
  return factsFrom(
    messages,
    texts.map(([service, text]) => source(service, text)),
  );
}

describe('what is on the bus', () => {
  test('is put together from messages, subjects and the sources of the services', () => {
    const [fact] = facts({});
    equal(fact?.comment, 'What was used.');
    equal(fact.filter, 'usage.v1.recorded.>');
    equal(fact.stream?.name, 'USAGE');
    equal(fact.idField?.sentName, 'usageId');
    deepEqual(fact.publishers, [{ service: 'routing', file: 'services/routing/src/a.ts' }]);
    deepEqual(fact.consumers, [
      { service: 'ledger', file: 'services/ledger/src/a.ts', durable: 'count' },
    ]);
  });

  test('is refused when a message does not say how it is sent, or says it wrong', () => {
    throws(() => facts({ usage: { comment: 'What was used.' } }), /does not begin with/);
    throws(
      () => facts({ usage: { comment: 'JetStream `usage.v1.other.<account id>`: x' } }),
      /in subjects of @sluice\/bus .*found 0/,
    );
    throws(
      () => facts({ usage: { comment: 'Core NATS `usage.v1.recorded.<account id>`: x' } }),
      /it says Core NATS/,
    );
  });

  test('is refused when a subject has no message', () => {
    throws(() => factsFrom([], []), /: usageRecorded, usageCorrected, generationFailed, /);
  });

  test('is refused without an example, or with one that leaves a field out', () => {
    throws(() => facts({ usage: { fullName: 'sluice.usage.v1.Other' } }), /no example/);
    const fields = [creditId, field(2, 'new_one', 'newOne')];
    throws(() => facts({ credit: { fields } }), /new_one in its example/);
  });

  test('is refused when nobody publishes it, or under another id than its first field', () => {
    throws(() => facts({ sources: { routing: '' } }), /no service publishes it/);
    throws(
      () =>
        facts({ sources: { account: sources.account.replace('), recorded.id', '), ids.next') } }),
      /is creditRecorded published under its creditId\?/,
    );
    throws(() => facts({ credit: { fields: [{ ...creditId, number: 2 }] } }), /field 1 is no id/);
  });

  test('may be a list of facts, each with an id of its own', () => {
    const [fact, ...rest] = facts({});
    deepEqual([fact?.message, fact?.part?.message], [usage, usagePart]);
    deepEqual(
      fact?.part?.fields.map(({ sentName }) => sentName),
      ['usageId'],
    );
    equal(rest.length, others.length);
  });

  test('is refused when a consumer of a stream has no durable name', () => {
    const ledger = 'subjects.spendChanged(id); consume(subjectFilters.usageRecorded)';
    throws(() => facts({ sources: { ledger } }), /\{durable, filter\} of usageRecorded/);
  });
});

describe('a field in JSON', () => {
  test('has 64 bits in decimal digits', () => {
    const { schema } = jsonForm({ name: 'a', protoType: 'int64', isRepeated: false });
    const pattern = /^(0|-?[1-9][0-9]*)$/;
    deepEqual(schema, { type: 'string', pattern: pattern.source });
    deepEqual(
      ['0', '-12', '9007199254740993', '', '01', '-0', '1.5'].map((text) => pattern.test(text)),
      [true, true, true, false, false, false, false],
    );
  });

  test('is refused when its type has not been thought of', () => {
    throws(
      () => jsonForm({ name: 'at', protoType: 'float', isRepeated: false }),
      /at: how is a float written in JSON\?/,
    );
  });
});
