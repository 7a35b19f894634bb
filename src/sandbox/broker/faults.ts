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

/** The pending faults, in the order in which they were added. */
export interface Faults {
  add(fault: Fault): void;
  /** Returns the fault for a request, if any, and counts it. */
  take(api: string, broker: number, request: unknown): FaultAction | undefined;
  /** Removes all faults. */
  clear(): void;
}

/** Creates an empty list of faults. */
export function createFaults(): Faults {
  let list: { readonly fault: Fault; left: number }[] = [];
  return {
    add: (fault) => void list.push({ fault, left: fault.times ?? 1 }),
    take(api, broker, request) {
      const met = list.find(({ fault }) => isMet(fault, { api, broker, request }));
      if (met === undefined) return undefined;
      met.left -= 1;
      if (met.left <= 0) list = list.filter((one) => one !== met);
      return met.fault.action;
    },
    clear() {
      list = [];
    },
  };
}

function isMet(fault: Fault, asked: { api: string; broker: number; request: unknown }): boolean {
  if (fault.api !== asked.api || (fault.broker ?? asked.broker) !== asked.broker) return false;
  return fault.where === undefined || fault.where(asked.request as never);
}
