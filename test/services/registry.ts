import { inject } from 'vitest';
import type { ProcessId } from '../../src/files/process-id.ts';

/** The real schema registry of this test run: Apicurio Registry, in memory, with the global level BACKWARD. */
export interface Registry {
  /** The base URL, as in the option `registry.hosts`. */
  readonly url: string;
  /** Its `host:port`. */
  readonly address: string;
  readonly version: string;
  readonly process: ProcessId;
  readonly log: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    registry: Registry | undefined;
  }
}

/**
 * Returns the running registry. A test file must import this module itself, because the import starts the registry. All
 * files share it: use subjects that no other test uses (`newSubject`), and never change its global settings.
 */
export function registry(): Registry {
  const provided = inject('registry');
  if (provided !== undefined) return provided;
  throw new Error('no registry is running: the test file itself must import services/registry.ts');
}

/** Returns a subject that no other test uses. */
export function newSubject(word = 'subject'): string {
  return `${word}-${crypto.randomUUID()}`;
}
