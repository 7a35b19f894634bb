import { CliError, exitCodes } from '../errors.ts';
import { pathOf } from '../net/json-api/call.ts';
import { type PollParts, poll, type WaitOptions } from '../net/poll.ts';
import { filled, listOf, sorted } from '../shape/shape.ts';
import { mustExist } from './client/answer-error.ts';
import { type Api, calls } from './client/api.ts';
import { type SelfTest, SelfTestNode } from './self-test-rows.ts';

const readStatus = calls.get(
  'read the self-test',
  pathOf`/v1/debug/self_test/status`,
  sorted(listOf(SelfTestNode), (a, b) => a.node_id - b.node_id),
  { form: 'list of brokers' },
);

/** Stopping what is stopped changes nothing. */
const stop = calls.post('stop the self-test', pathOf`/v1/debug/self_test/stop`, { to: 'leader', repeats: true });

type Nodes = readonly SelfTestNode[];

/** The calls about self-tests. */
export function createSelfTestCalls(api: Api, parts: PollParts) {
  const selfTest = () => mustExist(api.call(readStatus), 'self-tests');
  return {
    /** The self-test on each broker, sorted by id. */
    selfTest,
    /**
     * Starts a self-test on brokers where none is running.
     * @returns its id; null if the answer with the id was lost, but the self-test is running
     */
    async startSelfTest(tests: readonly SelfTest[], nodes: readonly number[]) {
      try {
        const more = { to: 'leader', body: { tests, nodes }, answer: filled, form: 'id of a self-test' } as const;
        return await api.call(calls.post('start the self-test', pathOf`/v1/debug/self_test/start`, more));
      } catch (error) {
        // The request may have arrived. It is not repeated: every self-test is a load of its own.
        if (isDoubtful(error) && (await isRunningAt(selfTest, nodes))) return null;
        throw error;
      }
    },
    /** Stops the self-test on every broker. @throws ApiError (503, exit 5) if a broker did not stop */
    stopSelfTest: () => api.call(stop),
    /**
     * Polls until no broker is running a self-test.
     * @param id the self-test to wait for; undefined or null for any
     * @throws CliError (exit 6) if another self-test has taken its place, (exit 5) on a timeout
     */
    waitForSelfTest: (id: string | null | undefined, options: WaitOptions<readonly SelfTestNode[]>) =>
      waitForEnd({ selfTest, id: id ?? undefined, ...parts, ...options }),
  };
}

function isDoubtful(error: unknown): boolean {
  // With 503 the server says that it did not start it.
  return error instanceof CliError && error.exitCode === exitCodes.unreachable && error.code !== 'UNAVAILABLE';
}

async function isRunningAt(selfTest: () => Promise<Nodes>, nodes: readonly number[]): Promise<boolean> {
  const statuses = await selfTest().catch((): Nodes => []);
  return statuses.some(({ node_id: id, status }) => status === 'running' && nodes.includes(id));
}

interface Wait extends PollParts, WaitOptions<Nodes> {
  readonly id: string | undefined;
  selfTest(): Promise<Nodes>;
}

/** How many polls a broker may take to show that it runs the self-test, or to be reachable again. */
const mostLate = 5;

async function waitForEnd({ id, selfTest, ...rest }: Wait): Promise<Nodes> {
  let late = 0;
  const has = (nodes: Nodes) => nodes.some(({ results }) => results.some(({ test_id: one }) => one === id));
  const state = await poll({
    ...rest,
    what: id === undefined ? 'the self-test' : `self-test ${id}`,
    read: selfTest,
    isDone(nodes) {
      if (nodes.some(({ status }) => status === 'running')) {
        late = 0;
        return false;
      }
      late += 1;
      const isWhole = nodes.every(({ status }) => status === 'idle') && (id === undefined || has(nodes));
      return isWhole || late > mostLate;
    },
  });
  if (id !== undefined && !has(state) && state.some(({ results }) => results.length > 0)) throw replaced(id);
  return state;
}

function replaced(id: string): CliError {
  return new CliError(exitCodes.conflict, `self-test ${id} has no results: another self-test has taken its place`, {
    code: 'SELF_TEST_REPLACED',
    target: id,
    hints: ['see the results of the last self-test with: weir cluster self-test status'],
  });
}
