/** A fault that waits for requests. */
export interface PlannedFault<Effect> {
  /** The number of requests to let through first. */
  readonly skip: number;
  /** The number of requests that it affects; null for all requests until it is cleared. */
  readonly times: number | null;
  readonly effect: Effect;
}

/** The active faults of a simulator. */
export interface FaultPlan<Fault extends PlannedFault<unknown>, Request> {
  add(fault: Fault): void;
  /** Counts a request and returns the effects on it. */
  take(request: Request): readonly Fault['effect'][];
  list(): readonly Fault[];
  clear(): void;
}

/** Creates an empty set of faults; `concerns` tells which requests a fault waits for. */
export function planFaults<Fault extends PlannedFault<unknown>, Request>(
  concerns: (fault: Fault, request: Request) => boolean,
): FaultPlan<Fault, Request> {
  let faults: Fault[] = [];
  return {
    add(fault) {
      faults.push(fault);
    },
    take(request) {
      const effects: Fault['effect'][] = [];
      faults = faults.flatMap((fault) => {
        if (!concerns(fault, request)) return [fault];
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
