import { spawnSync } from 'node:child_process';

let python: string | undefined;

/** Finds a Python with confluent-kafka, including Debian's own when another one comes first in PATH. */
export function pythonWithKafka(): string {
  python ??= ['python3', '/usr/bin/python3'].find(
    (file) => spawnSync(file, ['-c', 'import confluent_kafka']).status === 0,
  );
  if (python !== undefined) return python;
  throw new Error('the tests need Python with confluent-kafka (Debian: python3-confluent-kafka)');
}

/** Finds kcat on this machine. */
export function kcatProgram(): string {
  if (spawnSync('kcat', ['-V']).status === 0) return 'kcat';
  throw new Error('the tests need kcat (Debian: kcat)');
}
