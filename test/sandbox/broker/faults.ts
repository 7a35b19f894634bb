import type { ArrivedRequest, Cluster } from '../../../src/sandbox/broker/cluster-parts.ts';

/** What a broker does with a request instead of answering it normally. */
export type FaultAction =
  /** Answers with an error code without performing the request. */
  | { readonly kind: 'refuse'; readonly code: number }
  /** Performs the request and answers with an error code. */
  | { readonly kind: 'do-and-refuse'; readonly code: number }
  /** Performs the request and closes the connection instead of answering. */
  | { readonly kind: 'do-and-cut' }
  /** Closes the connection before doing anything. */
  | { readonly kind: 'cut' }
  /** Neither performs nor answers the request. */
  | { readonly kind: 'swallow' }
  /** Performs the request and delays the answer. */
  | { readonly kind: 'late'; readonly milliseconds: number }
  /** Performs the request and changes the answer; both have the types of the API's layout. */
  | { readonly kind: 'change'; readonly change: (response: never, request: never) => unknown };

/** A fault that affects the next requests of an API. */
export interface Fault {
  /** The protocol's name, for example `Produce`. */
  readonly api: string;
  /** The affected broker; undefined for all brokers. */
  readonly broker?: number | undefined;
  /** The number of requests to affect (default 1). */
  readonly times?: number;
  /** Selects the affected requests; the request has the type of the API's layout. */
  readonly where?: (request: never) => boolean;
  readonly action: FaultAction;
}

/** The faults that a test has added to a cluster. */
interface Faults {
  /** The fault affects its requests after those added before. */
  add(fault: Fault): void;
  /** Removes all faults. */
  clear(): void;
}

/** Lets the brokers of a cluster meet faults. */
export function injectFaults(cluster: Cluster): Faults {
  let list: { readonly fault: Fault; left: number }[] = [];
  cluster.intercept = (arrived) => {
    const met = list.find(({ fault }) => isMet(fault, arrived));
    if (met === undefined) return false;
    met.left -= 1;
    if (met.left <= 0) list = list.filter((one) => one !== met);
    perform(cluster, arrived, met.fault.action);
    return true;
  };
  return {
    add: (fault) => void list.push({ fault, left: fault.times ?? 1 }),
    clear() {
      list = [];
    },
  };
}

function isMet(fault: Fault, { api, broker, request }: ArrivedRequest): boolean {
  if (fault.api !== api || (fault.broker ?? broker) !== broker) return false;
  return fault.where === undefined || fault.where(request as never);
}

function perform({ clock }: Cluster, arrived: ArrivedRequest, action: FaultAction): void {
  if (action.kind === 'cut') arrived.cut();
  else if (action.kind === 'refuse') arrived.deliver(arrived.refusal(action.code));
  else if (action.kind !== 'swallow') {
    arrived.perform((answer) => {
      if (action.kind === 'do-and-cut') arrived.cut();
      else if (action.kind === 'do-and-refuse') arrived.deliver(arrived.refusal(action.code));
      else if (action.kind === 'change') arrived.deliver(changed(answer, action, arrived.request));
      else clock.after(action.milliseconds, () => arrived.deliver(answer));
    });
  }
}

function changed(answer: unknown, { change }: Extract<FaultAction, { kind: 'change' }>, request: unknown): unknown {
  // A symbol stands for no answer.
  return typeof answer === 'symbol' ? answer : change(answer as never, request as never);
}
