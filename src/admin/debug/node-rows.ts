import { at, described, mapped, maybe, natural, type RowOf, row, string } from '../../shape/shape.ts';

/** A logger of a node. */
export const Logger = row({
  name: string,
  /** Null if older versions do not show it. */
  level: maybe(string),
});
export type Logger = RowOf<typeof Logger>;

/** The level of a logger. */
export const LoggerLevel = row({
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
export type LoggerLevel = RowOf<typeof LoggerLevel>;
