import { type BusExamination, examineBus } from '@sluice/bus';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

/** NATS: reached, JetStream with the right to make streams, and data on disk before it is acknowledged. */
export async function checkNats({ nats }: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(nats)) return [wrong('nats', nats.unknown, 'set it to nats://host:port')];
  const { url, token, monitorUrl } = nats;
  const found = await examineBus({ url, token: token?.reveal(), monitorUrl });
  const reached = reachedFinding(url, found);
  if (found.reached !== 'yes') return [reached];
  return [reached, streamsFinding(found), durabilityFinding(found)];
}

function reachedFinding(url: string, { reached, reason, version }: BusExamination): Finding {
  const place = withoutUser(url);
  switch (reached) {
    case 'yes':
      return fine('nats', `nats-server ${version ?? ''} answers at ${place}`);
    case 'refused':
      return wrong(
        'nats',
        `The broker at ${place} refuses the credentials`,
        'set SLUICE_NATS_TOKEN to the password of its user sluice, or to its token',
      );
    case 'away':
      return wrong(
        'nats',
        `No broker answers at ${place} (${reason ?? ''})`,
        'see that nats-server runs there, and that SLUICE_NATS_URL names its host and port',
      );
  }
}

function streamsFinding({ streams = 'failed', streamsReason: why }: BusExamination): Finding {
  const check = 'nats: JetStream';
  if (streams === 'usable') return fine(check, 'A stream was made, written and removed');
  const problems = {
    no_jetstream: [
      'JetStream is off',
      'add jetstream { store_dir: …, sync_interval: always } to the configuration of nats-server',
    ],
    no_right: [
      `The user may not make or write streams (${why ?? ''})`,
      'give the user of the services permission to publish and subscribe on ">"',
    ],
    failed: [
      `A stream could not be made and written (${why ?? 'no answer'})`,
      'look at the log and the disk of nats-server',
    ],
  } as const;
  const [detail, todo] = problems[streams];
  return wrong(check, detail, todo);
}

function durabilityFinding({ durability }: BusExamination): Finding {
  const check = 'nats: durability';
  switch (durability) {
    case 'durable':
      return fine(check, 'Each write is on disk before it is acknowledged');
    case 'unknown':
      return fine(check, 'Not checked: SLUICE_NATS_MONITOR_URL is not set');
    case 'unasked':
      return wrong(
        check,
        'The monitoring address does not answer',
        'set SLUICE_NATS_MONITOR_URL to http://host:8222, or leave it out',
      );
    case 'not_durable':
      return wrong(
        check,
        'The broker acknowledges before its data is on disk',
        'set jetstream { sync_interval: always }',
      );
  }
}

/** An address without a user and a password. */
function withoutUser(url: string): string {
  return url.replaceAll(/\/\/[^@/,]*@/g, '//');
}
