import { type CodeName, codes, invalid, isCodeName, type Violation } from './api-error.ts';
import type { ArtifactChange, Route } from './call.ts';
import { isObject } from './fields.ts';

/** What is done to an answer. */
export type Effect =
  /** Answers this status instead; nothing is changed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: CodeName;
      readonly reason?: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Waits this many real milliseconds before the request is handled. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Cuts the connection: before anything is done, or after the change was made. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Cuts the connection after so many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Sends so many bytes of the body at a time, with real milliseconds between. */
  | { readonly kind: 'slow'; readonly bytes: number; readonly everyMs: number }
  /** Sends other bytes of the same length. */
  | { readonly kind: 'garbage' }
  /** Falsifies the install packs in the answer. */
  | { readonly kind: 'artifact'; readonly change: ArtifactChange };

/** A fault that waits for its route to be called. */
export interface Fault {
  /** The name of a route, `METHOD /path/{id}` as in the table, or `*`. */
  readonly route: string;
  /** Calls that pass before it begins. */
  readonly skip: number;
  /** Calls that it lasts for; null: until it is cleared. */
  readonly times: number | null;
  readonly effect: Effect;
}

/** The faults that are in force. */
export interface Faults {
  add(fault: Fault): void;
  /** The effects on this call of a route; counts it. */
  take(route: Route): readonly Effect[];
  list(): readonly Fault[];
  clear(): void;
}

/** Starts without faults. */
export function startFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add(fault) {
      faults.push(fault);
    },
    take(route) {
      const effects: Effect[] = [];
      faults = faults.flatMap((fault) => {
        if (!concerns(fault, route)) return [fault];
        if (fault.skip > 0) return [{ ...fault, skip: fault.skip - 1 }];
        effects.push(fault.effect);
        if (fault.times === null) return [fault];
        return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
      });
      return effects;
    },
    list: () => faults,
    clear() {
      faults = [];
    },
  };
}

function concerns(fault: Fault, route: Route): boolean {
  // The control calls stay whole: with them a fault is taken back.
  return !route.name.startsWith('sim.') && ['*', route.name, `${route.method} ${route.path}`].includes(fault.route);
}

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isText = (value: unknown) => typeof value === 'string';
const isOneOf = (words: readonly string[]) => (value: unknown) => isText(value) && words.includes(String(value));
const optional = (rule: (value: unknown) => boolean) => (value: unknown) => value === undefined || rule(value);

const effectRules: Readonly<Record<Effect['kind'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  status: {
    status: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
    code: optional(isCodeName),
    reason: optional(isText),
    message: optional(isText),
    headers: optional((value) => isObject(value) && Object.values(value).every(isText)),
    body: () => true,
  },
  delay: { ms: isNumber },
  drop: { when: isOneOf(['before', 'after']) },
  truncate: { bytes: isNumber },
  slow: { bytes: isNumber, everyMs: isNumber },
  garbage: {},
  artifact: { change: isOneOf(['sha-altered', 'name-without-sha', 'missing', 'checksum-altered']) },
};

/**
 * Reads a fault as the control API takes it: `{ route, skip?, times?, effect: { kind, … } }`; once unless told.
 * @throws ApiError naming what is wrong, so that no test waits for a fault that never comes
 */
export function readFault(body: unknown, routes: readonly Route[]): Fault {
  const sent = isObject(body) ? body : {};
  const { route, skip = 0, times = 1, effect } = sent;
  const violations: Violation[] = [];
  const expect = (good: boolean, field: string, description: string) =>
    void (good || violations.push({ field, description }));
  const known = routes.flatMap((one) => [one.name, `${one.method} ${one.path}`]);
  expect(isOneOf(['*', ...known])(route), 'route', 'the name of a route, "METHOD /path" or "*" is expected');
  expect(isNumber(skip), 'skip', 'a number is expected');
  expect(times === null || (isNumber(times) && times !== 0), 'times', 'a number above 0 or null is expected');
  const kind = isObject(effect) ? effect.kind : undefined;
  const rules = isText(kind) && Object.hasOwn(effectRules, String(kind)) ? effectRules[kind as Effect['kind']] : {};
  expect(Object.hasOwn(effectRules, String(kind)), 'effect.kind', `one of ${Object.keys(effectRules).join(', ')}`);
  if (isObject(effect)) {
    for (const [name, rule] of Object.entries(rules))
      expect(rule(effect[name]), `effect.${name}`, 'is missing or not valid');
    for (const name of Object.keys(effect)) expect(name === 'kind' || name in rules, `effect.${name}`, 'unknown field');
  }
  if (violations.length > 0) throw invalid(violations);
  return { route, skip, times, effect } as Fault;
}

/** The code that usually stands behind a status. */
export function codeOfStatus(status: number): CodeName {
  const found = Object.entries(codes).find(([, code]) => code.status === status);
  return (found?.[0] ?? 'UNKNOWN') as CodeName;
}
