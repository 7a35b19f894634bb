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
