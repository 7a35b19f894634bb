import type { SelfTestNode } from '../../../admin/self-test/self-test-rows.ts';
import { command } from '../../../cli/command.ts';
import { arrayOf } from '../../../cli/output/schema.ts';
import { type ExitCode, exitCodes } from '../../../errors.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import { nodeSchema, nodesText, outcomeOf, wideNodesText } from './self-test-text.ts';
import { runningOn, waitUntilDone } from './self-test-wait.ts';

type Nodes = readonly SelfTestNode[];

/** The exit codes of waits; a status alone has none. */
const outcomes = new WeakMap<Nodes, ExitCode>();

/** `cluster self-test status` */
export const status = command({
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
  async run(context, values): Promise<Nodes> {
    checkWait(values);
    const first = await (await context.admin()).selfTest();
    if (!values.wait) return first;
    const running = runningOn(first);
    const nodes = running.length === 0 ? first : await waitUntilDone(context, undefined, values);
    // Brokers that took no part in it may have failed in an earlier one.
    const own = running.length === 0 ? nodes : nodes.filter((one) => running.includes(one.node_id));
    outcomes.set(nodes, outcomeOf(own));
    return nodes;
  },
  output: {
    schema: arrayOf(nodeSchema),
    text: nodesText,
    wide: wideNodesText,
    exitCode: (nodes) => outcomes.get(nodes) ?? exitCodes.ok,
  },
});
