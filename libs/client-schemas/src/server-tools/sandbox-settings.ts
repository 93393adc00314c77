import { type Static, Type } from 'typebox';
import { field, formed, integer, kind, listOf, oneOf, optional } from '../fields.ts';

const filesMax = 20;
const domainsMax = 50;
const sleepSecondsMax = 2_592_000;

const hostPattern = String.raw`^(?:[A-Za-z0-9*_-]{1,63}\.)*[A-Za-z0-9*_-]{1,63}$`;

const fileId = formed(
  '^svc_file_[0-9a-f]{32}$',
  'the id of a file of the workspace',
  'svc_file_2a1fd2b66a554f0b9d4e5a3a1f6b7c8d',
);

const networkPolicy = Type.Union([
  Type.Object({ type: kind('disabled') }),
  Type.Object({
    type: kind('allowlist'),
    allowed_domains: field(
      listOf(formed(hostPattern, 'a host name or a glob', '*.example.com'), {
        min: 1,
        max: domainsMax,
      }),
      'Hosts that commands may reach. A * stands for any characters.',
    ),
  }),
]);

const environmentFields = {
  file_ids: optional(
    listOf(fileId, { max: filesMax }),
    'Files of the workspace that are copied into the home directory.',
  ),
  network_policy: optional(networkPolicy, 'The network of the container. None if absent.'),
};

const environment = Type.Union([
  Type.Object({ type: kind('container_auto'), ...environmentFields }),
  Type.Object({
    type: kind('container_reference'),
    container_id: field(
      formed('^[A-Za-z0-9_-]{1,40}$', '1 to 40 of A-Z, a-z, 0-9, _ and -', 'my-project'),
      'The name of a container of the workspace. It is made at its first use.',
    ),
    ...environmentFields,
  }),
]);

/** Returns the settings of a tool that runs commands in a container. */
export const sandboxSettings = <const Engines extends string[]>(...engines: Engines) =>
  Type.Object({
    engine: optional(oneOf(...engines), 'The place where commands run.', engines[0]),
    environment: optional(environment, 'The container. One of its own if absent.'),
    sleep_after_seconds: optional(
      integer(1, sleepSecondsMax),
      'Seconds that the container stays warm after a command.',
      900,
    ),
  });

export type SandboxSettings = Static<
  ReturnType<typeof sandboxSettings<['auto', 'native', 'service']>>
>;
