import { type FaultPlan, type PlannedFault, planFaults } from '../../http/faults.ts';
import type { SendingEffect } from '../../http/send.ts';
import { badRequest } from './admin-error.ts';
import type { Route } from './call.ts';
import { isObject } from './readers.ts';

/** The effect of a fault on a response. */
export type Effect =
  /** Responds with this status instead, in the API's own form or with the given text; nothing is changed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** The body, for example a page of HTML; its type goes into `headers`. */
      readonly text?: string;
    }
  /** Redirects to this origin with 307, whatever the request is. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** Waits this many real milliseconds, or until the client has gone, before the request is handled. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Moves the leadership of the controller before the request is handled; 0 for an election in the usual time. */
  | { readonly kind: 'move-controller'; readonly electionMs: number }
  /** Cuts the connection: before anything is done, or after the change is made. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | SendingEffect;

/** A fault that takes effect when its route is called on its node. */
export interface Fault extends PlannedFault<Effect> {
  /** The name of a route, `METHOD /path/{id}` as in the route table, or `*`. */
  readonly route: string;
  /** The id of the node that it affects; null for every node. */
  readonly node: number | null;
}

/** A request that a fault may wait for. */
export interface Asked {
  readonly node: number;
  /** Undefined when no route matches. */
  readonly route: Route | undefined;
}

/** The active faults. */
export type Faults = FaultPlan<Fault, Asked>;

/** Creates an empty set of faults. */
export function startFaults(): Faults {
  return planFaults(concerns);
}

function concerns(fault: Fault, { node, route }: Asked): boolean {
  if (fault.node !== null && fault.node !== node) return false;
  if (fault.route === '*') return true;
  return route !== undefined && [route.name, `${route.method} ${route.path}`].includes(fault.route);
}

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isText = (value: unknown) => typeof value === 'string';
const optional = (rule: (value: unknown) => boolean) => (value: unknown) => value === undefined || rule(value);

const effectRules: Readonly<Record<Effect['kind'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  status: {
    status: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
    message: optional(isText),
    headers: optional((value) => isObject(value) && Object.values(value).every(isText)),
    text: optional(isText),
  },
  redirect: { to: isText },
  delay: { ms: isNumber },
  'move-controller': { electionMs: isNumber },
  drop: { when: (value) => value === 'before' || value === 'after' },
  truncate: { bytes: isNumber },
  slow: { bytes: isNumber, everyMs: isNumber },
  garbage: {},
};

/** A fault as tests write it: for every node and the next request unless something else is given. */
export type FaultSwitch = Pick<Fault, 'route' | 'effect'> & Partial<Fault>;

/**
 * Completes and checks a fault.
 * @throws AdminError naming the first problem, so that no test waits for a fault that can never occur
 */
export function readFault(body: unknown, routes: readonly Route[]): Fault {
  const { route, node = null, skip = 0, times = 1, effect, ...rest } = isObject(body) ? body : {};
  const known = ['*', ...routes.flatMap((one) => [one.name, `${one.method} ${one.path}`])];
  const expect = (good: boolean, problem: string) => {
    if (!good) throw badRequest(`invalid fault: ${problem}`);
  };
  expect(Object.keys(rest).length === 0, `unknown field ${Object.keys(rest)[0]}`);
  expect(known.includes(String(route)), 'route must be the name of a route, "METHOD /path" or "*"');
  expect(node === null || isNumber(node), 'node must be the id of a node or null');
  expect(isNumber(skip), 'skip must be a number from 0');
  expect(times === null || (isNumber(times) && times !== 0), 'times must be a number above 0 or null');
  const kind = isObject(effect) ? String(effect.kind) : '';
  expect(Object.hasOwn(effectRules, kind), `effect.kind must be one of ${Object.keys(effectRules).join(', ')}`);
  const sent = isObject(effect) ? effect : {};
  const rules = effectRules[kind as Effect['kind']];
  for (const [name, rule] of Object.entries(rules)) expect(rule(sent[name]), `effect.${name} is missing or invalid`);
  for (const name of Object.keys(sent)) expect(name === 'kind' || name in rules, `unknown field effect.${name}`);
  return { route, node, skip, times, effect } as Fault;
}
