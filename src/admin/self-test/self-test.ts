import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { WaitOptions } from '../../net/poll.ts';
import { poll } from '../../net/poll.ts';
import type { RetryWorld } from '../../net/retry.ts';
import { listOf } from '../../shape/shape.ts';
import { badAnswer, mustExist } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { reader } from '../client/read.ts';
import { type SelfTestCalls, type SelfTestNode, selfTestNode } from './self-test-rows.ts';

const path = '/v1/debug/self_test';

/** What waiting needs. */
interface WaitParts {
  readonly deadline: Deadline;
  readonly world: RetryWorld;
}

type Nodes = readonly SelfTestNode[];

/** The calls about self-tests. */
export function openSelfTestCalls(api: Api, parts: WaitParts): SelfTestCalls {
  const selfTest = () =>
    mustExist(
      api.call({ doing: 'read the self-test', method: 'GET', path: `${path}/status`, read: readStatus }),
      'self-tests',
    );
  return {
    selfTest,
    async startSelfTest(tests, nodes) {
      try {
        return await api.call({
          ...{ doing: 'start the self-test', method: 'POST', path: `${path}/start`, to: 'leader' },
          body: { tests, nodes },
          read: readId,
        });
      } catch (error) {
        // The request may have arrived. It is not repeated: every self-test is a load of its own.
        if (isDoubtful(error) && (await isRunningAt(selfTest, nodes))) return null;
        throw error;
      }
    },
    stopSelfTest: () =>
      api.call({
        ...{ doing: 'stop the self-test', method: 'POST', path: `${path}/stop`, to: 'leader' },
        // Stopping what is stopped changes nothing.
        repeats: true,
        read: () => undefined,
      }),
    waitForSelfTest: (id, options) => waitForEnd({ selfTest, id: id ?? undefined, ...parts, ...options }),
  };
}

function isDoubtful(error: unknown): boolean {
  // With 503 the server says that it did not start it.
  return error instanceof CliError && error.exitCode === exitCodes.unreachable && error.code !== 'UNAVAILABLE';
}

async function isRunningAt(selfTest: () => Promise<Nodes>, nodes: readonly number[]): Promise<boolean> {
  const found = await selfTest().catch((): Nodes => []);
  return found.some(({ node_id: id, status }) => status === 'running' && nodes.includes(id));
}

interface Wait extends WaitParts, WaitOptions<Nodes> {
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

function readId(body: unknown, what: string): string {
  if (typeof body !== 'string' || body === '') throw badAnswer(what, 'id of a self-test');
  return body;
}

const readNodes = reader(listOf(selfTestNode), 'list of brokers');

function readStatus(body: unknown, what: string): Nodes {
  return readNodes(body, what).toSorted((a, b) => a.node_id - b.node_id);
}
