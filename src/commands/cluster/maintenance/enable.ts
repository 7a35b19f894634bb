import type { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { command, one } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, stoppedError, withHints } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { sending } from '../../stopped.ts';
import { asConflict, memberOf } from '../member.ts';
import { checkWait, type WaitValues, waitFlags, waitFor } from '../waiting.ts';
import { changedMaintenance, justTurned } from './maintenance-text.ts';

/** `cluster maintenance enable` */
export const enable = command({
  summary: 'Turn the maintenance mode of a broker on: it hands over all leaderships',
  description: `A broker in maintenance mode keeps its replicas but leads no partition that another broker can lead, so that it can be
restarted without an interruption. Only one broker at a time can be in maintenance mode (exit code 6), and it stays so
after a restart, until cluster maintenance disable.

With --wait, waits until all leaderships have moved. Ctrl-C and --wait-timeout end only the wait: repeat the command with
--wait to wait again.`,
  examples: [
    ['Before a restart', 'cluster maintenance enable 1 --wait'],
    ['Without waiting', 'cluster maintenance enable 1'],
    ['Show what would happen', 'cluster maintenance enable 1 --dry-run'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  flags: waitFlags('the broker leads no partition that another one can lead'),
  changes: 'alters',
  guarded: 'because the other brokers take over all its work',
  result: changedMaintenance,
  async plan(context, { broker: id, ...values }) {
    checkWait(values);
    const before = memberOf(await (await context.admin()).maintenance(), id);
    if (before.enabled) context.notice(`broker ${id} is in maintenance mode already`);
    return { ...before, changed: false };
  },
  confirm: (_context, _values, { id, enabled }) =>
    enabled ? null : { question: `Turn the maintenance mode of broker ${id} on`, name: String(id) },
  dryRun: (_context, _values, before) => before,
  async run(context, { broker: id, ...values }, before) {
    const changed = !before.enabled;
    if (changed) await turnOn(context, id);
    if (values.wait) return { ...(await drained(context, id, values)), changed };
    return changed ? { ...justTurned(id, true), changed } : before;
  },
  show: {
    text({ id, enabled, finished }, _view, { dryRun }) {
      if (dryRun && !enabled) return `The maintenance mode of broker ${id} would be turned on.\n`;
      if (finished) return `Broker ${id} is in maintenance mode, and all its leaderships have moved.\n`;
      return `Broker ${id} is in maintenance mode; its leaderships are moving.\n`;
    },
  },
});

async function turnOn(context: Context, id: number): Promise<void> {
  const admin = await context.admin();
  sending(context, `turning the maintenance mode of broker ${id} on`, 'weir cluster maintenance status');
  try {
    await admin.setMaintenance(id, true);
  } catch (error) {
    const refused = asConflict(error);
    if (refused === error || !(refused instanceof CliError)) throw error;
    throw withHints(refused, ['see which broker is in maintenance mode with: weir cluster maintenance status']);
  }
  const hints = [`turn it off with: weir cluster maintenance disable ${id}`];
  context.onInterrupt(stoppedError(`broker ${id} is in maintenance mode`, hints, String(id)));
}

async function drained(context: Context, id: number, values: WaitValues): Promise<MaintenanceState> {
  const admin = await context.admin();
  return waitFor<MaintenanceState>(context, values, {
    what: `the drain of broker ${id}`,
    resumeWith: `weir cluster maintenance enable ${id} --wait`,
    show: ({ transferring, failed }) => `${transferring ?? '?'} transferring, ${failed ?? '?'} failed`,
    start: (options) =>
      admin.waitForDrain(id, {
        ...options,
        onProgress(state) {
          if ((state.failed ?? 0) > 0) context.warnOnce(`some leaderships cannot move away from broker ${id} yet`);
          options.onProgress(state);
        },
      }),
  });
}
