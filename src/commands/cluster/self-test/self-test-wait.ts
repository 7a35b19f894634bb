import type { SelfTestNode } from '../../../admin/self-test/self-test-rows.ts';
import type { Context } from '../../../context.ts';
import { type WaitValues, waitFor } from '../waiting.ts';

type Nodes = readonly SelfTestNode[];

/** The ids of the brokers that run a self-test. */
export function runningOn(nodes: Nodes): readonly number[] {
  return nodes.filter(({ status }) => status === 'running').map(({ node_id: id }) => id);
}

/** Waits until no broker is running a self-test. @param id null or undefined for any */
export async function waitUntilDone(
  context: Context,
  id: string | null | undefined,
  values: WaitValues,
): Promise<Nodes> {
  const admin = await context.admin();
  return waitFor<Nodes>(context, values, {
    what: id === null || id === undefined ? 'the self-test' : `self-test ${id}`,
    resumeWith: 'weir cluster self-test status --wait',
    stopWith: 'weir cluster self-test stop',
    show: stageText,
    start: (options) =>
      admin.waitForSelfTest(id, {
        ...options,
        onProgress(nodes) {
          for (const one of nodes) {
            if (one.status === 'unreachable')
              context.warnOnce(`broker ${one.node_id} cannot be asked about its self-test`);
          }
          options.onProgress(nodes);
        },
      }),
  });
}

/** For example `disk on 0, 1; net on 2`. */
function stageText(nodes: Nodes): string {
  const running = nodes.filter(({ status }) => status === 'running');
  const byStage = Map.groupBy(running, ({ stage }) => stage ?? 'running');
  return [...byStage].map(([stage, own]) => `${stage} on ${own.map((one) => one.node_id).join(', ')}`).join('; ');
}
