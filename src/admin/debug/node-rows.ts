import { at, described, mapped, maybe, natural, type RowOf, row, string } from '../../shape/shape.ts';

/** A logger of a node. */
export const logger = row({
  name: string,
  /** Null if older versions do not show it. */
  level: maybe(string),
});

/** A logger of a node. */
export type Logger = RowOf<typeof logger>;

/** The level of a logger. */
export const loggerLevel = row({
  name: string,
  level: string,
  expires_s: at(
    'expiration',
    described(
      mapped(maybe(natural), (seconds) => seconds || null),
      'seconds until the level goes back to its default; null if it stays until a restart',
    ),
  ),
});

/** The level of a logger. */
export type LoggerLevel = RowOf<typeof loggerLevel>;

/** The calls about one node. `host` names one of the configured addresses, in the ways of `chosenUrl`. */
export interface NodeCalls {
  /** The effective configuration of a node, as it shows it. */
  nodeConfig(host: string): Promise<Readonly<Record<string, unknown>>>;
  /** The loggers of a node, sorted by name. */
  loggers(host: string): Promise<readonly Logger[]>;
  /** The level of one logger. */
  loggerLevel(host: string, name: string): Promise<LoggerLevel>;
  /**
   * Changes the level of a logger. The server may limit how long a verbose level lasts.
   * @param seconds until the level goes back to its default; 0 for never
   */
  setLoggerLevel(
    host: string,
    change: { readonly name: string; readonly level: string; readonly seconds: number },
  ): Promise<LoggerLevel>;
}
