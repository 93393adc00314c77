import type { ReachedHost, StoreExamination } from '@sluice/eventstore';
import { type Finding, fine, wrong } from './finding.ts';

const dayMs = 86_400_000;
const renewDays = 30;

/** Each host of the connection string: its name, its port, TLS, and its certificate. */
export function checkHosts(found: StoreExamination): readonly Finding[] {
  return found.hosts.map((host) => hostFinding(host, found));
}

export function placeOf({ host, port }: Pick<ReachedHost, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

function hostFinding(host: ReachedHost, { tls, caFile }: StoreExamination): Finding {
  if (host.problem === undefined) return reachedFinding(host, { tls, caFile });
  const [place, code] = [placeOf(host), host.code];
  const silent = [
    `Nothing answers at ${place} (${code})`,
    'start EventStoreDB there, or mend the host and port in SLUICE_EVENTSTORE_URL',
  ] as const;
  const problems = {
    unknown_name: [
      `The host of ${place} is not known (${code})`,
      'mend the host in SLUICE_EVENTSTORE_URL, or the name service',
    ],
    refused: silent,
    silent,
    failed: silent,
    untrusted: [
      `The certificate of ${place} is not signed by ${caFile ?? 'the authorities of Node.js'} (${code})`,
      'name the authority that signed it with tlsCAFile in SLUICE_EVENTSTORE_URL',
    ],
    other_name: [
      `The certificate of ${place} is for another name`,
      'name the host as its certificate does, or add the name to the certificate',
    ],
    expired: [`The certificate of ${place} is not valid now`, 'renew it, and look at the clocks'],
    no_tls: [
      `The server at ${place} speaks no TLS (${code})`,
      'let EventStoreDB run with certificates; without them it takes no password',
    ],
  } as const;
  const [detail, todo] = problems[host.problem];
  return wrong('event store', detail, todo);
}

function reachedFinding(
  host: ReachedHost,
  { tls, caFile }: Pick<StoreExamination, 'tls' | 'caFile'>,
): Finding {
  const check = 'event store';
  const place = placeOf(host);
  if (!tls)
    return fine(
      check,
      `${place} is reached without TLS: no password is sent and none is asked for`,
    );
  const { validUntil } = host;
  const until = validUntil?.toISOString().slice(0, 10) ?? 'an unknown day';
  if (validUntil && validUntil.getTime() - Date.now() < renewDays * dayMs)
    return wrong(check, `The certificate of ${place} ends on ${until}`, 'renew it before that day');
  const authority = caFile === undefined ? '' : `, authority ${caFile}`;
  return fine(check, `${place} is reached with TLS${authority}, certificate valid until ${until}`);
}
