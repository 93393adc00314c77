import { deepEqual, equal } from 'node:assert/strict';
import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import type { DraftEndpoint, PrivateEndpointsCommand, ReconfigureEndpoint } from './commands.ts';
import { endpointsMax, privateEndpoints, validMsMax } from './decide.ts';
import type { PrivateEndpointDrafted, PrivateEndpointsEvent } from './events.ts';
import { creationsMax, evolve, initial } from './state.ts';

const { given } = specification(privateEndpoints);
const occurredAt = '2026-01-02T03:04:05.678Z';
const of = { accountId: 'org_1', endpointId: 'e1' };
const upstream = {
  upstreamModelId: 'ours',
  baseUrl: 'https://llm.example.com/v1',
  declaredZdr: true,
  declaredRegion: 'europe',
} as const;
const values = {
  modelPermaslug: 'acme/large-2026',
  provider: 'acme',
  providerName: 'Acme',
  ...upstream,
  pricing: { prompt: '0.000001', completion: '0.000002' },
  idempotency: null,
};
const draft = (more: Partial<DraftEndpoint> = {}): DraftEndpoint => {
  return { type: 'DraftEndpoint', ...of, ...values, occurredAt, ...more };
};
const drafted = (more: Partial<PrivateEndpointDrafted['data']> = {}): PrivateEndpointsEvent => {
  const data = { ...of, ...values, draftedAt: occurredAt, ...more };
  return { type: 'PrivateEndpointDrafted', data };
};
const reconfigure = (more: Partial<ReconfigureEndpoint> = {}): ReconfigureEndpoint => {
  const kept = { baseUrl: undefined, declaredZdr: undefined, declaredRegion: undefined };
  const base = { type: 'ReconfigureEndpoint', ...of, upstreamModelId: 'ours', ...kept } as const;
  return { ...base, occurredAt, ...more };
};
const workspaceId = 'w1';
const outcome = (more: object = {}) =>
  ({
    type: 'RecordValidation',
    ...of,
    workspaceId,
    version: 0,
    failures: [],
    credentialId: 'c1',
    secretId: 's1',
    occurredAt,
    ...more,
  }) as const;
const validated: PrivateEndpointsEvent = {
  type: 'PrivateEndpointValidated',
  data: { ...of, workspaceId, credentialId: 'c1', secretId: 's1', validatedAt: occurredAt },
};
const failures = [{ check: 'auth_ok', reason: 'upstream_error' }];
const failed: PrivateEndpointsEvent = {
  type: 'PrivateEndpointValidationFailed',
  data: { ...of, workspaceId, failures, failedAt: occurredAt },
};
const activate = (more: object = {}) =>
  ({ type: 'ActivateEndpoint', ...of, secretIds: ['s1'], occurredAt, ...more }) as const;
const simple = (type: 'EnableEndpoint' | 'DisableEndpoint') =>
  ({ type, ...of, occurredAt }) as const;
const remove = (draftOnly = false) =>
  ({ type: 'DeleteEndpoint', ...of, draftOnly, occurredAt }) as const;
const reprice = (prompt: string, completion = '0') =>
  ({ type: 'RepriceEndpoint', ...of, pricing: { prompt, completion }, occurredAt }) as const;
const changed = (
  type:
    | 'PrivateEndpointActivated'
    | 'PrivateEndpointDisabled'
    | 'PrivateEndpointEnabled'
    | 'PrivateEndpointDeleted',
) => ({ type, data: { ...of, changedAt: occurredAt } }) as const;
const activated = changed('PrivateEndpointActivated');
const disabled = changed('PrivateEndpointDisabled');
const enabled = changed('PrivateEndpointEnabled');
const deleted = changed('PrivateEndpointDeleted');
const active = [drafted(), validated, activated];
const key = { keyDigest: 'k1', bodyDigest: 'b1' };

function rejectionOf(
  command: PrivateEndpointsCommand,
  ...events: readonly PrivateEndpointsEvent[]
) {
  const decided = privateEndpoints.decide(command, events.reduce(evolve, initial));
  return 'rejected' in decided ? [decided.rejected, decided.metadata?.['reason']] : decided;
}

