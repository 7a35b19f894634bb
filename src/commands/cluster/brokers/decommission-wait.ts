import type { DecommissionState } from '../../../admin/brokers/broker-rows.ts';
import type { Context } from '../../../context.ts';
import { count } from '../../../format/count.ts';
import { type WaitValues, waitFor } from '../waiting.ts';

/** Waits until a broker has left the cluster; warns once about partitions that no other broker can take. */
export async function waitUntilGone(context: Context, id: number, values: WaitValues): Promise<DecommissionState> {
  const admin = await context.admin();
  return waitFor<DecommissionState>(context, values, {
    what: `the decommission of broker ${id}`,
    resumeWith: `weir cluster brokers decommission-status ${id} --wait`,
    stopWith: recommission(id),
    show: ({ replicas_left: left }) => `${count(left, 'replica')} left`,
    start: (options) =>
      admin.waitForDecommission(id, {
        ...options,
        onProgress(state) {
          if (state.without_place.length > 0) context.warnOnce(stuckWarning(id));
          options.onProgress(state);
        },
      }),
  });
}

function stuckWarning(id: number): string {
  return `no other broker can take some replicas of broker ${id}: add a broker, or stop the decommission with: ${recommission(id)}`;
}

/** The command that stops the decommission of a broker. */
export function recommission(id: number): string {
  return `weir cluster brokers recommission ${id}`;
}
