import { command, flag } from '../../../cli/command.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { outcomeFields, outcomeOf } from '../../../cli/forms/outcome.ts';
import { itemErrorOf, stoppedError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { integer } from '../../../kinds.ts';
import { listOf, type RowOf, row } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../../cluster/wait.ts';
import { sending } from '../../interruption.ts';
import { brokerFlag, bundleBrokers, newJobId, waitForBundles } from './bundle-brokers.ts';
import { bundleConfig, collectionFlags } from './bundle-config.ts';
import { bundleColumns, bundleRow, DebugBundle, wideBundleColumns } from './bundle-row.ts';

const { broker, status: state, error: _, ...bundleFields } = DebugBundle.fields;

const StartedBundle = row({ broker, state, ...bundleFields, ...outcomeFields });
type StartedBundle = RowOf<typeof StartedBundle>;

/** `debug remote-bundle start` */
export const start = command({
  summary: 'Start to collect a debug bundle on every broker',
  description: `Each broker collects its own bundle (logs, metrics, configuration, the state of its partitions),
which replaces its last one. --wait waits until all are finished. Ctrl-C ends only the wait: continue with debug
remote-bundle status --wait, then download the bundles.

A time of --logs-since and --logs-until is now, a duration before now (6h), a date (2026-01-31), an RFC 3339 time,
seconds or milliseconds since the epoch, or yesterday, today or tomorrow. A time without a zone is in that of the
broker.

If user and pass are set and the mechanism is SCRAM, they are sent to the brokers, whose collecting program logs in
with them.`,
  examples: [
    ['On all brokers, until they are finished', 'debug remote-bundle start --wait'],
    ['With the logs of a day, and two partitions', 'debug remote-bundle start --logs-since 2026-01-31 -p orders/0,1'],
    ['Show on which brokers', 'debug remote-bundle start --dry-run'],
  ],
  apis: ['admin'],
  flags: {
    ...collectionFlags,
    jobId: flag(newJobId, { help: 'id of the job (default: a new one)' }),
    broker: brokerFlag,
    kafkaConnectionsLimit: flag(integer({ min: 0 }), {
      hidden: true,
      help: 'ignored, as by rpk: the request to the brokers has no such field',
    }),
    ...waitFlags('no broker is collecting its bundle any more'),
  },
  changes: 'creates',
  result: listOf(StartedBundle),
  async run(context, { jobId: given, broker, dryRun, ...values }) {
    checkWait(values);
    const config = await bundleConfig(context, values);
    const brokers = await bundleBrokers(context, broker);
    const job = given ?? (await randomJobId());
    if (dryRun) return brokers.map((id) => ended({ ...runningRow(id, job), status: null }, true));
    const status = commandText`weir debug remote-bundle status --job-id ${job}`;
    sending(context, `starting the debug bundle ${job}`, status);
    const changes = await (await context.admin()).startBundles(brokers, job, config);
    const started = changes.map(({ broker: id, error }) =>
      error === null ? runningRow(id, job) : { ...runningRow(id, job), status: null, error: itemErrorOf(error) },
    );
    const running = started.filter(({ error }) => error === null).map(({ broker: id }) => id);
    context.onInterrupt(stoppedError(`the debug bundle ${job} is being collected`, [`see it with: ${status}`], job));
    if (running.length > 0 && !values.wait) context.noticeAfter(`see how far it is with: ${status}`);
    const answers =
      running.length > 0 && values.wait ? await waitForBundles(context, { brokers: running, job }, values) : [];
    return started.map((row) => {
      const answer = answers.find(({ broker: id }) => id === row.broker);
      return ended(answer === undefined ? row : bundleRow(answer, job), false);
    });
  },
  show: {
    text: (rows, view) => tableOf(rows.map(bundleOf), bundleColumns, view),
    wide: (rows, view) => tableOf(rows.map(bundleOf), wideBundleColumns, view),
  },
});

/** The row of a bundle, whose own status is its state here: STATUS says whether it was started. */
function ended({ broker: id, status, error, ...bundle }: DebugBundle, isDryRun: boolean): StartedBundle {
  return { broker: id, state: status, ...bundle, ...outcomeOf({ error }, isDryRun) };
}

function bundleOf({ state: status, dry_run: _isDryRun, ...bundle }: StartedBundle): DebugBundle {
  return { ...bundle, status };
}

async function randomJobId(): Promise<string> {
  return (await import('node:crypto')).randomUUID();
}

function runningRow(broker: number, job: string): DebugBundle {
  return { broker, status: 'running', job_id: job, created: null, file_size: null, error: null };
}