describe('drafting an endpoint', () => {
  test('makes a draft', () => given().when(draft()).then(drafted()));
  test('needs no address where the credential tells it', () => {
    const azure = { provider: 'azure', baseUrl: null };
    given().when(draft(azure)).then(drafted(azure));
  });
  test.each<[string, Partial<DraftEndpoint>]>([
    ['no name upstream', { upstreamModelId: ' ' }],
    ['a name with a control character', { upstreamModelId: 'a\nb' }],
    ['a name that is too long', { upstreamModelId: 'x'.repeat(513) }],
    ['no address', { baseUrl: null }],
    ['no address of Bedrock', { baseUrl: null, provider: 'amazon-bedrock' }],
    ['no address of Vertex', { baseUrl: null, provider: 'google-vertex' }],
    ['a text that is no address', { baseUrl: 'llm.example.com' }],
    ['an address of another protocol', { baseUrl: 'ftp://llm.example.com' }],
    ['an address with a query', { baseUrl: 'https://llm.example.com/v1?' }],
    ['an address with a fragment', { baseUrl: 'https://llm.example.com/#' }],
    ['an address that is too long', { baseUrl: `https://a.example/${'x'.repeat(2_048)}` }],
    ['a negative price', { pricing: { prompt: '-1', completion: '0' } }],
    ['a price in another form', { pricing: { prompt: '0', completion: '1e-6' } }],
    [
      'a price with too many places',
      { pricing: { prompt: `0.${'1'.repeat(19)}`, completion: '0' } },
    ],
  ])('with %s is refused', (_what, more) =>
    given().when(draft(more)).thenRejected('invalid_request'),
  );
  test('again with its key makes no other one, also after it was changed', () => {
    given(drafted({ idempotency: key }))
      .when(draft({ endpointId: 'e2', idempotency: key }))
      .thenNothing();
    given(drafted({ idempotency: key }), deleted)
      .when(draft({ endpointId: 'e2', idempotency: key }))
      .thenNothing();
  });
  test('with the key of another body is refused', () => {
    const other = draft({ endpointId: 'e2', idempotency: { ...key, bodyDigest: 'b2' } });
    deepEqual(rejectionOf(other, drafted({ idempotency: key })), [
      'unprocessable',
      'idempotency_key_reused',
    ]);
  });
  test('is refused when the organization has as many as it may have', () => {
    const all = Array.from({ length: endpointsMax }, (_, at) => drafted({ endpointId: `x${at}` }));
    deepEqual(rejectionOf(draft(), ...all), ['conflict', 'endpoint_limit_reached']);
    given(...all, { ...deleted, data: { ...deleted.data, endpointId: 'x0' } })
      .when(draft())
      .then(drafted());
  });
  test('forgets the oldest keys', () => {
    let state = initial;
    for (let at = 0; at <= creationsMax; at++) {
      const idempotency = { keyDigest: `k${at}`, bodyDigest: 'b' };
      state = evolve(state, drafted({ endpointId: `x${at}`, idempotency }));
      state = evolve(state, { ...deleted, data: { ...deleted.data, endpointId: `x${at}` } });
    }
    deepEqual([state.creations.size, state.endpoints.size], [creationsMax, 0]);
    equal(state.creations.has('k0'), false);
  });
});

describe('changing the upstream of a draft', () => {
  const reconfigured = (more: object) =>
    ({
      type: 'PrivateEndpointReconfigured',
      data: { ...of, ...upstream, changedAt: occurredAt, ...more },
    }) as const;
  test('to what it is changes nothing', () => given(drafted()).when(reconfigure()).thenNothing());
  test('drops its declarations', () =>
    given(drafted())
      .when(reconfigure({ upstreamModelId: 'other' }))
      .then(reconfigured({ upstreamModelId: 'other', declaredZdr: null, declaredRegion: null })));
  test('keeps declarations that are repeated, and those of the same upstream', () => {
    given(drafted())
      .when(reconfigure({ baseUrl: 'https://b.example', declaredZdr: false }))
      .then(
        reconfigured({ baseUrl: 'https://b.example', declaredZdr: false, declaredRegion: null }),
      );
    given(drafted())
      .when(reconfigure({ declaredRegion: null }))
      .then(reconfigured({ declaredRegion: null }));
  });
  test('voids its validation', () => {
    const other = reconfigured({ upstreamModelId: 'other' });
    deepEqual(rejectionOf(activate(), drafted(), validated, other), ['conflict', 'not_validated']);
  });
  test('is refused with a malformed address or name', () => {
    given(drafted())
      .when(reconfigure({ baseUrl: 'x' }))
      .thenRejected('invalid_request');
    given(drafted())
      .when(reconfigure({ upstreamModelId: '' }))
      .thenRejected('invalid_request');
  });
  test('is refused of an active and of a disabled one', () => {
    given(...active)
      .when(reconfigure())
      .thenRejected('conflict');
    given(...active, disabled)
      .when(reconfigure())
      .thenRejected('conflict');
  });
});

