import { spawnSync } from 'node:child_process';

let python: string | undefined;

/** The Python that has confluent-kafka: Debian's own has it where another comes first on the PATH. */
export function pythonWithKafka(): string {
  python ??= ['python3', '/usr/bin/python3'].find(
    (file) => spawnSync(file, ['-c', 'import confluent_kafka']).status === 0,
  );
  if (python !== undefined) return python;
  throw new Error('the tests need Python with confluent-kafka (Debian: python3-confluent-kafka)');
}

/** The kcat of this machine. */
export function kcatProgram(): string {
  if (spawnSync('kcat', ['-V']).status === 0) return 'kcat';
  throw new Error('the tests need kcat (Debian: kcat)');
}
