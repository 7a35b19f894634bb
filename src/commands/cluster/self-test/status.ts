import { type SelfTestNode, selfTestNode } from '../../../admin/self-test/self-test-rows.ts';
import { partlyShown } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import { nodesText, outcomeOf, wideNodesText } from './self-test-text.ts';
import { runningOn, waitUntilDone } from './self-test-wait.ts';

/** What the brokers test or have measured. */
interface Status {
  readonly nodes: readonly SelfTestNode[];
  /** Those that were waited for; none without a wait. */
  readonly awaited: readonly SelfTestNode[];
}

/** `cluster self-test status` */
export const status = partlyShown({
  summary: 'Show the running self-test, or the results of the last one',
  description: `Shows for each broker what it tests now, or what it measured last. A broker that is testing has no results yet.
IOPS are requests per second. With --format wide, shows all that was measured, with latencies in microseconds.

With --wait, waits until no broker is testing, with exit code 1 if a test failed. Ctrl-C and --wait-timeout end only the
wait.`,
  examples: [
    ['Progress or results', 'cluster self-test status'],
    ['Wait for the results', 'cluster self-test status --wait'],
    ['For a script', 'cluster self-test status --format json'],
  ],
  apis: ['admin'],
  flags: waitFlags('no broker is testing'),
  changes: 'reads',
  result: listOf(selfTestNode),
  async run(context, values): Promise<Status> {
    checkWait(values);
    const first = await (await context.admin()).selfTest();
    if (!values.wait) return { nodes: first, awaited: [] };
    const running = runningOn(first);
    const nodes = running.length === 0 ? first : await waitUntilDone(context, undefined, values);
    // Brokers that took no part in it may have failed in an earlier one.
    const awaited = running.length === 0 ? nodes : nodes.filter((one) => running.includes(one.node_id));
    return { nodes, awaited };
  },
  show: {
    json: ({ nodes }) => nodes,
    text: ({ nodes }, view) => nodesText(nodes, view),
    wide: ({ nodes }, view) => wideNodesText(nodes, view),
    exitCode: ({ awaited }) => outcomeOf(awaited),
  },
});
