import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import type { ProcessId } from '../process.ts';
import type { Mechanism, User } from './properties.ts';

/** What Kafka runs in. */
export type EngineName = 'java' | 'docker' | 'podman';

/** What clients must bring. */
export interface Security {
  readonly tls: boolean;
  /** Client certificates are demanded; `tls` is on as well. */
  readonly mtls: boolean;
  readonly sasl: Mechanism | null;
}

/** One broker as it was started last. */
export interface BrokerState {
  readonly id: number;
  readonly port: number;
  readonly internalPort: number;
  readonly controllerPort: number;
  /** Null when it is stopped or runs in a container. */
  readonly process: ProcessId | null;
  /** The container's id; null when it is stopped or a process. */
  readonly container: string | null;
}

/** What is kept about the Kafka of a sandbox. */
export interface KafkaState {
  readonly kafkaVersion: string;
  readonly engine: EngineName;
  readonly clusterId: string;
  readonly security: Security;
  /** Who clients are, with SASL. */
  readonly user: User | null;
  readonly brokers: readonly BrokerState[];
}

const fileName = 'kafka.json';

/** The code of the error about a state file that cannot be understood. */
export const brokenState = 'SANDBOX_STATE_BROKEN';

/**
 * Reads what was kept in the part's directory; undefined when there is nothing.
 * @throws CliError (`brokenState`) when it is not what weir wrote
 */
export async function readKafkaState(directory: string): Promise<KafkaState | undefined> {
  const file = join(directory, fileName);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const state = parse(text);
  if (state !== undefined) return state;
  throw new CliError(exitCodes.failure, `unable to read ${file}: it is not what weir wrote there`, {
    code: brokenState,
    target: file,
    hints: ['"weir sandbox purge" removes the sandbox; a broker of it that still runs must be ended by hand'],
  });
}

function parse(text: string): KafkaState | undefined {
  try {
    const state = JSON.parse(text) as Partial<KafkaState> | null;
    return Array.isArray(state?.brokers) && state.security !== undefined ? (state as KafkaState) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes it whole: to a file beside it that is then renamed. */
export async function writeKafkaState(directory: string, state: KafkaState): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, fileName);
  await writeFile(`${file}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
