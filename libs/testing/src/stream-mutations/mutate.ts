import type { Event, Match, Mutation } from './mutation.ts';

/**
 * Returns the stream with one event changed as the mutation says. `pick` chooses among the events that may be.
 * Returns undefined if the stream has none of these.
 */
export function mutate(
  events: readonly Event[],
  mutation: Mutation,
  pick: number,
): readonly Event[] | undefined {
  const { when, unless } = mutation;
  if (when && !events.some((event) => matches(event, when))) return undefined;
  if (unless && events.some((event) => matches(event, unless))) return undefined;
  const places = events.flatMap((event, place) => (matches(event, mutation.at) ? [place] : []));
  const chosen = new Set(mutation.pick === 'all' ? places : placeOf(places, mutation, pick));
  if (chosen.size === 0) return undefined;
  const changed = events.flatMap((event, place) =>
    chosen.has(place) ? changedEvent(event, mutation) : [event],
  );
  const [place = 0] = chosen;
  const copied = mutation.copyBehind ? copyBehind(changed, place, mutation.copyBehind) : changed;
  return copied && !mutation.keepsNumbers ? renumbered(copied) : copied;
}

function placeOf(places: readonly number[], { pick: which }: Mutation, pick: number) {
  return places.slice(which === 'last' ? -1 : pick % Math.max(places.length, 1)).slice(0, 1);
}

function changedEvent(event: Event, mutation: Mutation): readonly Event[] {
  const { drop, repeat, replace, before, after } = mutation;
  if (drop) return [];
  const changed = structuredClone(replace ? filled(replace, event) : event) as Record<
    string,
    unknown
  >;
  for (const [path, value] of Object.entries(mutation.set ?? {}))
    change(changed, path, () => value);
  for (const [path, more] of Object.entries(mutation.add ?? {}))
    change(changed, path, (value) => Number(value) + more);
  for (const path of mutation.extend ?? [])
    if (typeof valueAt(changed, path) === 'string')
      change(changed, path, (text) => `${String(text)}!`);
  for (const path of mutation.remove ?? []) change(changed, path, () => undefined);
  return [
    ...(repeat ? [event] : []),
    ...(before ? [filled(before, event)] : []),
    changed,
    ...(after ? [filled(after, event)] : []),
  ];
}

/** Returns undefined if no event behind the place matches. */
function copyBehind(
  events: readonly Event[],
  place: number,
  match: Match,
): readonly Event[] | undefined {
  const event = events[place] ?? {};
  const wanted = filled(match, event);
  const behind = events.findIndex((each, index) => index > place && matches(each, wanted));
  return behind < 0 ? undefined : events.toSpliced(behind + 1, 0, event);
}

/** Numbers the events of a response again, so that no number shows that one is missing. */
function renumbered(events: readonly Event[]): readonly Event[] {
  if (!events.some((event) => 'sequence_number' in event)) return events;
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Puts values of the event where a text `$path` stands. */
function filled(template: Event, event: Event): Event {
  const values = Object.entries(template).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('$') ? valueAt(event, value.slice(1)) : value,
  ]);
  return Object.fromEntries(values) as Event;
}

function matches(event: Event, match: Match): boolean {
  return Object.entries(match).every(([path, wanted]) => {
    const value = valueAt(event, path);
    if (wanted === '*' || wanted === '-') return ((value ?? null) === null) === (wanted === '-');
    const pattern = typeof wanted === 'string' ? /^\/(.*)\/$/.exec(wanted)?.[1] : undefined;
    return pattern === undefined ? value === wanted : new RegExp(pattern).test(String(value));
  });
}

function change(event: Event, path: string, next: (value: unknown) => unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = valueAt(event, names.join('.')) as Record<string, unknown>;
  const value = next(parent[last]);
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
}

function valueAt(event: Event, path: string): unknown {
  const names = path === '' ? [] : path.split('.');
  return names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    event,
  );
}
