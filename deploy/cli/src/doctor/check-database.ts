import { Fault } from '@sluice/errors';
import { analyticsSchema } from '@sluice/analytics/schema';
import { observerSchema } from '@sluice/observer/schema';
import { ledgerSchema } from '@sluice/ledger/schema';
import {
  type DatabaseExamination,
  examineDatabase,
  examineMigrations,
  type MigrationStanding,
} from '@sluice/read-model';
import { services } from '../projections/known.ts';
import { clockFinding } from './clock.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

/** PostgreSQL: reached, fit for the ledger, its clock, and the migrations of each schema. */
export async function checkDatabase({ postgres }: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(postgres))
    return [
      wrong('postgres', postgres.unknown, 'set it to postgres://user:password@host:port/database'),
    ];
  const url = postgres.reveal();
  try {
    const found = await examineDatabase(url);
    const schemas = [...services, ledgerSchema, analyticsSchema, observerSchema];
    const standings = await Promise.all(schemas.map((schema) => examineMigrations(url, schema)));
    return [
      serverFinding(url, found),
      ...setupFindings(found),
      ...standings.map(migrationFinding),
      clockFinding('postgres: clock', found.clockAheadMs),
    ];
  } catch (error) {
    return [failure(url, error)];
  }
}

function serverFinding(url: string, found: DatabaseExamination): Finding {
  const { version, user, hasTls, isStandby, commitsAreDurable } = found;
  const place = placeOf(url);
  if (isStandby)
    return wrong(
      'postgres',
      `The server at ${place} is a standby and takes no writes`,
      'name the primary in SLUICE_POSTGRES_URL',
    );
  if (!commitsAreDurable)
    return wrong(
      'postgres',
      'synchronous_commit is off: a power cut would lose counted usage',
      'set synchronous_commit = on for the server, the database and the user',
    );
  return fine(
    'postgres',
    `PostgreSQL ${version} answers at ${place}, user ${user}, ${hasTls ? 'TLS' : 'no TLS'}`,
  );
}

function setupFindings(found: DatabaseExamination): readonly Finding[] {
  const { missing, user } = found;
  return [
    missing
      ? wrong(
          'postgres: rights',
          capitalized(missing.reason),
          'have an administrator of PostgreSQL run what sluice doctor --sql prints',
        )
      : fine('postgres: rights', `The user ${user} may make what the services need, or has it`),
    sessionFinding(found),
  ];
}

const withoutPooler = 'name PostgreSQL itself in SLUICE_POSTGRES_URL';

function sessionFinding({ sharesSessions, keepsSettings }: DatabaseExamination): Finding {
  const check = 'postgres: sessions';
  if (sharesSessions)
    return wrong(
      check,
      'A pooler shares sessions between clients (transaction mode): locks guard nothing',
      withoutPooler,
    );
  if (!keepsSettings)
    return wrong(check, 'A pooler drops the settings of a connection (options)', withoutPooler);
  return fine(check, 'Each connection has a session of its own');
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function migrationFinding(standing: MigrationStanding): Finding {
  const { schema, exists, applied, known, changed } = standing;
  const check = `migrations: ${schema}`;
  if (!exists) return fine(check, 'Not there yet: the first start of the service makes them');
  if (changed !== undefined)
    return wrong(
      check,
      `${changed} is not the file that was applied`,
      'install the version of Sluice that the services run, unchanged',
    );
  if (applied < known)
    return wrong(
      check,
      `The schema is behind: ${applied} of ${known} migrations are applied`,
      `start this version of the ${schema} service; it migrates when it starts`,
    );
  if (applied > known)
    return wrong(
      check,
      `The schema is ahead: ${applied} migrations are applied, this version knows ${known}`,
      'run the version of Sluice that the services run; migrations do not go back',
    );
  return fine(check, `${applied} of ${known} migrations are applied`);
}

function failure(url: string, error: unknown): Finding {
  const { code, message, place } = causeOf(url, error);
  const refused = [
    `The server at ${place} refuses the user or its password (${message})`,
    'mend the user and the password in SLUICE_POSTGRES_URL',
  ] as const;
  const unknownHost = [
    `The host of ${place} is not known (${code})`,
    'mend the host in SLUICE_POSTGRES_URL, or the name service',
  ] as const;
  const causes: Readonly<Record<string, readonly [detail: string, todo: string]>> = {
    '28P01': refused,
    '28000': refused,
    '08P01': [
      `A pooler at ${place} refuses the settings of a connection (${message})`,
      withoutPooler,
    ],
    '3D000': [message, 'create the database, or mend its name in SLUICE_POSTGRES_URL'],
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const [detail, todo] = causes[code] ?? [
    `PostgreSQL cannot be used at ${place} (${message})`,
    'see that it runs there, and that a firewall lets this machine through',
  ];
  return wrong('postgres', detail, todo);
}

function causeOf(url: string, error: unknown) {
  const cause = error instanceof Fault ? error.cause : error;
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: string };
  const text = typeof code === 'string' ? code : '';
  return { code: text, message: message || text || 'no answer', place: placeOf(url) };
}

function placeOf(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {};
  return `${host}${pathname}`;
}
