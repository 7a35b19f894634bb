import { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import { sandboxOf } from '../../../config/profile/sandbox-mark.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, withHints } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { sending } from '../../interruption.ts';
import { asConflict, memberOf } from '../member.ts';
import { checkWait, type WaitValues, waitFlags, waitFor } from '../wait.ts';

/** `cluster maintenance enable` */
export const enable = change({
  summary: 'Turn the maintenance mode of a broker on: it hands over all leaderships',
  description: `A broker in maintenance mode keeps its replicas but leads no partition that another broker can lead,
so that it can be restarted without an interruption. It stays so after a restart, until cluster maintenance disable.
Only one broker at a time can be in maintenance mode (exit code 6).

--wait waits until all leaderships have moved; Ctrl-C ends only the wait.`,
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
  noun: 'broker',
  isOne: true,
  item: MaintenanceState,
  async plan(context, { broker: id, ...values }) {
    checkWait(values);
    const brokers = await (await context.admin()).maintenance();
    const broker = memberOf(brokers, id);
    if (!broker.enabled) {
      checkAllowed(id, brokers, sandboxOf(await context.config()) !== undefined);
      return [broker];
    }
    return [{ ...broker, status: 'NOT_NEEDED' }];
  },
  asks: (_brokers, { broker: id }) => `Put broker ${id} in maintenance mode`,
  async applyEach(context, { id }) {
    const admin = await context.admin();
    sending(context, `turning the maintenance mode of broker ${id} on`, 'weir cluster maintenance status');
    await admin.setMaintenance(id, true).catch(asConflict).catch(withStatusHint);
    const hints = [`turn it off with: weir cluster maintenance disable ${id}`];
    context.onInterrupt(stoppedError(`broker ${id} is in maintenance mode`, hints, String(id)));
    return { ...unknownDrain, enabled: true };
  },
  follow: async (context, brokers, { broker: id, ...values }) =>
    values.wait ? [await drained(context, id, values)] : brokers,
  text: (brokers) => brokers.map(outcomeText).join(''),
});

/** How far the drain of a broker is, right after its maintenance mode was turned on or off: nobody has read it. */
export const unknownDrain = {
  finished: null,
  errors: null,
  partitions: null,
  eligible: null,
  transferring: null,
  failed: null,
};

function outcomeText({ id, enabled, finished, status }: MaintenanceState & Outcome): string {
  if (!enabled) return `The maintenance mode of broker ${id} would be turned on.\n`;
  const broker = `Broker ${id} is ${status === 'NOT_NEEDED' ? 'already ' : ''}in maintenance mode`;
  return finished ? `${broker}, and all its leaderships have moved.\n` : `${broker}; its leaderships are moving.\n`;
}

/** @throws CliError (exit 6) if the cluster would refuse */
function checkAllowed(id: number, brokers: readonly MaintenanceState[], isSandbox: boolean): void {
  const other = brokers.find(({ enabled }) => enabled);
  if (other === undefined && brokers.length > 1) return;
  const why = other === undefined ? 'the cluster has no other broker' : `broker ${other.id} is in maintenance mode`;
  const sandbox = isSandbox ? ['start three brokers with: weir sandbox start --name NAME --admin --brokers 3'] : [];
  throw new CliError(exitCodes.conflict, `unable to turn the maintenance mode of broker ${id} on: ${why}`, {
    code: 'CONFLICT',
    target: String(id),
    hints: other === undefined ? sandbox : [`turn it off first with: weir cluster maintenance disable ${other.id}`],
  });
}

function withStatusHint(error: unknown): never {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.conflict) throw error;
  throw withHints(error, ['see which broker is in maintenance mode with: weir cluster maintenance status']);
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
