import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { Repository } from '../repository.ts';
import { type BusFact, busFacts, factsFrom } from './facts.ts';
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
  'JetStream `usage.v1.recorded.<account id>` from routing to ledger (count), key (note-uses): what was used.',
  {
    ...field(1, 'facts', 'facts'),
    protoType: 'message',
    isRepeated: true,
    itemName: usagePart.fullName,
  },
);
const endPart = message(
  'GenerationEnded',
  'generation',
  'The end of a response.',
  field(1, 'generation_id', 'generationId'),
);
const creditId = field(1, 'credit_id', 'creditId');
const others = [
  message(
    'UsageCorrected',
    'usage',
    'JetStream `usage.v1.corrected.<account id>` from routing to none: a correction.',
    field(1, 'correction_id', 'correctionId'),
  ),
  message(
    'CreditRecorded',
    'credit',
    'JetStream `credit.v1.recorded.<account id>` from routing to none: a credit.',
    creditId,
  ),
  message(
    'GenerationFailed',
    'generation',
    'JetStream `generation.v1.failed.<account id>` from routing to none: a generation failed.',
    field(1, 'generation_id', 'generationId'),
  ),
  endPart,
  message(
    'GenerationEndedBundle',
    'generation',
    'JetStream `ended.v1.generation.<account id>` from routing to none: responses ended.',
    {
      ...field(1, 'ends', 'ends'),
      protoType: 'message',
      isRepeated: true,
      itemName: endPart.fullName,
    },
  ),
  message(
    'GenerationContents',
    'generation',
    'JetStream `content.v1.logged.<account id>` from routing to none: contents are stored.',
    field(1, 'generation_id', 'generationId'),
  ),
  message(
    'RequestRefused',
    'request',
    'JetStream `request.v1.refused.<account id>` from routing to none: a request was refused.',
    field(1, 'refusal_id', 'refusalId'),
  ),
  message(
    'GuardrailDetected',
    'guardrail',
    'JetStream `guardrail.v1.detected.<account id>` from routing to none: guardrails found content.',
    field(1, 'detection_id', 'detectionId'),
  ),
  message(
    'EntityNamed',
    'name',
    'JetStream `name.v1.named.<kind and entity>` from routing to none: a name.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'KeyDeleted',
    'directory',
    'JetStream `directory.v1.key.<account id>` from routing to none: a key was deleted.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'MemberDeactivated',
    'directory',
    'JetStream `directory.v1.member.<account id>` from routing to none: a member was deactivated.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'WorkspaceDeleted',
    'directory',
    'JetStream `directory.v1.workspace.<account id>` from routing to none: a workspace was deleted.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'WorkspaceMemberRemoved',
    'directory',
    'JetStream `directory.v1.membership.<account id>` from routing to none: a member lost a workspace.',
    field(1, 'fact_id', 'factId'),
  ),
  message(
    'WorkspaceChanged',
    'workspace',
    'Core NATS `changed.v1.workspace.<account id>` from key to gateway: a change.',
    account(1),
  ),
  message(
    'DestinationsChanged',
    'workspace',
    'Core NATS `changed.v1.destination.<account id>` from key to gateway: a change.',
    account(1),
  ),
  message(
    'GuardrailsChanged',
    'guardrail',
    'Core NATS `changed.v1.guardrail.<account id>` from key to gateway: a change.',
    account(1),
  ),
  message(
    'CredentialsChanged',
    'key',
    'Core NATS `changed.v1.credential.<account id>` from key to gateway: a change.',
    account(1),
  ),
  message(
    'PrivateEndpointsChanged',
    'account',
    'Core NATS `changed.v1.endpoint.<account id>` from key to gateway: a change.',
    account(1),
  ),
  message(
    'HistoryChanged',
    'key',
    'Core NATS `changed.v1.history.<number>` from key to gateway: a change.',
    field(1, 'history', 'history'),
  ),
  message(
    'KeyChanged',
    'key',
    'Core NATS `changed.v1.key.<hash>` from key to gateway: a change.',
    account(2),
  ),
  message(
    'SpendChanged',
    'ledger',
    'Core NATS `changed.v1.spend.<account id>` from key to gateway: a change.',
    account(1),
  ),
  message(
    'LimitsSet',
    'limit',
    'JetStream `limit.v1.set.<account id>` from routing to none: a limit.',
    field(1, 'limit_id', 'limitId'),
  ),
  message(
    'LimitsChanged',
    'limit',
    'Core NATS `changed.v1.limit.<account id>` from key to gateway: a change.',
    account(1),
  ),
];

function facts(changed: {
  readonly usage?: Partial<EventMessage>;
  readonly credit?: Partial<EventMessage>;
}): readonly BusFact[] {
  const messages = [
    { ...usage, ...changed.usage },
    usagePart,
    ...others.map((one) => (one.name === 'CreditRecorded' ? { ...one, ...changed.credit } : one)),
  ];
  return factsFrom(messages);
}

