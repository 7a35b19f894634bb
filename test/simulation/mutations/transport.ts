import type { Mutation } from './mutation.ts';

const kind = 'produce';

/** Defects in connections and retries (issue §1, §2g). */
export const transportMutations: readonly Mutation[] = [
  {
    ...{ kind, letter: '2g', name: 'a connection cut before its first answer is not retried' },
    file: 'kafka/protocol/transport/wire.ts',
    from: 'const error = isEarly ?',
    to: "if (isEarly) throw new Error('cut');\n  const error = isEarly ?",
  },
  {
    ...{ kind, letter: '2g', name: 'a refused connection ends the command' },
    file: 'net/retry.ts',
    from: 'if (!(error instanceof CliError) || !error.retryable || final.has(error)) throw error;',
    to: "if (!(error instanceof CliError) || !error.retryable || error.code === 'CONNECTION_REFUSED' || final.has(error)) throw error;",
    ...{ kind: 'group' },
  },
  {
    ...{ kind, letter: '2i', name: 'throttle times are ignored' },
    file: 'kafka/protocol/transport/wire.ts',
    from: '      throttle(state, api.throttleMs(response));\n',
    to: '',
  },
  {
    ...{ kind, letter: '1', name: 'the retry limit is ignored' },
    file: 'net/retry.ts',
    from: 'if (elapsedMs() >= limitMs || isTooLong(error)) return false;',
    to: 'if (isTooLong(error)) return false;',
  },
  {
    ...{ kind, letter: '1', name: 'there is only one attempt' },
    file: 'net/retry.ts',
    from: 'if (elapsedMs() >= limitMs || isTooLong(error)) return false;',
    to: 'if (elapsedMs() >= 0 || isTooLong(error)) return false;',
  },
  {
    ...{ kind, letter: '1', name: 'there is no pause between attempts' },
    file: 'net/retry.ts',
    from: 'return pause * (1 - jitter + 2 * jitter * random());',
    to: 'return pause * 0.001 * random();',
  },
  {
    ...{ kind, letter: '1', name: 'pauses do not grow' },
    file: 'net/retry.ts',
    from: 'firstBackoffMs * 2 ** (failures - 1)',
    to: 'firstBackoffMs * 2 ** (failures - failures)',
    test: { file: 'net/retry.test.ts', why: 'the bound on dials allows for pauses of 250 ms' },
  },
  {
    ...{ kind, letter: '1', name: 'a request without an answer never times out' },
    file: 'kafka/protocol/transport/wire.ts',
    from: 'exchange.cancelTimer = clock.after(Math.min(limits.requestOverheadMs + exchange.insideMs, maxTimerMs), fire);',
    to: 'exchange.cancelTimer = () => undefined;\n  if (fire === undefined) clock.after(limits.requestOverheadMs + maxTimerMs, fire);',
  },
  {
    ...{ kind, letter: '1', name: 'timers of answered requests are left behind' },
    file: 'kafka/protocol/transport/wire.ts',
    from: '  exchange.isOver = true;\n  exchange.cancelTimer();',
    to: '  exchange.isOver = true;',
    test: { file: 'kafka/protocol/transport/timers.test.ts', why: 'a run goes on longer than the limit of a request' },
  },
  {
    ...{ kind, letter: '1', name: 'a late answer is taken for that of the next request' },
    file: 'kafka/protocol/transport/wire.ts',
    from: 'const exchange = state.inFlight.get(correlationId);',
    to: 'const exchange = state.inFlight.get(correlationId) ?? [...state.inFlight.values()][0];',
    test: {
      file: 'kafka/protocol/transport/timers.test.ts',
      why: 'a connection with a timed-out request is not used again',
    },
  },
  {
    ...{ kind, letter: '1', name: 'a stuck connection is used again' },
    file: 'kafka/protocol/transport/wire.ts',
    from: 'return state.ended === undefined && !state.isStuck;',
    to: 'return state.ended === undefined;',
    test: { file: 'kafka/protocol/client/stuck.test.ts', why: 'the requests after it also time out and are retried' },
  },
  {
    ...{ kind, letter: '1', name: 'an ended connection is used again' },
    file: 'kafka/protocol/transport/wire.ts',
    from: 'return state.ended === undefined && !state.isStuck;',
    to: 'return !state.isStuck;',
  },
  {
    ...{ kind, letter: '1', name: 'links are left open' },
    file: 'kafka/protocol/transport/pool.ts',
    from: '...holding.values(), ...alone]) connection.destroy(reason);',
    to: '...holding.values()]) connection.destroy(reason);',
    also: [
      {
        file: 'kafka/protocol/client/open-client.ts',
        from: '    controller.abort(reason);\n',
        to: '',
      },
    ],
  },
  {
    ...{ kind, letter: '1', name: 'only the seed brokers of the cluster are known' },
    file: 'kafka/protocol/client/router.ts',
    from: '!taken.has(showHostPort(broker))) candidates.push',
    to: 'taken.has(showHostPort(broker))) candidates.push',
    test: { file: 'kafka/protocol/client/router.test.ts', why: 'all brokers of the simulation are seed brokers' },
  },
  {
    ...{ kind, letter: '1', name: 'a broker without the answer is asked repeatedly' },
    file: 'kafka/protocol/client/metadata-cache.ts',
    from: 'if (isIncomplete(cluster)) state.incomplete += 1;',
    to: '',
    test: {
      file: 'kafka/protocol/client/metadata-cache.test.ts',
      why: 'the brokers of the simulation eventually know the answer',
    },
  },
  {
    ...{ kind, letter: '1', name: 'the leader is not looked up after NOT_LEADER (ListOffsets)' },
    file: 'kafka/protocol/client/ask.ts',
    from: "if (remedy !== undefined && remedy !== 'retry') router.cache.forget(open.target);",
    to: '',
    ...{ kind: 'consume' },
  },
];
