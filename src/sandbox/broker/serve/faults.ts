/** What a broker does with a request instead of answering it. */
export type FaultAction =
  /** Answers with an error code and does nothing. */
  | { readonly kind: 'refuse'; readonly code: number }
  /** Does it and answers with an error code. */
  | { readonly kind: 'do-and-refuse'; readonly code: number }
  /** Does it and closes the connection instead of answering. */
  | { readonly kind: 'do-and-cut' }
  /** Closes the connection before doing anything. */
  | { readonly kind: 'cut' }
  /** Does nothing and never answers. */
  | { readonly kind: 'swallow' }
  /** Does it and answers so much later. */
  | { readonly kind: 'late'; readonly milliseconds: number }
  /** Does it and changes the answer; the shapes are those of the API's layout. */
  | { readonly kind: 'change'; readonly change: (response: never, request: never) => unknown };

/** A fault of the next requests of an API. */
export interface Fault {
  /** The protocol's name, for example `Produce`. */
  readonly api: string;
  /** Every broker when left out. */
  readonly broker?: number | undefined;
  /** How many requests it meets; one when left out. */
  readonly times?: number;
  /** Only requests that fit; the shape is that of the API's layout. */
  readonly where?: (request: never) => boolean;
  readonly action: FaultAction;
}

/** The faults that are still to come, in the order in which they were given. */
export interface Faults {
  add(fault: Fault): void;
  /** The fault that this request meets, counted down. */
  take(api: string, broker: number, request: unknown): FaultAction | undefined;
  /** Forgets all of them. */
  clear(): void;
}

/** An empty list of faults. */
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
