import {
  type Check,
  formed,
  integer,
  kindOf,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  text,
} from './shape.ts';

const filesMax = 20;
const allowedDomainsMax = 50;
const sleepSecondsMax = 2_592_000;

const surroundings: Shape = {
  file_ids: listOf(text({ min: 1 }), { max: filesMax }),
  network_policy: kindOf({
    disabled: {},
    allowlist: { 'allowed_domains*': listOf(text({ min: 1 }), { max: allowedDomainsMax }) },
  }),
};

const environment = kindOf({
  container_auto: surroundings,
  container_reference: {
    ...surroundings,
    'container_id*': formed(
      /^[A-Za-z0-9_-]{1,40}$/,
      'must be 1 to 40 of the characters A-Z a-z 0-9 _ -',
    ),
  },
});

const sandbox = (...engines: readonly string[]): Check =>
  objectOf({
    parameters: objectOf({
      engine: oneOf(...engines),
      environment,
      sleep_after_seconds: integer(1, sleepSecondsMax),
    }),
  });

/** Tools that run commands, or say how files are changed. */
export const sandboxTools: readonly (readonly [type: string, check: Check])[] = [
  ['service:bash', sandbox('auto', 'native', 'service')],
  ['service:shell', sandbox('auto', 'service')],
  [
    'service:apply_patch',
    objectOf({ parameters: objectOf({ engine: oneOf('auto', 'native', 'service') }) }),
  ],
];
