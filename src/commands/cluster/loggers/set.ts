import { helpByApi } from '../../../cli/by-api.ts';
import { flag } from '../../../cli/command.ts';
import { type Applied, change } from '../../../cli/forms/change.ts';
import { CliError, itemErrorOf, stoppedError, usageError } from '../../../errors.ts';
import { integer, oneOf } from '../../../kinds.ts';
import { described, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import {
  type BrokerLoggers,
  chosenLoggers,
  expiryCell,
  listLine,
  loggerNames,
  openLoggers,
  unknownLogger,
  unknownLoggers,
  whereFlags,
} from './broker-loggers.ts';

const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;

/** A logger whose level is or would be changed. */
const ChangedLogger = row({
  logger: string,
  old_level: maybe(string),
  new_level: string,
  expires_s: described(
    maybe(whole),
    'seconds until the level goes back to its default; null if it stays until a restart',
  ),
});
type ChangedLogger = RowOf<typeof ChangedLogger>;

/** `cluster loggers set` */
export const set = change({
  summary: 'Change the level of loggers of a broker',
  ...helpByApi({
    description: `The word all means every logger. A logger that cannot be changed does not hide the others.`,
    examples: [
      ['Log warnings as well', 'cluster loggers set root --level warn --broker 1'],
      ['Show the levels first', 'cluster loggers set root --broker 1 --dry-run'],
    ],
    kafka: { help: 'Brokers of Apache Kafka keep a level until they are restarted.' },
    admin: {
      help: `On Redpanda, the level goes back to its default after
the expiry; the broker may shorten that of debug and trace.`,
      examples: [
        ['Five minutes of debug', 'cluster loggers set raft kafka --broker 0 --api admin'],
        ['Every logger, until a restart', 'cluster loggers set all -l warn -e 0 --broker 0 --api admin'],
      ],
    },
  }),
  apis: ['kafka', 'admin'],
  args: { loggers: loggerNames },
  flags: {
    ...whereFlags,
    level: flag(oneOf('level', levels), { short: 'l', help: 'the new level', fallback: 'debug' }),
    expirySeconds: flag(integer({ min: 0, max: 31_536_000 }), {
      short: 'e',
      help: 'seconds until the level goes back to its default; 0: until a restart (default on Redpanda: 300)',
    }),
  },
  changes: 'alters',
  noun: 'logger',
  item: ChangedLogger,
  async plan(context, { loggers: wanted, level, expirySeconds: seconds, ...where }) {
    if (where.broker === undefined && where.host === undefined)
      throw usageError('missing flag --broker', { target: '--broker' });
    const loggers = await openLoggers(context, where);
    const expires = loggers.expiryOf(seconds);
    const all = await loggers.list();
    const unknown = unknownLoggers(all, wanted);
    const known = chosenLoggers(
      all,
      wanted.filter((name) => !unknown.includes(name)),
      where,
    );
    if (unknown.length > 0) context.hintAfter(`see the loggers with: ${listLine(where)}`);
    return [
      ...known.map(({ name, level: old }) => ({ logger: name, old_level: old, new_level: level, expires_s: expires })),
      ...unknown.map((name) => {
        const error = itemErrorOf(unknownLogger(name, where));
        return { logger: name, old_level: null, new_level: level, expires_s: null, error };
      }),
    ];
  },
  async apply(context, rows, { expirySeconds: seconds, ...where }) {
    sending(context, 'changing the level of loggers', listLine(where));
    const loggers = await openLoggers(context, where);
    const changes: Applied<ChangedLogger>[] = [];
    for (const one of rows) changes.push(await changed(loggers, one, seconds));
    context.onInterrupt(stoppedError('the levels are changed', [], where.host ?? String(where.broker)));
    return changes;
  },
  columns: ['logger', 'old_level', 'new_level', ['expires in', expiryCell]],
  would: 'be changed',
});

async function changed(
  loggers: BrokerLoggers,
  row: ChangedLogger,
  seconds: number | undefined,
): Promise<Applied<ChangedLogger>> {
  try {
    const { level, expires_s } = await loggers.set({ name: row.logger, level: row.new_level, seconds });
    return { new_level: level, expires_s };
  } catch (error) {
    // What concerns the broker concerns every logger.
    if (!(error instanceof CliError) || !['INVALID_REQUEST', 'INVALID_CONFIG'].includes(error.code)) throw error;
    return { new_level: row.old_level ?? row.new_level, expires_s: null, error: itemErrorOf(error) };
  }
}
