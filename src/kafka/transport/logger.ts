import type { Logger } from 'kafkajs/src/loggers/index.js';

/** What kafkajs logs to: nothing. Weir reports by errors and traces of its own. */
export const silentLogger: Logger = {
  namespace: () => silentLogger,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
