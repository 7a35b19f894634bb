import { type FaultPlan, type PlannedFault, planFaults } from '../../http/faults.ts';
import type { SendingEffect } from '../../http/send.ts';
import { type CodeName, codes, invalid, isCodeName, type Violation } from './api-error.ts';
import type { ArtifactChange, Route } from './call.ts';
import { isObject } from './fields.ts';

/** The effect of a fault on a response. */
export type Effect =
  /** Responds with this status instead; nothing is changed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: CodeName;
      readonly reason?: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Waits this many real milliseconds, or until the client has gone, before the request is handled. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Cuts the connection: before anything is done, or after the change is made. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | SendingEffect
  /** Falsifies the install packs in the response. */
  | { readonly kind: 'artifact'; readonly change: ArtifactChange };

/** A fault that takes effect when its route is called. */
export interface Fault extends PlannedFault<Effect> {
  /** The name of a route, `METHOD /path/{id}` as in the route table, or `*`. */
  readonly route: string;
}

/** The active faults. */
export type Faults = FaultPlan<Fault, Route>;

/** Creates an empty set of faults. */
export function startFaults(): Faults {
  return planFaults(concerns);
}

function concerns(fault: Fault, route: Route): boolean {
  // Control calls are never affected, so that a fault can always be cleared.
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
 * Reads a fault from the control API: `{ route, skip?, times?, effect: { kind, … } }`, with `times` 1 by default.
 * @throws ApiError naming each problem, so that no test waits for a fault that can never occur
 */
export function readFault(body: unknown, routes: readonly Route[]): Fault {
  const sent = isObject(body) ? body : {};
  const { route, skip = 0, times = 1, effect } = sent;
  const violations: Violation[] = [];
  const expect = (good: boolean, field: string, description: string) =>
    void (good || violations.push({ field, description }));
  const known = routes.flatMap((one) => [one.name, `${one.method} ${one.path}`]);
  expect(isOneOf(['*', ...known])(route), 'route', 'must be the name of a route, "METHOD /path" or "*"');
  expect(isNumber(skip), 'skip', 'must be a number from 0');
  expect(times === null || (isNumber(times) && times !== 0), 'times', 'must be a number above 0 or null');
  const kind = isObject(effect) ? effect.kind : undefined;
  const rules = isText(kind) && Object.hasOwn(effectRules, String(kind)) ? effectRules[kind as Effect['kind']] : {};
  expect(
    Object.hasOwn(effectRules, String(kind)),
    'effect.kind',
    `must be one of ${Object.keys(effectRules).join(', ')}`,
  );
  if (isObject(effect)) {
    for (const [name, rule] of Object.entries(rules))
      expect(rule(effect[name]), `effect.${name}`, 'is missing or invalid');
    for (const name of Object.keys(effect)) expect(name === 'kind' || name in rules, `effect.${name}`, 'unknown field');
  }
  if (violations.length > 0) throw invalid(violations);
  return { route, skip, times, effect } as Fault;
}

/** The code that an HTTP status usually maps to. */
export function codeOfStatus(status: number): CodeName {
  const found = Object.entries(codes).find(([, code]) => code.status === status);
  return (found?.[0] ?? 'UNKNOWN') as CodeName;
}
