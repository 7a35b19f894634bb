import type { Logger, LoggerLevel } from '../../../admin/debug/node-rows.ts';
import { apiFlag, type ChosenApi, chooseApi } from '../../../cli/by-api.ts';
import { flag, many } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { type CliError, notFoundError, usageError } from '../../../errors.ts';
import { excerpt } from '../../../format/excerpt.ts';
import type { Cell } from '../../../format/table.ts';
import { brokerId, text } from '../../../kinds.ts';

/** The argument of commands about some loggers. */
export const loggerNames = many(text, 'LOGGER', 'names of loggers, or all');

/** The flags that name the broker. */
export const whereFlags = {
  broker: flag(brokerId, { short: 'b', help: 'id of the broker', aliases: ['node-id'] }),
  host: flag(
    { ...text, name: 'host', hint: 'HOST' },
    { help: 'the broker: an address in admin.hosts, or its place there, from 0', hidden: true },
  ),
  api: apiFlag,
};

/** The values of `whereFlags`. */
export interface Where {
  readonly broker: number | undefined;
  readonly host: string | undefined;
  readonly api: ChosenApi | undefined;
}

/** A new level of a logger. */
export interface NewLevel {
  readonly name: string;
  readonly level: string;
  /** Undefined: what is usual for the API. */
  readonly seconds: number | undefined;
}

/** The loggers of one broker, over one of the two APIs. */
export interface BrokerLoggers {
  list(): Promise<readonly Logger[]>;
  level(name: string): Promise<LoggerLevel>;
  /** Whole seconds until a new level goes back to its default; null if it stays. */
  expiryOf(seconds: number | undefined): number | null;
  set(change: NewLevel): Promise<LoggerLevel>;
}

const usualSeconds = 300;

/** Opens the loggers of the chosen broker; of any one if none is. */
export async function openLoggers(context: Context, { broker, host, api }: Where): Promise<BrokerLoggers> {
  if (host === undefined && (await chooseApi(context, api)) === 'kafka') return await overKafka(context, broker);
  const admin = await context.admin();
  const to = host !== undefined ? { host } : broker !== undefined ? { node: broker } : 'any';
  return {
    list: () => admin.loggers(to),
    level: (name) => admin.loggerLevel(to, name),
    expiryOf: (seconds = usualSeconds) => seconds || null,
    set: ({ seconds = usualSeconds, ...change }) => admin.setLoggerLevel(to, { ...change, seconds }),
  };
}

/** Brokers of Apache Kafka keep a level until they are restarted. */
async function overKafka(context: Context, broker: number | undefined): Promise<BrokerLoggers> {
  const kafka = await context.kafka();
  const list = () => kafka.loggers(broker);
  const row = (name: string, level: string) => ({ name, level, expires_s: null });
  return {
    list,
    level: async (name) => row(name, (await list()).find((one) => one.name === name)?.level ?? ''),
    expiryOf(seconds) {
      if (seconds === undefined || seconds === 0) return null;
      throw usageError('brokers of Apache Kafka keep a level until they are restarted', {
        target: '--expiry-seconds',
        hints: ['leave --expiry-seconds out, and set the level back later'],
      });
    },
    async set({ name, level }) {
      await kafka.setLoggerLevel(broker, { name, level });
      return row(name, level);
    },
  };
}

/** The loggers with these names, in the order of the broker. @throws CliError (exit 3) naming one that it does not have */
export function chosenLoggers(all: readonly Logger[], names: readonly string[], where: Where): readonly Logger[] {
  const [unknown] = unknownLoggers(all, names);
  if (unknown !== undefined) throw unknownLogger(unknown, where);
  return names.includes('all') ? all : all.filter(({ name }) => names.includes(name));
}

/** The names of no logger. */
export function unknownLoggers(all: readonly Logger[], names: readonly string[]): readonly string[] {
  const known = new Set(all.map(({ name }) => name));
  return names.includes('all') ? [] : names.filter((name) => !known.has(name));
}

/** Says that a broker does not have a logger. */
export function unknownLogger(name: string, where: Where): CliError {
  return notFoundError(`the broker has no logger "${excerpt(name)}"`, {
    code: 'LOGGER_NOT_FOUND',
    target: name,
    hints: [`see the loggers with: ${listLine(where)}`],
  });
}

/** The command that lists the loggers of the same broker. */
export function listLine({ broker, host, api }: Where): string {
  const where = broker === undefined ? (host === undefined ? '' : ` --host ${host}`) : ` --broker ${broker}`;
  return `weir cluster loggers list${where}${api === undefined ? '' : ` --api ${api}`}`;
}

/** How long a level lasts, in a table. */
export function expiryCell({ expires_s: seconds }: { readonly expires_s: number | null }): Cell {
  return seconds === null ? null : `${seconds}s`;
}
