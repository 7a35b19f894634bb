import { CliError, exitCodes } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { inParallel } from '../../net/parallel.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import { mapped, row, string, word } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { type BundleAnswer, type BundleConfig, type BundleJob, BundleState } from './bundle-rows.ts';

/** How often in a row a broker may fail to answer before a wait gives up on it. */
const mostFailures = 3;

/** The calls about debug bundles. */
export function createBundleCalls(api: Api, parts: PollParts) {
  /** Runs a request to each of several brokers; one that fails does not hide the others. */
  async function each<T extends { readonly broker: number }, R>(
    items: readonly T[],
    work: (item: T) => Promise<R>,
  ): Promise<readonly (Outcome<R> & { readonly broker: number })[]> {
    return inParallel(items, async (item) => {
      const { broker } = item;
      try {
        return { broker, state: await work(item), error: null };
      } catch (error) {
        if (!(error instanceof CliError) || parts.deadline.signal.aborted) throw error;
        return { broker, state: null, error };
      }
    });
  }
  const bundles = (brokers: readonly number[]): Promise<readonly BundleAnswer[]> =>
    each(ofBrokers(brokers), ({ broker }) => readState(api, broker));
  return {
    /** The state of the bundle of each broker, in their order, asked once; one that fails does not hide the others. */
    bundles,
    /**
     * Starts to collect a bundle on each broker. Not repeated if it may have been started; a broker that is collecting one
     * refuses (409).
     */
    startBundles: (brokers: readonly number[], jobId: string, config: BundleConfig) =>
      each(ofBrokers(brokers), ({ broker }) => startBundle(api, { broker, jobId }, config)),
    /**
     * Polls until no broker collects a bundle of this job any more; a broker that does not answer several times in a row
     * is not waited for.
     * @throws CliError (exit 5) on a timeout
     */
    async waitForBundles(
      brokers: readonly number[],
      jobId: string | undefined,
      options: WaitOptions<readonly BundleAnswer[]>,
    ) {
      const failures = new Map<number, number>();
      const isDue = ({ broker, state, error }: BundleAnswer): boolean => {
        const failed = error === null ? 0 : (failures.get(broker) ?? 0) + 1;
        failures.set(broker, failed);
        return error === null ? isRunning(state, jobId) : error.retryable && failed < mostFailures;
      };
      // Every broker is counted, so there is no early end.
      const isDone = (answers: readonly BundleAnswer[]) => answers.filter(isDue).length === 0;
      return await poll({ ...parts, ...options, what: 'the debug bundle', read: () => bundles(brokers), isDone });
    },
    /** Stops the collection of bundles. */
    cancelBundles: (jobs: readonly BundleJob[]) => each(jobs, (job) => cancelBundle(api, job)),
    /** Streams the file of a bundle; sent once. @throws CliError (exit 1) for a name that cannot be one of a file */
    async bundleFile(broker: number, filename: string) {
      if (!/^\w[\w.-]*$/.test(filename)) throw hostile(broker, filename);
      return await api.download({
        doing: `download the debug bundle of broker ${broker}`,
        path: pathOf`/v1/debug/bundle/file/${filename}`,
        to: { node: broker },
      });
    },
  };
}

type Outcome<R> = { readonly state: R; readonly error: null } | { readonly state: null; readonly error: CliError };

function ofBrokers(brokers: readonly number[]): readonly { readonly broker: number }[] {
  return brokers.map((broker) => ({ broker }));
}

function startBundle(api: Api, { broker, jobId }: BundleJob, config: BundleConfig): Promise<void> {
  return api.call(
    calls.post(`start a debug bundle on broker ${broker}`, pathOf`/v1/debug/bundle`, {
      body: { job_id: jobId, config },
      secrets: [config.authentication?.password ?? ''],
      to: { node: broker },
      once: true,
    }),
  );
}

function cancelBundle(api: Api, { broker, jobId }: BundleJob): Promise<void> {
  return api.call(
    calls.delete(`cancel the debug bundle of broker ${broker}`, pathOf`/v1/debug/bundle/${jobId}`, {
      to: { node: broker },
      // An id names one job for ever, so a repeated request cannot stop another one.
      repeats: true,
      isDone: async () => !isRunning(await readState(api, broker), jobId),
    }),
  );
}

function isRunning(state: BundleState | null, jobId: string | undefined): boolean {
  return state?.status === 'running' && (jobId === undefined || state.job_id === jobId);
}

function hostile(broker: number, filename: string): CliError {
  return new CliError(
    exitCodes.failure,
    `broker ${broker} names its debug bundle "${excerpt(filename)}", not a file name`,
    {
      code: 'BAD_ANSWER',
      target: String(broker),
    },
  );
}

/** The server answers 409 if none was started, and 410 for one that it has deleted. */
async function readState(api: Api, broker: number): Promise<BundleState> {
  try {
    const more = { to: { node: broker }, once: true, form: 'status' } as const;
    return await api.call(
      calls.get(`read the debug bundle of broker ${broker}`, pathOf`/v1/debug/bundle`, started, more),
    );
  } catch (error) {
    if (hasStatus(error, 409)) return { ...unknown, status: 'none' };
    if (hasStatus(error, 410)) return { ...unknown, status: 'expired' };
    throw error;
  }
}

const unknown = { job_id: null, created: null, filename: null, file_size: null, reason: null } as const;

/** The state of a bundle that was started; what its program said counts only if it failed. */
const started = mapped(
  row({ ...BundleState.fields, status: word('running', 'success', 'error', 'expired'), job_id: string }),
  (state): BundleState => ({ ...state, reason: state.status === 'error' ? state.reason : null }),
);
