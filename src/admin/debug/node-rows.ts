/** A logger of a node. */
export interface Logger {
  readonly name: string;
  /** Null if older versions do not show it. */
  readonly level: string | null;
}

/** The level of a logger. */
export interface LoggerLevel {
  readonly name: string;
  readonly level: string;
  /** Seconds until the level goes back to its default; null if it stays until a restart. */
  readonly expires_s: number | null;
}

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