describe('what is on the bus', () => {
  test('is put together from messages and subjects', () => {
    const [fact] = facts({});
    equal(fact?.comment, 'What was used.');
    equal(fact.filter, 'usage.v1.recorded.>');
    equal(fact.stream?.name, 'USAGE');
    equal(fact.idField?.sentName, 'usageId');
    deepEqual(fact.publishers, [{ service: 'routing' }]);
    deepEqual(fact.consumers, [
      { service: 'ledger', durable: 'count' },
      { service: 'key', durable: 'note-uses' },
    ]);
  });

  test('is refused when a message does not say how it is sent, or says it wrong', () => {
    throws(() => facts({ usage: { comment: 'What was used.' } }), /does not begin with/);
    throws(
      () =>
        facts({
          usage: { comment: 'JetStream `usage.v1.other.<account id>` from routing to none: x' },
        }),
      /in subjects of @sluice\/bus .*found 0/,
    );
    throws(
      () =>
        facts({
          usage: { comment: 'Core NATS `usage.v1.recorded.<account id>` from key to gateway: x' },
        }),
      /it says Core NATS/,
    );
  });

  test('is refused when a subject has no message', () => {
    throws(() => factsFrom([]), /: usageRecorded, usageCorrected, generationFailed, /);
  });

  test('is refused without an example, or with one that leaves a field out', () => {
    throws(() => facts({ usage: { fullName: 'sluice.usage.v1.Other' } }), /no example/);
    const fields = [creditId, field(2, 'new_one', 'newOne')];
    throws(() => facts({ credit: { fields } }), /new_one in its example/);
  });

  test('is refused when its first field is no id', () => {
    throws(() => facts({ credit: { fields: [{ ...creditId, number: 2 }] } }), /field 1 is no id/);
  });

  test('may be a list of facts, each with an id of its own', () => {
    const [fact, ...rest] = facts({});
    deepEqual([fact?.message, fact?.part?.message], [usage, usagePart]);
    deepEqual(
      fact?.part?.fields.map(({ sentName }) => sentName),
      ['usageId'],
    );
    equal(rest.length, others.filter((one) => one !== endPart).length);
  });

  test('is refused when a consumer of a stream has no durable name, or another one has', () => {
    for (const comment of [
      'JetStream `usage.v1.recorded.<account id>` from routing to ledger: x',
      'JetStream `usage.v1.recorded.<account id>` from routing to ledger (count), key: x',
    ])
      throws(() => facts({ usage: { comment } }), /only the consumers of a stream/);
  });
});

describe('the services of a message', () => {
  const root = join(import.meta.dirname, '../../../..');
  const repository = new Repository(root);
  const services = repository.names('services');
  const textsOf = (service: string) =>
    repository.sources(`services/${service}/src`).map((file) => repository.text(file));
  const texts = new Map(services.map((service) => [service, textsOf(service)]));
  const matches = (service: string, pattern: RegExp) =>
    (texts.get(service) ?? []).flatMap((text) => [...text.matchAll(pattern)]);

  test('are those whose sources name its subject, with the durable names there', async () => {
    for (const { name, publishers, consumers } of await busFacts(root)) {
      const publishes = new RegExp(`\\bsubjects\\.${name}\\b`, 'g');
      const found = services.filter((service) => matches(service, publishes).length > 0);
      deepEqual(
        publishers,
        found.map((service) => ({ service })),
        name,
      );
      const consumes = new RegExp(
        `(?:durable: '([\\w-]+)',\\s*filter: )?\\bsubjectFilters\\.${name}\\b`,
        'g',
      );
      const places = services.flatMap((service) =>
        matches(service, consumes).map(([, durable]) => `${service} ${durable ?? ''}`),
      );
      deepEqual(
        new Set(consumers.map(({ service, durable = '' }) => `${service} ${durable}`)),
        new Set(places),
        name,
      );
    }
  });

  test('publish it under the id that it has inside', async () => {
    for (const { name, publishers, idField, part } of await busFacts(root)) {
      if (!idField || part) continue;
      const { jsonName } = idField;
      const call = new RegExp(
        `publishFact\\(\\s*subjects\\.${name}\\([^)]*\\),\\s*([\\w.]+),`,
        'g',
      );
      for (const { service } of publishers) {
        const calls = (texts.get(service) ?? []).flatMap((text) =>
          [...text.matchAll(call)].map(([, id = '']) => ({ text, id })),
        );
        ok(calls.length > 0, `${service}: ${name}`);
        for (const { text, id } of calls)
          ok(
            `.${id}`.endsWith(`.${jsonName}`) || text.includes(`${jsonName}: ${id},`),
            `${service}: ${id}`,
          );
      }
    }
  });
});

describe('a field in JSON', () => {
  test('has 64 bits in decimal digits', () => {
    const schema = jsonForm({ name: 'a', protoType: 'int64', isRepeated: false });
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
