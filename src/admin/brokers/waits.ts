import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import type { DecommissionState, MaintenanceState } from './broker-rows.ts';
import { type createBrokerCalls, hasLeft } from './brokers.ts';

type Reads = Pick<ReturnType<typeof createBrokerCalls>, 'decommissionState' | 'maintenance'>;

/** How many polls a node may take to learn of a change that another one has accepted. */
const mostLate = 5;

/** The waits for work that the cluster continues by itself. */
export function createWaits(reads: Reads, parts: PollParts) {
  return {
    /**
     * Polls until the broker has left the cluster.
     * @throws CliError (exit 6) if the decommission is stopped meanwhile, (exit 5) on a timeout
     */
    async waitForDecommission(id: number, options: WaitOptions<DecommissionState>) {
      const ended = ending(`broker ${id} is not being decommissioned any more`, 'DECOMMISSION_STOPPED');
      let isDraining = false;
      const read = async () => {
        const state = await reads.decommissionState(id).catch((error: unknown) => {
          if (isDraining && hasStatus(error, 404)) return hasLeft(id);
          throw error;
        });
        isDraining ||= state !== undefined;
        return state;
      };
      return await waitFor(`the decommission of broker ${id}`, {
        ...parts,
        ...options,
        read,
        ended,
        isDone: isFinished,
      });
    },
    /**
     * Polls until a broker in maintenance mode leads no partition that another broker can lead.
     * @throws CliError (exit 6) if the maintenance mode is turned off meanwhile, (exit 3) if the broker is gone, (exit 5)
     * on a timeout
     */
    async waitForDrain(id: number, options: WaitOptions<MaintenanceState>) {
      const ended = ending(`broker ${id} is not in maintenance mode any more`, 'MAINTENANCE_STOPPED');
      const read = async () => {
        const state = (await reads.maintenance()).find((one) => one.id === id);
        if (state === undefined) throw notFoundError(`broker ${id} has left the cluster`, { target: String(id) });
        return state.enabled ? state : undefined;
      };
      return await waitFor(`the drain of broker ${id}`, { ...parts, ...options, read, ended, isDone: isFinished });
    },
  };
}

function isFinished({ finished }: { readonly finished: boolean | null }): boolean {
  return finished === true;
}

function ending(message: string, code: string): () => CliError {
  return () => new CliError(exitCodes.conflict, message, { code });
}

interface Wait<S> extends WaitOptions<S>, PollParts {
  /** Returns undefined if there is no such work. */
  read(): Promise<S | undefined>;
  isDone(state: S): boolean;
  /** The error for work that was stopped. */
  ended(): CliError;
}

/** Polls until the work is done; no work at all is an error, once it was seen or had the time to show. */
async function waitFor<S>(what: string, { read, ended, isDone, onProgress, ...rest }: Wait<S>): Promise<S> {
  let late = 0;
  let isSeen = false;
  const state = await poll({
    ...rest,
    what,
    async read() {
      const status = await read();
      late += 1;
      isSeen ||= status !== undefined;
      if (status === undefined && (isSeen || late > mostLate)) throw ended();
      return status;
    },
    isDone: (status) => status !== undefined && isDone(status),
    onProgress: (status) => status && onProgress(status),
  });
  if (state === undefined) throw ended();
  return state;
}
