import { type JsonObject, type Problem, problemsOf } from '@sluice/client-schemas';
import type { PresetDoor } from '@sluice/client-schemas/presets';
import { isRejection, type Rejection } from '@sluice/errors';
import type { JsonPlace, JsonShape } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { UsedPreset } from '../../request/named-models.ts';
import { applyPreset, namesPreset, placeOf } from './apply-preset.ts';
import { Issues } from './issues.ts';
import { keepLongNumbers, readJsonBody, scanNow } from './json-body.ts';
import { issuesMax } from './limits.ts';

/** Returns true if the schema accepts these fields of a body. */
export type IsFine<Body> = (...names: readonly (keyof Body)[]) => boolean;

/** The rules for the bodies of one dialect. */
export interface BodyRules<Body, Call> {
  readonly schema: Parameters<typeof problemsOf>[0];
  readonly isBody: (value: unknown) => value is Body;
  /** The objects that pass to the model or from it, such as schemas. Their numbers pass as they are written. */
  readonly exact: readonly JsonPlace[];
  /** Adds what the schema cannot express. Reads only fields that are fine. */
  readonly check: (body: Body, issues: Issues, isFine: IsFine<Body>) => void;
  /** Reads a body without issues, with the defaults of its caller. */
  readonly read: (body: Body, defaults: RequestDefaults) => Call;
  /** The words in which a preset has its fields here. */
  readonly door: PresetDoor;
  readonly defaults: RequestDefaults;
}

/**
 * Parses the body of a request. Returns the call, or the reason why the body is invalid, with up to 20 problems.
 * `scanned` has the counts that `scanBody` made of a large body.
 */
export function parseBody<Body, Call>(
  bytes: Uint8Array,
  scanned: JsonShape | undefined,
  rules: BodyRules<Body, Call>,
): Call | Rejection {
  const shape = scanned ?? scanNow(bytes);
  const issues = new Issues();
  const object = readJsonBody(bytes, issues, shape);
  if (!object) return rejectionOf(issues);
  // The numbers of the request lie in objects that a merged body has, too.
  const keep = () => keepLongNumbers(object, bytes, { shape, places: rules.exact });
  if (!namesPreset(object)) return parseObject(object, rules, { issues, keep });
  const merged = applyPreset(object, rules.door, rules.defaults);
  if (isRejection(merged)) return merged;
  const places = new Issues((path) => placeOf(path, object, merged));
  return parseObject(merged.body, rules, { issues: places, keep, preset: merged.preset });
}

interface Parsing {
  readonly issues: Issues;
  readonly keep: () => void;
  readonly preset?: UsedPreset;
}

function parseObject<Body, Call>(
  object: JsonObject,
  { schema, isBody, check, read, defaults }: BodyRules<Body, Call>,
  { issues, keep, preset }: Parsing,
): Call | Rejection {
  if (isBody(object)) {
    check(object, issues, () => true);
    if (issues.count > 0) return rejectionOf(issues);
    keep();
    return read(object, preset ? { ...defaults, usedPreset: preset } : defaults);
  }
  const problems = problemsOf(schema, object, { max: issuesMax });
  if (problems.length === 0) throw new Error('invariant: a body that is wrong has a problem');
  issues.addAll(problems);
  // The checks skip fields that violate the schema. A full list does not name all of them.
  if (problems.length < issuesMax) check(object as Body, issues, fineFields<Body>(problems));
  return rejectionOf(issues);
}

function fineFields<Body>(problems: readonly Problem[]): IsFine<Body> {
  const wrong = new Set(problems.map(({ path }) => /^[^.[]*/.exec(path)?.[0]));
  return (...names) => names.every((name) => !wrong.has(String(name)));
}

function rejectionOf(issues: Issues): Rejection {
  const rejection = issues.rejection();
  if (!rejection) throw new Error('invariant: a body that is no request has an issue');
  return rejection;
}