describe('the outcome of a validation', () => {
  test('is kept', () => {
    given(drafted()).when(outcome()).then(validated);
    given(drafted()).when(outcome({ failures })).then(failed);
  });
  test('is no news when the same failed again', () => {
    given(drafted(), failed).when(outcome({ failures })).thenNothing();
    given(drafted(), failed, validated).when(outcome({ failures })).then(failed);
  });
  test('that failed leaves an earlier one that passed', () =>
    given(drafted(), validated, failed).when(activate()).then(activated));
  test('of an earlier upstream is refused', () =>
    given(drafted())
      .when(outcome({ version: 1 }))
      .thenRejected('conflict'));
  test('of an active or disabled one is refused', () => {
    given(...active)
      .when(outcome())
      .thenRejected('conflict');
    given(...active, disabled)
      .when(outcome())
      .thenRejected('conflict');
  });
});

describe('activating', () => {
  test('takes a draft that passed', () =>
    given(drafted(), validated).when(activate()).then(activated));
  test('is refused without a validation, and after one that failed', () => {
    deepEqual(rejectionOf(activate(), drafted()), ['conflict', 'not_validated']);
    deepEqual(rejectionOf(activate(), drafted(), failed), ['conflict', 'not_validated']);
  });
  test('is refused a day later, or when the credential is another one or gone', () => {
    const at = (ms: number) => new Date(Date.parse(occurredAt) + ms).toISOString();
    const stale = ['conflict', 'validation_stale'];
    given(drafted(), validated)
      .when(activate({ occurredAt: at(validMsMax) }))
      .then({ ...activated, data: { ...activated.data, changedAt: at(validMsMax) } });
    const late = activate({ occurredAt: at(validMsMax + 1) });
    deepEqual(rejectionOf(late, drafted(), validated), stale);
    for (const secretIds of [[], ['s2']])
      deepEqual(rejectionOf(activate({ secretIds }), drafted(), validated), stale);
  });
  test('is refused of an active and of a disabled one', () => {
    given(...active)
      .when(activate())
      .thenRejected('conflict');
    given(...active, disabled)
      .when(activate())
      .thenRejected('conflict');
  });
});

describe('an active endpoint', () => {
  test('is disabled and enabled, as often as one likes', () => {
    given(...active)
      .when(simple('DisableEndpoint'))
      .then(disabled);
    given(...active, disabled)
      .when(simple('DisableEndpoint'))
      .thenNothing();
    given(...active, disabled)
      .when(simple('EnableEndpoint'))
      .then(enabled);
    given(...active)
      .when(simple('EnableEndpoint'))
      .thenNothing();
  });
  test('is deleted, unless only a draft is meant', () => {
    given(...active)
      .when(remove())
      .then(deleted);
    given(...active)
      .when(remove(true))
      .thenRejected('conflict');
    given(...active, disabled)
      .when(remove(true))
      .thenRejected('conflict');
  });
});

describe('a draft', () => {
  test('is neither enabled nor disabled', () => {
    given(drafted()).when(simple('EnableEndpoint')).thenRejected('conflict');
    given(drafted()).when(simple('DisableEndpoint')).thenRejected('conflict');
  });
  test('is deleted', () => given(drafted()).when(remove(true)).then(deleted));
});

describe('rates', () => {
  const pricing = { prompt: '1', completion: '0' };
  const repriced = {
    type: 'PrivateEndpointRepriced',
    data: { ...of, changedAt: occurredAt, pricing },
  } as const;
  test('are changed in any state', () => {
    given(drafted()).when(reprice('1')).then(repriced);
    given(...active)
      .when(reprice('1'))
      .then(repriced);
    given(...active, disabled)
      .when(reprice('1'))
      .then(repriced);
  });
  test('that it has change nothing', () =>
    given(drafted(), repriced).when(reprice('1')).thenNothing());
  test.each(['', '.1', '1.', '1e3', '-1', '+1', ' 1', '1234567', `0.${'0'.repeat(19)}`])(
    'are refused as %j',
    (prompt) => given(drafted()).when(reprice(prompt)).thenRejected('invalid_request'),
  );
});

test.each<PrivateEndpointsCommand>([
  reconfigure(),
  outcome(),
  activate(),
  simple('EnableEndpoint'),
  simple('DisableEndpoint'),
  reprice('1'),
  remove(),
])('$type of an endpoint that is none is not found', (command) => {
  given().when(command).thenRejected('not_found');
  given(drafted(), deleted).when(command).thenRejected('not_found');
});
